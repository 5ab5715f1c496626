import { type KeyDefinition, partitionHash } from '@keystamp/core'
import type { Clock } from '@keystamp/core/internal'
import type { ContainerRange } from '../client/container.ts'
import { explainThrottling, type HeaviestKey, type ThrottledRange } from './throttled-range.ts'

type KeyValues = Parameters<typeof partitionHash>[0]

/** The queue of a range, as far as the watch needs it. */
export interface WatchedLane {
  readonly range: ContainerRange
  readonly counts: { readonly chargedRu: number }
  /** True while the watch counts the keys of this range. */
  isWatched: boolean
}

/** An operation that was charged. */
interface ChargedOperation {
  readonly values: KeyValues
  readonly definition: KeyDefinition
  /** Beginning of the effective partition key, as a number. */
  readonly head: number
}

export interface ThrottleWatchOptions {
  readonly clock: Clock
  readonly lanes: () => readonly WatchedLane[]
  /** Provisioned RU/s of the container; undefined if unknown. */
  readonly provisionedRuPerSecond: () => number | undefined
  readonly onThrottled: ((throttled: ThrottledRange) => void) | undefined
}

const MIN_WINDOW_MS = 1000
const MAX_WINDOW_MS = 5000
/** Operations that must have been charged in a range before its heaviest key means something. */
const MIN_OPERATIONS = 50
const KEPT_MS = 10_000

/** Finds out why ranges are throttled. Keys are counted only in ranges that were throttled in the last seconds. */
export class ThrottleWatch {
  readonly #options: ThrottleWatchOptions
  readonly #found: Map<string, { readonly atMs: number; readonly throttled: ThrottledRange }> = new Map()
  #window: Window | undefined

  constructor(options: ThrottleWatchOptions) {
    this.#options = options
  }

  /** Must be called when operations of a range were throttled. */
  throttled(lane: WatchedLane): void {
    const nowMs = this.#options.clock.now()
    this.#window ??= new Window(nowMs, this.#options.lanes())
    this.#window.usageOf(lane).isThrottled = true
    this.#closeIfDue(nowMs)
  }

  /** Must be called with the charges of a range while `isWatched` is true. */
  charged(
    lane: WatchedLane,
    operations: readonly ChargedOperation[],
    chargesRu: readonly (number | undefined)[]
  ): void {
    const usage = this.#window?.usageOf(lane)
    if (usage === undefined) return
    for (let index = 0; index < chargesRu.length; index++) {
      const chargeRu = chargesRu[index]
      if (chargeRu !== undefined) usage.add(operations[index], chargeRu)
    }
    this.#closeIfDue(this.#options.clock.now())
  }

  /** The ranges that were throttled in the last ten seconds, with the reason. */
  get current(): readonly ThrottledRange[] {
    const nowMs = this.#options.clock.now()
    for (const [id, { atMs }] of this.#found) if (nowMs - atMs > KEPT_MS) this.#found.delete(id)
    return [...this.#found.values()].map(({ throttled }) => throttled)
  }

  #closeIfDue(nowMs: number): void {
    const window = this.#window
    if (window === undefined) return
    const ageMs = nowMs - window.startMs
    if (ageMs < MIN_WINDOW_MS || (ageMs < MAX_WINDOW_MS && !window.isTelling)) return
    this.#window = undefined
    const lanes = this.#options.lanes()
    const next = new Window(nowMs, lanes)
    for (const [lane, usage] of window.usages) {
      lane.isWatched = usage.isThrottled && lanes.includes(lane)
      if (!lane.isWatched) continue
      this.#explain(window, lane, usage, ageMs / 1000)
      // stays in the next window, which ends its watch if the range is not throttled again
      next.usageOf(lane)
      this.#window = next
    }
  }

  #explain(window: Window, lane: WatchedLane, usage: RangeUsage, seconds: number): void {
    const { lanes, provisionedRuPerSecond, clock, onThrottled } = this.#options
    const all = lanes()
    const rateOf = (one: WatchedLane): number => window.chargedRu(one) / seconds
    const throttled = explainThrottling({
      range: lane.range.id,
      fraction: lane.range.throughputFraction ?? 1 / all.length,
      ruPerSecond: rateOf(lane),
      containerRuPerSecond: all.reduce((sum, one) => sum + rateOf(one), 0),
      provisionedRuPerSecond: provisionedRuPerSecond(),
      heaviestKey: usage.heaviestKey
    })
    if (throttled === undefined) return
    this.#found.set(lane.range.id, { atMs: clock.now(), throttled })
    onThrottled?.(throttled)
  }
}

/** A time of one to five seconds in which ranges were throttled. */
class Window {
  readonly startMs: number
  readonly usages: Map<WatchedLane, RangeUsage> = new Map()
  readonly #before: ReadonlyMap<WatchedLane, number>

  constructor(startMs: number, lanes: readonly WatchedLane[]) {
    this.startMs = startMs
    this.#before = new Map(lanes.map((lane) => [lane, lane.counts.chargedRu]))
  }

  /** Whether enough operations were seen in each throttled range. */
  get isTelling(): boolean {
    for (const usage of this.usages.values()) if (usage.isThrottled && usage.operations < MIN_OPERATIONS) return false
    return true
  }

  /** RU that were charged in a range since the start; a range that is new since then began with 0. */
  chargedRu(lane: WatchedLane): number {
    return lane.counts.chargedRu - (this.#before.get(lane) ?? 0)
  }

  /** The usage of a range, which is watched from the first call on. */
  usageOf(lane: WatchedLane): RangeUsage {
    let usage = this.usages.get(lane)
    if (usage === undefined) {
      this.usages.set(lane, (usage = new RangeUsage()))
      lane.isWatched = true
    }
    return usage
  }
}

/** Keys in memory. A key with a large share is among the first. */
const MAX_KEYS = 512

/** Charges of a range by key. */
class RangeUsage {
  isThrottled = false
  operations = 0
  #totalRu = 0
  readonly #byKey: Map<number | string, { ru: number; readonly operation: ChargedOperation }> = new Map()

  add(operation: ChargedOperation, chargeRu: number): void {
    this.operations++
    this.#totalRu += chargeRu
    // the head of a hierarchical key is that of its first level only
    const key = operation.values.length === 1 ? operation.head : JSON.stringify(operation.values)
    const known = this.#byKey.get(key)
    if (known !== undefined) known.ru += chargeRu
    else if (this.#byKey.size < MAX_KEYS) this.#byKey.set(key, { ru: chargeRu, operation })
  }

  get heaviestKey(): HeaviestKey | undefined {
    if (this.operations < MIN_OPERATIONS || this.#totalRu === 0) return undefined
    const [first, ...others] = this.#byKey.values()
    const heaviest = others.reduce((top, one) => (one.ru > top.ru ? one : top), first)
    const { values, definition } = heaviest.operation
    return { hash: partitionHash(values, definition), share: heaviest.ru / this.#totalRu }
  }
}
