import { createPlan } from '@keystamp/core'
import type { CopyOptions } from '../documents/copy-layout.ts'
import { readPlanBasis } from '../documents/plan-basis.ts'
import { createReverseMapper } from '../documents/reverse-mapper.ts'

/** The plan of the move, without its details. */
export interface CheckedPlan {
  /** `identity`: key and id of a new document follow from those of the old one. `fields`: from other fields, too. */
  readonly basis: 'identity' | 'fields'
  /** JSON pointers of these other fields. */
  readonly fields: readonly string[]
  /** The same for the way back. */
  readonly reverseBasis: 'identity' | 'fields'
  /** JSON pointers of the paths to which the plan writes the key. */
  readonly keyPaths: readonly string[]
  readonly hashVersion: 1 | 2
  /** Whether documents get other ids. */
  readonly makesIds: boolean
}

/** Reads what `checkMove` needs to know of a plan. Throws a PlanError for a plan that a move cannot use. */
export function readCheckedPlan(options: CopyOptions): CheckedPlan {
  const { fields, makesIds } = readPlanBasis(options.plan, options.sourceKeyPaths)
  const { partitionKey } = createPlan(options.plan)
  return {
    basis: fields.length === 0 ? 'identity' : 'fields',
    fields,
    reverseBasis: createReverseMapper(options).basis,
    keyPaths: partitionKey.paths,
    hashVersion: partitionKey.version,
    makesIds
  }
}
