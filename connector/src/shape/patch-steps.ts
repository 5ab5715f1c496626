import type { StampedBytes } from '@keystamp/core'
import type { PatchStep } from '@keystamp/cosmos'
import type { PatchSettings } from '../config/settings.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'
import { membersOf, pointerStep } from './json-value.ts'
import { covers, type FixedPaths } from './fixed-paths.ts'
import { rejectShape } from './reject-shape.ts'

export interface PatchOptions {
  readonly settings: PatchSettings | undefined
  /** What a patch cannot change. */
  readonly fixed: FixedPaths
  /** Members that are not stored as the record has them. */
  readonly leftOut: readonly string[]
}

/** Makes the steps that bring a document to what a record says of it, member by member. */
export type MakeSteps = (stamped: StampedBytes) => PatchStep[] | SinkRejection

/** Members that hold a level of the key are changed member by member themselves. A configured removal needs no member in the record. */
export function createPatchSteps({ settings = SET_ALL, fixed, leftOut }: PatchOptions): MakeSteps {
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
    return steps.length === 0 ? rejectShape('PATCH_EMPTY') : steps
  }

  function addSteps(steps: PatchStep[], operation: Operation, path: string, value: unknown): SinkRejection | undefined {
    if (operation === 'none' || fixed.some((each) => covers(each, path))) return undefined
    if (fixed.some((each) => covers(path, each))) return addInside(steps, operation, path, value)
    if (operation !== 'increment') steps.push(operation === 'remove' ? { op: operation, path } : { op: operation, path, value })
    else if (Number.isFinite(value)) steps.push({ op: 'incr', path, value: value as number })
    else return rejectShape('PATCH_NOT_NUMBER', path)
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
