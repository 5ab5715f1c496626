import { createPlan } from '@keystamp/core'
import { type ComponentRules, formatPointer, parsePlan } from '@keystamp/core/internal'
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
  /**
   * Whether the old key follows from the new key and id, so that two documents never get the same. `as-text`: only if
   * no field of the old key is a number or boolean in one document, and the same text in another.
   */
  readonly oldKey: 'kept' | 'as-text' | 'lost'
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
    makesIds,
    oldKey: makesIds ? 'lost' : oldKeyIn(options)
  }
}

function oldKeyIn({ plan, sourceKeyPaths }: CopyOptions): CheckedPlan['oldKey'] {
  const [version, ...older] = parsePlan(plan).versions
  // the same key of two versions may be made of different fields
  if (older.length > 0 || version.encoding !== 'injective') return 'lost'
  const components = version.levels.flatMap(({ from }) => from)
  const kept = sourceKeyPaths.map((pointer) => {
    const path = formatPointer(pointer)
    if (path === '/id') return 'kept'
    const found = components.filter((component) => isWhole(component, path))
    return found.some(({ type }) => type !== 'any') ? 'kept' : found.length > 0 ? 'as-text' : 'lost'
  })
  return kept.includes('lost') ? 'lost' : kept.includes('as-text') ? 'as-text' : 'kept'
}

/** Whether a component is the value of a field, without a change that could make two values equal. */
function isWhole(component: ComponentRules, path: string): component is FieldRules {
  return (
    component.kind === 'field' &&
    formatPointer(component.pointer) === path &&
    !component.normalize &&
    !component.coerce &&
    component.orKey === undefined &&
    Object.values(component.use).every((text) => text === undefined)
  )
}

type FieldRules = Extract<ComponentRules, { readonly kind: 'field' }>
