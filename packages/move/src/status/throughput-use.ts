import type { OpenMoveContainer } from '../containers/open-container.ts'

/** Counters of a container at one moment. */
interface Sample {
  readonly atMs: number
  readonly pacedMs: number
  readonly throttled: number
  /** RU of writes by range. */
  readonly writtenRu: ReadonlyMap<string, number>
}

/** Limit of the requests of a move to one container. */
export type ThroughputLimit = 'share' | 'throttling'

const WINDOW_MS = 10_000
/** Part of the time in which reads wait for their share, and part of the share that writes use, from which on it limits. */
const MIN_TIME_SHARE = 0.5
const MIN_RU_SHARE = 0.9

/** Finds out whether the share of a container limits a move, from the counters of the last ten seconds. */
export class ThroughputUse {
  readonly #container: Pick<OpenMoveContainer, 'stats'>
  #samples: readonly Sample[] = []

  constructor(container: Pick<OpenMoveContainer, 'stats'>) {
    this.#container = container
  }

  /** Must be called about twice a second. Returns undefined if nothing limits, and in the first seconds. */
  look(nowMs: number): ThroughputLimit | undefined {
    const { reads, writes } = this.#container.stats()
    const now: Sample = {
      atMs: nowMs,
      pacedMs: reads.pacedMs,
      throttled: reads.throttled + (writes?.throttledOperations ?? 0),
      writtenRu: new Map(writes?.ranges.map(({ id, chargedRu }) => [id, chargedRu]))
    }
    this.#samples = [...this.#samples.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS), now]
    const [first] = this.#samples
    const ms = nowMs - first.atMs
    if (ms < WINDOW_MS / 2) return undefined
    if (now.throttled > first.throttled) return 'throttling'
    if (now.pacedMs - first.pacedMs >= MIN_TIME_SHARE * ms) return 'share'
    if (writes?.budgetRuPerSecond === undefined) return undefined
    const mostRu = (MIN_RU_SHARE * (writes.budgetRuPerSecond * ms)) / 1000 / writes.ranges.length
    const isUsed = writes.ranges.some(
      ({ id, chargedRu }) => chargedRu - (first.writtenRu.get(id) ?? chargedRu) >= mostRu
    )
    return isUsed ? 'share' : undefined
  }
}
