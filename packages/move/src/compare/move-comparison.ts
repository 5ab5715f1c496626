import type { PlanDefinition } from '@keystamp/core'
import type { OpenMoveContainer } from '../containers/open-container.ts'
import type { Direction } from '../journal/journal.ts'
import type { CompareContainers, Disagreement } from '../phases/compare-containers.ts'
import type { CompareProgress } from './compare-containers.ts'
import type { Difference } from './difference.ts'
import { createVerification } from './verification.ts'

/** How long a document must stand still, so that a difference counts, and how often it may change. */
const RUNNING = { settleMs: 5000, tries: 3 }
const FROZEN = { settleMs: 1000, tries: 5 }

/** The move whose containers are compared. */
export interface ComparedMove {
  readonly plan: PlanDefinition
  /** JSON pointer of the member that keeps the old id. */
  readonly keepIdIn?: string
}

/**
 * The comparisons of both directions. Both compare the same containers: only what counts as wrong differs. `onProgress`
 * is called with undefined at the end of a comparison.
 */
export function comparisonOf(
  { plan, keepIdIn }: ComparedMove,
  from: OpenMoveContainer,
  to: OpenMoveContainer,
  onProgress: (progress: CompareProgress | undefined) => void
): Readonly<Record<Direction, CompareContainers>> {
  const compare =
    (direction: Direction): CompareContainers =>
    async (signal, isFrozen) => {
      const verification = createVerification({
        source: from,
        target: to,
        plan,
        keepIdIn,
        signal,
        onProgress,
        ...(isFrozen ? FROZEN : RUNNING)
      })
      const { isEqual, differences, unsettled, isComplete } = await verification
        .compare()
        .finally(() => onProgress(undefined))
      // documents of the target without the fields of the old key are no copies: only a user can decide about them
      const foreign = differences.filter(({ identity, planned }) => identity.key.length === 0 && planned === undefined)
      const ours = differences.filter((each) => !foreign.includes(each))
      return {
        isEqual,
        // a comparison that ended early says nothing about the rest
        unsettled: unsettled.length + foreign.length + (isComplete ? 0 : 1),
        disagreements: ours.flatMap((each) => toDisagreements(each, direction)),
        isComplete,
        remaining: async () => {
          const remaining = await verification.recheck(ours, direction === 'forward' ? 'source' : 'target')
          return remaining.flatMap((each) => toDisagreements(each, direction))
        }
      }
    }
  return { forward: compare('forward'), back: compare('back') }
}

/**
 * A difference as a disagreement of one direction. On the way back, the target is in charge: what it lacks is deleted in
 * the source, and what it has is copied there.
 */
function toDisagreements(
  { identity, source, copy, planned, places }: Difference,
  direction: Direction
): readonly Disagreement[] {
  if (direction === 'forward') return [{ identity, places }]
  const inCharge = [copy?.place, planned].filter((place) => place !== undefined)
  return inCharge.map((place) => ({ identity: place, places: source === undefined ? [] : [source.place] }))
}
