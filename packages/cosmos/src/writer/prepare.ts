import { type KeyComponent, type KeyDefinition, partitionHashHead, type Rejection } from '@keystamp/core'
import { MAX_DOCUMENT_BYTES } from '../dispatch/batch-encoder.ts'
import { type Outcome, type Rejected, rejected } from '../dispatch/outcome.ts'
import { NO_CONDITIONS, type OnOutcome, PendingOperation, type WriteConditions } from '../dispatch/pending-operation.ts'
import {
  findOperationError,
  type Named,
  nameDocument,
  nameOnly,
  type Naming,
  type Operation,
  type PatchOperation,
  type PatchStep
} from './operation.ts'
import type { KeyFinder } from './keys-from-record.ts'
import type { NewestSettings } from './newest-options.ts'
import { createNewestGroup } from '../dispatch/newest-group.ts'
import { newestState } from '../dispatch/operation-state.ts'
import { prepareNewest, prepareNewestPatch } from './prepare-newest.ts'

/** Options for preparing operations. */
export interface Preparation {
  readonly keys: KeyFinder
  readonly definition: KeyDefinition
  /** Whether the container has a default TTL. */
  readonly canExpire: boolean
  /** Whether a key may lack values. Default: false. */
  readonly missingKeys?: boolean
  /** Set for a writer with `newest`. */
  readonly newest?: NewestSettings | undefined
}

/** Prepares an operation for sending, or rejects it. */
export function prepare(
  preparation: Preparation,
  operation: Operation,
  onOutcome: OnOutcome
): PendingOperation | Rejected {
  const operationError = findOperationError(operation) ?? (hasSeveralSources(operation) ? SEVERAL_SOURCES : undefined)
  if (operationError !== undefined) return rejected('OPERATION_INVALID', {}, operationError) as Rejected
  const named = nameOf(preparation.keys, operation)
  if (!named.ok) return toRejected(named)
  const naming = preparation.missingKeys === true ? named : withoutNegativeZero(named)
  if (operation.ifMatch === '') return rejected('ETAG_MISSING') as Rejected
  const keyError = validateKeyAndTtl(naming, operation, preparation)
  if (keyError !== undefined) return rejected('OPERATION_INVALID', {}, keyError) as Rejected
  if (preparation.newest !== undefined)
    return prepareNewestWrite(preparation, preparation.newest, operation, naming, onOutcome)
  if (operation.kind === 'patch') return preparePatch(preparation, operation, naming, onOutcome)
  const pending = toPending(preparation, operation, naming, naming.body, true, onOutcome)
  return pending.bytes > MAX_DOCUMENT_BYTES ? (rejected('DOCUMENT_TOO_LARGE') as Rejected) : pending
}

function prepareNewestWrite(
  preparation: Preparation,
  settings: NewestSettings,
  operation: Operation,
  named: Named,
  onOutcome: OnOutcome
): PendingOperation | Rejected {
  if (operation.kind === 'patch') return prepareOrderedPatch(preparation, settings, operation, named, onOutcome)
  const { definition } = preparation
  const change = prepareNewest(settings, definition.paths ?? [], operation, named)
  if ('kind' in change) return change
  const { values, id } = named
  const head = partitionHashHead(values, definition)
  const { body, position } = change
  const facts = { type: 'Create', values, id, definition, head, body, conditions: NO_CONDITIONS } as const
  const pending = new PendingOperation(facts, onOutcome)
  pending.newest = newestState(position, operation.kind === 'delete')
  return pending.bytes > MAX_DOCUMENT_BYTES ? (rejected('DOCUMENT_TOO_LARGE') as Rejected) : pending
}

/** Prepares a patch that also stores its position. A patch that is sent in parts stores it with the last one. */
function prepareOrderedPatch(
  preparation: Preparation,
  settings: NewestSettings,
  operation: PatchOperation,
  named: Named,
  onOutcome: OnOutcome
): PendingOperation | Rejected {
  const change = prepareNewestPatch(settings, operation)
  if ('kind' in change) return change
  const bodies = patchBodies({ ...operation, steps: change.steps })
  const parts = bodies.map((body, index) => {
    const part = toPending(preparation, operation, named, body, true, bodies.length === 1 ? onOutcome : nothing)
    const { position, condition } = change
    part.newest = newestState(position, false, { body, condition, isContinued: index > 0 })
    return part
  })
  if (parts.length === 1) return parts[0]
  return toGroup(parts, (outcomes) => onOutcome(wholeOf(outcomes, operation)), onOutcome)
}

