import type { Clock } from '@keystamp/core/internal'
import type { OpenMoveContainer } from './open-container.ts'

/** Reduces what a move uses of two containers while Cosmos DB throttles it: the application needs the throughput. */
export interface ShareControl {
  /** Part of the shares that is used, at most 1. */
  readonly part: () => number
  /** Must be called about twice a second. */
  readonly adjust: () => void
}

const MIN_PART = 1 / 32
/** Time without throttling after which the part grows again. */
const RECOVERY_MS = 5000
const GROWTH = 1.5

/** Creates a share control. A throttled answer halves the part, at most once a second. */
export function createShareControl(
  containers: readonly Pick<OpenMoveContainer, 'stats' | 'usePart'>[],
  clock: Clock
): ShareControl {
  let part = 1
  let seen = 0
  let changedMs = clock.now()
  return {
    part: () => part,
    adjust: () => {
      const throttled = containers.reduce((sum, container) => sum + throttledIn(container), 0)
      const isThrottled = throttled > seen
      seen = throttled
      const sinceMs = clock.now() - changedMs
      if (isThrottled && sinceMs >= 1000) use(Math.max(MIN_PART, part / 2))
      else if (!isThrottled && part < 1 && sinceMs >= RECOVERY_MS) use(Math.min(1, part * GROWTH))
    }
  }

  function use(next: number): void {
    part = next
    changedMs = clock.now()
    for (const container of containers) container.usePart(part)
  }
}

function throttledIn({ stats }: Pick<OpenMoveContainer, 'stats'>): number {
  const { reads, writes } = stats()
  return reads.throttled + (writes?.throttledOperations ?? 0)
}
