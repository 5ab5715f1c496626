import { createPlan, KeystampError, type PlanDefinition } from '@keystamp/core'
import { createClock, parsePointer, type Pointer } from '@keystamp/core/internal'
import { checkContainer, pointerOfPath } from '@keystamp/cosmos'
import type { MoveContainer } from '../containers/move-container.ts'
import { changedPointers } from '../documents/copy-layout.ts'
import { createPlanMapper } from '../documents/plan-mapper.ts'
import { isAnyMarker } from '../markers/marker.ts'
import { withoutMarkers } from '../markers/without-markers.ts'
import { chooseMatching } from './choose-matching.ts'
import { compareContainers, type CompareOptions, type Comparison } from './compare-containers.ts'
import type { Difference } from './difference.ts'
import { recheck } from './recheck.ts'
import { repair, type RepairOutcome } from './repair.ts'

export interface VerificationOptions extends Pick<
  CompareOptions,
  'source' | 'target' | 'settleMs' | 'tries' | 'signal' | 'onProgress' | 'limits'
> {
  /** The plan that made the second container from the first one. */
  readonly plan?: PlanDefinition | undefined
  /** JSON pointer of the property that keeps the old id, for a plan that makes new ids. */
  readonly keepIdIn?: string | undefined
  /** JSON pointers of the fields that identify a document. Default: the key of the first container, and the id. */
  readonly by?: readonly string[] | undefined
  /** JSON pointers of properties that do not count. */
  readonly ignore?: readonly string[] | undefined
}

/** The comparison of two containers, and the repair of what it finds. */
export interface Verification {
  readonly compare: () => Promise<Comparison>
  /**
   * Reads the documents of differences again, after they were copied again. Returns those that remain although the
   * container in charge has not changed since.
   */
  readonly recheck: (
    differences: readonly Difference[],
    inCharge: 'source' | 'target'
  ) => Promise<readonly Difference[]>
  /** Repairs one difference in the second container, if both documents are still the versions that were compared. */
  readonly repair: (difference: Difference) => Promise<RepairOutcome>
}

/**
 * Prepares the comparison of two containers. Throws OPTION_INVALID, PLAN_INVALID or CONTAINER_MISMATCH before anything
 * is read.
 */
export function createVerification(options: VerificationOptions): Verification {
  const { plan, by, ignore = [] } = options
  const [source, target] = [options.source, options.target].map((each) =>
    withoutMarkers(each, { isLeftOut: isAnyMarker })
  )
  for (const [name, pointers] of Object.entries({ by: by ?? [], ignore })) checkPointers(name, pointers)
  if (by?.length === 0) throw invalid('`by` must name at least one field, such as /id.')
  const copy = plan === undefined ? undefined : { ...options, plan, ...copyOptions(source) }
  if (plan !== undefined) checkContainer(target.definition, createPlan(plan))
  const planned = copy === undefined ? undefined : createPlanMapper(copy)
  const { matching, mapper } = chooseMatching({
    source: source.definition,
    target: target.definition,
    mapper: planned,
    by,
    ignore,
    wallMs: Date.now
  })
  const { settleMs, tries, signal, onProgress, limits } = options
  const compared: CompareOptions = {
    source,
    target,
    matching,
    ignore: copy === undefined ? ignore : [...ignore, ...changedPointers(copy)],
    ignoresTtl: copy !== undefined,
    clock: createClock(globalThis),
    wallMs: Date.now,
    ...(settleMs === undefined ? {} : { settleMs }),
    ...(tries === undefined ? {} : { tries }),
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(limits === undefined ? {} : { limits })
  }
  return {
    compare: () => compareContainers(compared),
    recheck: (differences, inCharge) => recheck(differences, inCharge, compared),
    repair: (difference) =>
      repair(difference, { source, target, mapper, sourceOf: matching.sourceOf, wallMs: Date.now })
  }
}

function copyOptions({ definition }: MoveContainer): {
  readonly sourceKeyPaths: readonly Pointer[]
  readonly sourceDefaultTtl: number | undefined
  readonly ttl: 'remaining'
} {
  const { partitionKey, defaultTtl } = definition
  return {
    sourceKeyPaths: partitionKey.paths.map((path) => parsePointer(pointerOfPath(path)) ?? []),
    sourceDefaultTtl: defaultTtl,
    ttl: 'remaining'
  }
}

function checkPointers(name: string, pointers: readonly string[]): void {
  const wrong = pointers.find((pointer) => pointer === '' || parsePointer(pointer) === undefined)
  if (wrong !== undefined)
    throw invalid(`\`${name}\` takes JSON pointers of properties, such as /tenant or /address/city, not "${wrong}".`)
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