/** Prepares an atomic batch of operations on one key, or rejects the first invalid operation. */
export function prepareGroup(
  preparation: Preparation,
  operations: readonly Operation[],
  onOutcomes: (outcomes: readonly Outcome[]) => void,
  fail: OnOutcome
): PendingOperation | { readonly index: number; readonly reason: Rejected } {
  const parts: PendingOperation[] = []
  for (const [index, operation] of operations.entries()) {
    const prepared = prepare(preparation, operation, nothing)
    if (!(prepared instanceof PendingOperation)) return { index, reason: prepared }
    const isOther = index > 0 && prepared.keyText !== parts[0].keyText
    const wrong = isOther
      ? 'All operations of an atomic batch must have the same partition key; this one has another key.'
      : undefined
    const isLong = prepared.group !== undefined
    if ('before' in operation && operation.before !== undefined)
      return { index, reason: rejected('OPERATION_INVALID', {}, NO_TWINS) as Rejected }
    const sentence = isLong
      ? 'A patch inside an atomic batch has at most ten steps; with `newest`, one or two of them store its position.'
      : wrong
    if (sentence !== undefined) return { index, reason: rejected('OPERATION_INVALID', {}, sentence) as Rejected }
    parts.push(prepared)
  }
  return toGroup(parts, onOutcomes, fail)
}

const NO_TWINS = 'An atomic batch has one key, so none of its operations can have `before`.'

/** Whether the operation has several sources of the document, so that it is not clear which one to use. */
function hasSeveralSources({ record, bytes, stamped }: Operation): boolean {
  return (record === undefined ? 0 : 1) + (bytes === undefined ? 0 : 1) + (stamped === undefined ? 0 : 1) > 1
}

const SEVERAL_SOURCES = 'The operation has more than one document: pass only one of `record`, `bytes` and `stamped`.'

function nameOf(keys: KeyFinder, operation: Operation): Naming {
  if (operation.kind === 'delete' || operation.kind === 'patch') return nameOnly(keys, operation)
  return nameDocument(keys, operation, operation.ttl)
}

/** Readers pass keys as JSON, in which `-0` is 0: a document under `-0`, which is another key, would not be found. */
function withoutNegativeZero<T extends Named>(named: T): T {
  for (const value of named.values)
    if (value === 0 && Object.is(value, -0))
      return { ...named, values: named.values.map((each) => (each === 0 ? 0 : each)) }
  return named
}

function isKeyValue(value: KeyComponent, missingKeys: boolean): boolean {
  if (value === undefined) return missingKeys
  return typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' || typeof value === 'boolean' || value === null
}

function toRejected({ code, message, path }: Rejection): Rejected {
  return { kind: 'rejected', code, message, chargeRu: 0, path }
}

function validateKeyAndTtl(
  { values }: Named,
  operation: Operation,
  { definition: { paths = [] }, canExpire, missingKeys = false }: Preparation
): string | undefined {
  for (const value of values)
    if (!isKeyValue(value, missingKeys))
      return 'Each value of the key must be a string, a finite number, a boolean or null.'
  if (values.length !== paths.length) {
    return `The container's key has ${paths.length} ${paths.length === 1 ? 'level' : 'levels'}, but the operation has ${values.length} values.`
  }
  if ('ttl' in operation && operation.ttl !== undefined) return findTtlError(operation.ttl, canExpire)
  return operation.kind === 'patch' ? findImmutablePathError(operation, paths) : undefined
}

/** Finds a step that patches the key or the id. Cosmos DB would refuse the patch without naming the step. */
function findImmutablePathError({ steps }: PatchOperation, paths: readonly string[]): string | undefined {
  const index = steps.findIndex(
    (step) => isFixed(step.path, paths) || (step.op === 'move' && isFixed(step.from, paths))
  )
  return index < 0
    ? undefined
    : `Step ${index} of the patch changes the id or the key of the document, which cannot be changed.`
}

function isFixed(path: string, paths: readonly string[]): boolean {
  return path === '/id' || paths.some((fixed) => path === fixed || fixed.startsWith(`${path}/`))
}

function findTtlError(ttl: number, canExpire: boolean): string | undefined {
  if (!canExpire)
    return 'The container has no default TTL, so a `ttl` has no effect. Set the default TTL to -1: then only documents with a `ttl` expire.'
  const isRight = Number.isInteger(ttl) && (ttl === -1 || ttl > 0) && ttl < 2 ** 31
  return isRight ? undefined : '`ttl` must be -1 or a whole number of seconds from 1 to 2,147,483,647.'
}

