import type { StampedBytes } from '@keystamp/core'
import type { PatchOperation, PatchStep } from '@keystamp/cosmos'
import type { PatchSettings, WriteSettings } from '../config/settings.ts'
import { covers, type FixedPaths, membersOf, pointerStep, rejectMapping, type ToOperation } from './mapping.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { createMetadata, createTimeToLive } from './added-properties.ts'

/** Patches the stored document with the properties of a record. If the configured condition does not hold, the document stays as it is. */
export function createPatch({ patch, drop, ttl, metadata }: WriteSettings, fixed: FixedPaths): ToOperation {
  const ownNames = [...(ttl === undefined ? [] : ['ttl']), ...(metadata === undefined ? [] : [metadata.into])]
  const makeSteps = createPatchSteps({ settings: patch, fixed, leftOut: [...drop, ...ownNames] })
  const timeToLive = ttl === undefined ? undefined : createTimeToLive(ttl)
  const describe = metadata === undefined ? undefined : createMetadata(metadata)
  const condition = patch?.condition
  const whether: Pick<PatchOperation, 'condition' | 'ignore'> = condition === undefined ? {} : { condition, ignore: [412] }

  return (stamped, record) => {
    const steps = makeSteps(stamped)
    if ('ok' in steps) return steps
    const seconds = timeToLive?.(stamped)
    if (typeof seconds === 'object') return seconds
    if (seconds !== undefined) steps.push({ op: 'set', path: '/ttl', value: seconds })
    if (describe !== undefined) steps.push({ op: 'set', path: pointerStep(metadata!.into), value: describe(record) })
    return { ...whether, kind: 'patch', key: stamped.values, id: stamped.id!, steps }
  }
}

interface PatchOptions {
  readonly settings: PatchSettings | undefined
  /** JSON pointers that a patch cannot change. */
  readonly fixed: FixedPaths
  /** Names of the properties that a patch leaves out. */
  readonly leftOut: readonly string[]
}

/** Creates the steps that bring a document to the state of the record, property by property. */
type MakeSteps = (stamped: StampedBytes) => PatchStep[] | SinkRejection

/** Properties above a level of the key are changed one level deeper. A configured removal does not need the property in the record. */
function createPatchSteps({ settings = SET_ALL, fixed, leftOut }: PatchOptions): MakeSteps {
  const removals = [...settings.members].filter(([, { operation }]) => operation === 'remove')
  const removed = new Set(removals.map(([name]) => name))

  return (stamped) => {
    const steps: PatchStep[] = []
    for (const [name, value] of Object.entries(membersOf(stamped))) {
      if (leftOut.includes(name) || removed.has(name)) continue
      const { operation = settings.operation, path = pointerStep(name) } = settings.members.get(name) ?? {}
      const rejection = addSteps(steps, operation, path, value)
      if (rejection !== undefined) return rejection
    }
    for (const [name, { path = pointerStep(name) }] of removals) steps.push({ op: 'remove', path })
    return steps.length === 0 ? rejectMapping('PATCH_EMPTY') : steps
  }

  function addSteps(steps: PatchStep[], operation: Operation, path: string, value: unknown): SinkRejection | undefined {
    if (operation === 'none' || fixed.some((each) => covers(each, path))) return undefined
    if (fixed.some((each) => covers(path, each))) return addInside(steps, operation, path, value)
    if (operation !== 'increment') steps.push(operation === 'remove' ? { op: operation, path } : { op: operation, path, value })
    else if (Number.isFinite(value)) steps.push({ op: 'incr', path, value: value as number })
    else return rejectMapping('PATCH_NOT_NUMBER', path)
    return undefined
  }

  function addInside(steps: PatchStep[], operation: Operation, path: string, value: unknown): SinkRejection | undefined {
    for (const [name, each] of Object.entries(value as object)) {
      const rejection = addSteps(steps, operation, path + pointerStep(name), each)
      if (rejection !== undefined) return rejection
    }
    return undefined
  }
}

type Operation = PatchSettings['operation']

const SET_ALL: PatchSettings = { operation: 'set', members: new Map(), condition: undefined }
