import { createHash, createHmac } from 'node:crypto'
import type { PlanDefinition } from '@keystamp/core'
import { type ComponentRules, parsePlan, type Pointer, type VersionRules } from '@keystamp/core/internal'
import type { Condition, ShapeStep } from '../config/shape-settings.ts'
import { pathOf } from './compile-step.ts'

/** Fingerprints of the versions of a plan, newest first. */
interface Fingerprints {
  readonly fingerprint: string
  readonly previousFingerprints: readonly string[]
}

/**
 * Fingerprints of a plan together with a shape. A step counts only if keys or ids can change with it: if it writes a
 * field that the plan reads, or one that such a step reads. A shape without such steps keeps the fingerprints.
 */
export function shapedFingerprints(
  { fingerprint, previousFingerprints }: Fingerprints,
  definition: PlanDefinition,
  shape: readonly ShapeStep[]
): Fingerprints {
  const { versions } = parsePlan(definition)
  const [newest, ...older] = [fingerprint, ...previousFingerprints].map((each, index) =>
    withSteps(each, keySteps(readsOf(versions[index]), shape))
  )
  return { fingerprint: newest, previousFingerprints: older }
}

function withSteps(fingerprint: string, steps: readonly ShapeStep[]): string {
  if (steps.length === 0) return fingerprint
  const marked = steps.map((step) =>
    step.kind === 'mask' && step.secret !== undefined ? { ...step, secret: secretMark(step.secret.reveal()) } : step
  )
  const text = JSON.stringify([fingerprint, marked], inOrder)
  return createHash('sha256').update(text).digest('hex').slice(0, fingerprint.length)
}

function inOrder(_name: string, value: unknown): unknown {
  // renames of one step have no order
  if (value instanceof Map) return [...value].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return value
}

/** Stands for the secret of a hash: another secret gives other keys. */
function secretMark(secret: string): string {
  return createHmac('sha256', secret).update('keystamp shape').digest('hex')
}

/** Fields that keys and ids are made of; an empty path is the whole value or key. */
interface Reads {
  readonly value: Pointer[]
  readonly key: Pointer[]
}

function readsOf({ levels, id, until }: VersionRules): Reads {
  const reads: Reads = { value: [], key: [] }
  for (const { into, from, suffix } of levels) {
    // an existing key may be kept
    reads.value.push(into)
    for (const component of from) addReads(reads, component)
    if (Array.isArray(suffix?.by)) for (const component of suffix.by) addReads(reads, component as ComponentRules)
  }
  reads.value.push(['id'])
  for (const component of id?.from ?? []) addReads(reads, component)
  if (until !== undefined) reads.value.push(until.field)
  return reads
}

function addReads({ value, key }: Reads, component: ComponentRules): void {
  if (component.kind === 'kafka') {
    if (component.what === 'key') key.push(component.pointer ?? [])
    return
  }
  if (component.kind !== 'field' && component.kind !== 'bucket') return
  const pointer = component.kind === 'field' ? component.pointer : component.of
  if (typeof pointer !== 'string') value.push(pointer)
  if (component.orKey !== undefined) key.push(component.orKey)
}

/** Walks the steps backwards, from the fields that the plan reads to the fields that these come from. */
function keySteps(reads: Reads, shape: readonly ShapeStep[]): readonly ShapeStep[] {
  const found: ShapeStep[] = []
  for (const step of shape.toReversed()) {
    if (step.kind === 'filter' || !isRead(step, reads)) continue
    found.unshift(step)
    addSources(step, reads)
    if (step.when !== undefined) addCondition(step.when, reads)
  }
  return found
}

function addCondition(condition: Condition, reads: Reads): void {
  if ('field' in condition) reads.value.push(pathOf(condition.field))
}

/** Whether a step writes something that is read. */
function isRead(step: ShapeStep, reads: Reads): boolean {
  const side = reads[step.of]
  const reaches = (fields: Iterable<string>): boolean =>
    [...fields].some((field) => side.some((read) => overlaps(pathOf(field), read)))
  switch (step.kind) {
    case 'exclude':
    case 'mask':
    case 'timestamp':
      return reaches(step.fields)
    case 'include':
      return side.some((read) => !step.fields.some((field) => contains(pathOf(field), read)))
    case 'rename':
      return reaches(step.fields.keys()) || reaches(step.fields.values())
    case 'copy':
      return reaches(step.fields.values())
    case 'insert':
      return reaches(step.fields.keys())
    case 'cast':
      return reaches(step.types.keys())
    case 'key':
      return reads.key.length > 0
    case 'flatten':
    case 'hoist':
    case 'extract':
      return side.length > 0
    case 'filter':
      return false
  }
}

/** Adds the fields from which a step makes fields that are read. */
function addSources(step: ShapeStep, reads: Reads): void {
  const { kind, of } = step
  if (kind === 'rename' || kind === 'copy') reads[of].push(...[...step.fields.keys()].map(pathOf))
  if (kind === 'key') reads.value.push(...step.fields.map(pathOf))
  // any field can be the source
  if (kind === 'flatten' || kind === 'hoist' || kind === 'extract') reads[of].push([])
}

function overlaps(one: Pointer, other: Pointer): boolean {
  return contains(one, other) || contains(other, one)
}

/** Whether `inner` is `outer` or inside of it. */
function contains(outer: Pointer, inner: Pointer): boolean {
  return outer.length <= inner.length && outer.every((name, index) => name === inner[index])
}
