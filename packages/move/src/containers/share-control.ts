import type { Clock } from '@keystamp/core/internal'
import type { OpenMoveContainer } from './open-container.ts'

/**
 * Reduces the throughput that a move uses of two containers, while the container in charge throttles its reads: the
 * application needs that throughput. Throttled writes do not count: the writer itself keeps its share.
 */
export interface ShareControl {
  /** Part of the shares that throttling leaves, at most 1. */
  readonly part: () => number
  /** Must be called about twice a second. */
  readonly adjust: () => void
}

const MIN_PART = 1 / 32
/** Time without throttling after which the part grows again. */
const RECOVERY_MS = 5000
const GROWTH = 1.5

type Container = Pick<OpenMoveContainer, 'stats' | 'usePart'>

/**
 * Creates a share control. A throttled read of the container in charge halves the part, at most once a second.
 * `inCharge`: the container that the application uses. `ownPart`: the part of this process, if others use the rest.
 */
export function createShareControl(
  containers: readonly Container[],
  inCharge: () => Container,
  clock: Clock,
  ownPart: () => number = () => 1
): ShareControl {
  let part = 1
  let used = 1
  /** Throttled reads so far. */
  const seen = new Map<Container, number>()
  let changedMs = clock.now()
  return {
    part: () => part,
    adjust: () => {
      const container = inCharge()
      const { throttled } = container.stats().reads
      const isThrottled = throttled > (seen.get(container) ?? 0)
      seen.set(container, throttled)
      const sinceMs = clock.now() - changedMs
      if (isThrottled && sinceMs >= 1000) use(Math.max(MIN_PART, part / 2))
      else if (!isThrottled && part < 1 && sinceMs >= RECOVERY_MS) use(Math.min(1, part * GROWTH))
      else apply()
    }
  }

  function use(next: number): void {
    part = next
    changedMs = clock.now()
    apply()
  }

  function apply(): void {
    const next = part * ownPart()
    if (next === used) return
    used = next
    for (const container of containers) container.usePart(used)
  }
}
