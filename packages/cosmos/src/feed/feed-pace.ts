import { type Clock, waitFor } from '@keystamp/core/internal'
import { PageSizer } from '../budget/page-sizer.ts'
import { LocalRuBudget, type RuBudget, UNLIMITED } from '../budget/ru-budget.ts'
import type { Throughput } from '../budget/throughput-share.ts'
import type { ContainerRange } from '../client/container.ts'

/** Keeps the reads of one container within its share of the throughput, evenly over time and physical partitions. */
export class FeedPace {
  readonly #throughput: Pick<Throughput, 'ruPerSecond'> | undefined
  readonly #clock: Clock
  readonly #paces = new Map<string, RangePace>()

  constructor(throughput: Pick<Throughput, 'ruPerSecond'> | undefined, clock: Clock) {
    this.#throughput = throughput
    this.#clock = clock
  }

  /** Pace of a physical partition. `count`: number of physical partitions. */
  of({ id, throughputFraction }: ContainerRange, count: number): RangePace {
    const ruPerSecond = this.#throughput?.ruPerSecond
    const own = ruPerSecond === undefined ? undefined : ruPerSecond * (throughputFraction ?? 1 / count)
    const known = this.#paces.get(id)
    const pace = known ?? new RangePace(own, this.#clock)
    if (known === undefined) this.#paces.set(id, pace)
    else pace.use(own)
    return pace
  }

  /** Forgets physical partitions that no longer exist. */
  keep(ranges: readonly ContainerRange[]): void {
    for (const id of this.#paces.keys()) if (!ranges.some((range) => range.id === id)) this.#paces.delete(id)
  }
}

/** Part of the RU of a second that a page should cost at most. */
const PAGE_PART = 0.1

/** Documents of the largest page that a caller can request. */
const MAX_PAGE = 1000

/** Pace of the reads of one physical partition. */
export class RangePace {
  /** Sizes of the pages by feed, whose changes have different charges. */
  readonly sizers: { readonly latest: PageSizer; readonly versions: PageSizer }
  readonly #clock: Clock
  #ruPerSecond: number | undefined
  #budget: RuBudget

  /** `ruPerSecond`: undefined if nothing limits the reads. */
  constructor(ruPerSecond: number | undefined, clock: Clock) {
    this.#clock = clock
    this.#ruPerSecond = ruPerSecond
    this.#budget = budgetOf(ruPerSecond, clock)
    const pageRu = pageRuOf(ruPerSecond)
    this.sizers = { latest: new PageSizer(pageRu, MAX_PAGE), versions: new PageSizer(pageRu, MAX_PAGE) }
  }

  /** Uses another budget from now on. The sizes of pages remain as far as they fit. */
  use(ruPerSecond: number | undefined): void {
    if (ruPerSecond === this.#ruPerSecond) return
    this.#ruPerSecond = ruPerSecond
    this.#budget = budgetOf(ruPerSecond, this.#clock)
    for (const sizer of [this.sizers.latest, this.sizers.versions]) sizer.retarget(pageRuOf(ruPerSecond))
  }

  /** Waits until the expected charge fits, and takes it. */
  async take(expectedRu: number, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const nowMs = this.#clock.now()
      const waitMs = this.#budget.waitMs(nowMs, expectedRu)
      if (waitMs <= 0) return this.#budget.pay(nowMs, expectedRu)
      await waitFor(waitMs, this.#clock, signal)
    }
  }

  /** Replaces the expected charge with that of the answer. */
  correct(expectedRu: number, chargeRu: number): void {
    this.#budget.correct(this.#clock.now(), expectedRu - chargeRu)
  }
}

function budgetOf(ruPerSecond: number | undefined, clock: Clock): RuBudget {
  return ruPerSecond === undefined ? UNLIMITED : new LocalRuBudget(ruPerSecond, clock.now())
}

function pageRuOf(ruPerSecond: number | undefined): number {
  return ruPerSecond === undefined ? Number.POSITIVE_INFINITY : ruPerSecond * PAGE_PART
}