function preparePatch(
  preparation: Preparation,
  operation: PatchOperation,
  named: Named,
  onOutcome: OnOutcome
): PendingOperation {
  const bodies = patchBodies(operation)
  // with an ETag, Cosmos DB refuses to apply the patch a second time
  const isRepeatable = operation.ifMatch !== undefined || canRepeat(operation.steps)
  if (bodies.length === 1) return toPending(preparation, operation, named, bodies[0], isRepeatable, onOutcome)
  const parts = bodies.map((body, index) => {
    const { ifMatch: _, ...unconditional } = operation
    return toPending(preparation, index === 0 ? operation : unconditional, named, body, isRepeatable, nothing)
  })
  return toGroup(parts, (outcomes) => onOutcome(wholeOf(outcomes, operation)), onOutcome)
}

/** Outcome of a patch that was sent in parts: that of the last part, or the reason why none was applied. */
function wholeOf(outcomes: readonly Outcome[], { ignore = [] }: PatchOperation): Outcome {
  const failed = outcomes.find((outcome) => outcome.kind === 'rejected' && outcome.code !== 'BATCH_FAILED')
  const chargeRu = outcomes.reduce((sum, outcome) => sum + outcome.chargeRu, 0)
  if (failed?.kind !== 'rejected') return { ...outcomes[outcomes.length - 1], chargeRu }
  const isIgnored = failed.status !== undefined && (ignore as readonly number[]).includes(failed.status)
  return isIgnored ? { kind: 'unchanged', status: failed.status, chargeRu } : { ...failed, chargeRu }
}

function toPending(
  { definition }: Preparation,
  operation: Operation,
  { values, id }: Named,
  body: Named['body'],
  isRepeatable: boolean,
  onOutcome: OnOutcome
): PendingOperation {
  const facts = {
    type: TYPES[operation.kind],
    values,
    id,
    definition,
    head: partitionHashHead(values, definition),
    body,
    conditions: conditionsOf(operation, isRepeatable)
  }
  return new PendingOperation(facts, onOutcome)
}

function conditionsOf({ ifMatch, ignore }: Operation, isRepeatable: boolean): WriteConditions {
  if (ifMatch === undefined && ignore === undefined && isRepeatable) return NO_CONDITIONS
  return { ifMatch, ignore: ignore ?? NO_CONDITIONS.ignore, isRepeatable }
}

const TYPES = { upsert: 'Upsert', create: 'Create', replace: 'Replace', delete: 'Delete', patch: 'Patch' } as const

function toGroup(
  parts: readonly PendingOperation[],
  onOutcomes: (outcomes: readonly Outcome[]) => void,
  onOutcome: OnOutcome
): PendingOperation {
  const [{ values, definition, head }] = parts
  const firsts = parts.filter((part, index) => parts.findIndex(({ document }) => document === part.document) === index)
  const facts = {
    type: 'Atomic',
    values,
    id: '',
    definition,
    head,
    body: undefined,
    conditions: { ...NO_CONDITIONS, isRepeatable: parts.every(({ conditions }) => conditions.isRepeatable) }
  } as const
  const newest = createNewestGroup(parts)
  return new PendingOperation(facts, onOutcome, { parts, firsts, onOutcomes, blockedDocuments: 0, newest })
}

function nothing(): void {
  // the batch reports the outcomes of its parts
}

/** Maximum number of steps of one patch; more are sent as an atomic batch. */
const MAX_STEPS = 10

/** JSON of each patch. The first one has the condition. */
function patchBodies({ steps, condition }: PatchOperation): readonly string[] {
  const bodies: string[] = []
  for (let from = 0; from < steps.length; from += MAX_STEPS) {
    const operations = steps.slice(from, from + MAX_STEPS)
    bodies.push(JSON.stringify(from === 0 && condition !== undefined ? { operations, condition } : { operations }))
  }
  return bodies
}

/**
 * Whether applying the steps a second time changes nothing. A second increment or insertion into an array would change
 * the document again, and a removed or moved property would be missing.
 */
function canRepeat(steps: readonly PatchStep[]): boolean {
  return steps.every(
    (step) => (step.op === 'add' && !/\/(?:-|\d+)$/.test(step.path)) || step.op === 'set' || step.op === 'replace'
  )
}
