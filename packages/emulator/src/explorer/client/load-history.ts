import type { LiveContainer, LiveRange } from '../live-report.ts'

/** Seconds that the page remembers. The emulator remembers two minutes, so more is known only while the page is open. */
export const KEPT_SECONDS = 600

/** The load of one range by second. */
export class RangeHistory {
  readonly range: LiveRange
  provisioned = 0
  /** Undefined until a split or merge replaces the range: the first second without it. */
  goneSince: number | undefined = undefined
  readonly #stamps: Int32Array = new Int32Array(KEPT_SECONDS)
  readonly #used: Float32Array = new Float32Array(KEPT_SECONDS)
  readonly #provisioned: Float32Array = new Float32Array(KEPT_SECONDS)
  readonly #throttled: Uint32Array = new Uint32Array(KEPT_SECONDS)

  constructor(range: LiveRange) {
    this.range = range
  }

  set(second: number, usedRu: number, throttled: number): void {
    const at = second % KEPT_SECONDS
    // a rate that changes later must not change the share of an earlier second
    if (this.#stamps[at] !== second) this.#provisioned[at] = this.provisioned
    this.#stamps[at] = second
    this.#used[at] = usedRu
    this.#throttled[at] = throttled
  }

  usedRu(second: number): number {
    return this.#has(second) ? this.#used[second % KEPT_SECONDS] : 0
  }

  /** Used share of the provisioned RU; above 1 when the budget was overdrawn. */
  usedShare(second: number): number {
    if (!this.#has(second)) return 0
    const provisioned = this.#provisioned[second % KEPT_SECONDS]
    return provisioned === 0 ? 0 : this.#used[second % KEPT_SECONDS] / provisioned
  }

  /** Operations and requests that were refused with 429. */
  throttled(second: number): number {
    return this.#has(second) ? this.#throttled[second % KEPT_SECONDS] : 0
  }

  #has(second: number): boolean {
    return this.#stamps[second % KEPT_SECONDS] === second
  }
}

/** The load of a container: its present ranges, and those that splits and merges replaced. */
export class LoadHistory {
  #rid = ''
  #revision = -1
  #live: RangeHistory[] = []
  #gone: RangeHistory[] = []
  #lastSecond = 0

  /** Ranges in the order of the hash space. */
  get live(): readonly RangeHistory[] {
    return this.#live
  }

  /** Replaced ranges whose load is still in the history. */
  get gone(): readonly RangeHistory[] {
    return this.#gone
  }

  /** The newest second; its load is not complete. */
  get lastSecond(): number {
    return this.#lastSecond
  }

  /** Container and revision whose ranges the next report leaves out. */
  get known(): string {
    return `${this.#rid}/${this.#revision}`
  }

  /** The first second whose load may have changed since the last report. */
  get since(): number {
    return this.#lastSecond - 1
  }

  apply(container: LiveContainer, nowMs: number): void {
    const second = Math.floor(nowMs / 1000)
    if (container.rid !== this.#rid) {
      this.#live = []
      this.#gone = []
    }
    this.#rid = container.rid
    this.#revision = container.revision
    if (container.ranges !== undefined) this.#replaceRanges(container.ranges, second)
    this.#lastSecond = second
    for (const [index, provisioned] of container.provisioned.entries()) this.#live[index].provisioned = provisioned
    for (const [index, at, usedRu, throttled] of container.seconds) this.#live[index].set(at, usedRu, throttled)
  }

  #replaceRanges(ranges: readonly LiveRange[], second: number): void {
    const known = new Map(this.#live.map((history) => [history.range.id, history]))
    this.#live = ranges.map((range) => known.get(range.id) ?? new RangeHistory(range))
    for (const history of this.#live) known.delete(history.range.id)
    for (const history of known.values()) history.goneSince = second
    this.#gone = [...this.#gone, ...known.values()].filter(({ goneSince = 0 }) => second - goneSince < KEPT_SECONDS)
  }
}
