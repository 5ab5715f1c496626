import { Budget } from './budget.ts'
import type { RetryAfterPolicy, ThrottleOptions } from './throttle-options.ts'

/** Usage of a range in one second. */
export interface UsageSecond {
  second: number
  usedRu: number
  refusedRu: number
  operations: number
  throttledOperations: number
  throttledRequests: number
}

/** Counts the RU that a range used and refused: in total, and for each of the last 120 seconds. */
export class RangeUsage {
  readonly total: UsageSecond = emptySecond(0)
  readonly #recent: UsageSecond[] = []
  #current: UsageSecond = this.total

  used(nowMs: number, chargeRu: number, operations: number): void {
    const second = this.#at(nowMs)
    second.usedRu += chargeRu
    second.operations += operations
    this.total.usedRu += chargeRu
    this.total.operations += operations
  }

  refused(nowMs: number, chargeRu: number): void {
    const second = this.#at(nowMs)
    second.refusedRu += chargeRu
    second.throttledOperations += 1
    this.total.refusedRu += chargeRu
    this.total.throttledOperations += 1
  }

  refusedRequest(nowMs: number): void {
    this.#at(nowMs).throttledRequests += 1
    this.total.throttledRequests += 1
  }

  recent(): readonly UsageSecond[] {
    return this.#recent
  }

  #at(nowMs: number): UsageSecond {
    const second = Math.floor(nowMs / 1000)
    if (this.#current.second === second && this.#recent.length > 0) return this.#current
    this.#current = emptySecond(second)
    this.#recent.push(this.#current)
    if (this.#recent.length > KEPT_SECONDS) this.#recent.shift()
    return this.#current
  }
}

const KEPT_SECONDS = 120

function emptySecond(second: number): UsageSecond {
  return { second, usedRu: 0, refusedRu: 0, operations: 0, throttledOperations: 0, throttledRequests: 0 }
}

/** The parts of a range that the meter uses. */
interface MeteredRange {
  readonly usage: RangeUsage
  /** Undefined until its container has throughput. */
  readonly budget: Budget | undefined
}

/** Reason why an operation may not run now. */
interface Throttled {
  readonly subStatus: number
  readonly retryAfterMs: number
}

/** Properties of a request that matter for throttling. */
export interface RequestTraits {
  readonly isLowPriority: boolean
  /** Id of the throughput bucket that the request names, 1 to 5. */
  readonly bucket: number | undefined
  /** The request was admitted as a whole: its operations are charged and never refused. */
  readonly isAdmitted: boolean
}

/** Counts the RU that ranges use and, when throttling is on, refuses operations beyond their budgets. */
export class Meter {
  readonly #random: () => number
  readonly #buckets: WeakMap<MeteredRange, Map<number, Budget>> = new WeakMap()
  #options: ThrottleOptions | undefined
  #metadata: Budget | undefined = undefined

  constructor(options: ThrottleOptions | undefined, random: () => number) {
    this.#options = options
    this.#random = random
  }

  get options(): ThrottleOptions | undefined {
    return this.#options
  }

  /** Turns throttling on or off, or changes its options; the caller has to assign new budgets. */
  change(options: ThrottleOptions | undefined): void {
    this.#options = options
    this.#metadata = undefined
  }

  /** A new budget under the current options. */
  budget(ruPerSecond: number, nowMs: number): Budget {
    return new Budget(ruPerSecond, this.#options ?? {}, nowMs)
  }

  /** Charges an operation, or returns why it cannot run. */
  pay(range: MeteredRange, nowMs: number, chargeRu: number, traits: RequestTraits): Throttled | undefined {
    const options = this.#options
    if (options !== undefined) {
      const throttled =
        this.#payBucket(options, range, nowMs, chargeRu, traits) ??
        this.#payRange(options, range, nowMs, chargeRu, traits)
      if (throttled !== undefined) {
        range.usage.refused(nowMs, chargeRu)
        return throttled
      }
    }
    range.usage.used(nowMs, chargeRu, 1)
    return undefined
  }

  /** Admits a whole request to a range, or returns why it cannot run; its operations are charged later. */
  admit(range: MeteredRange, nowMs: number, traits: RequestTraits): Throttled | undefined {
    const throttled = this.#options === undefined ? undefined : this.#payRange(this.#options, range, nowMs, 0, traits)
    if (throttled !== undefined) range.usage.refusedRequest(nowMs)
    return throttled
  }

  /** Charges a metadata request to the account's budget for metadata. */
  payMetadata(nowMs: number, chargeRu: number): Throttled | undefined {
    const ruPerSecond = this.#options === undefined ? 0 : (this.#options.metadataRuPerSecond ?? DEFAULT_METADATA_RU)
    if (ruPerSecond === 0) return undefined
    this.#metadata ??= new Budget(ruPerSecond, {}, nowMs)
    if (this.#metadata.take(nowMs, chargeRu, false)) return undefined
    return { subStatus: 3210, retryAfterMs: this.#metadata.waitMs(nowMs) }
  }

  #payRange(
    options: ThrottleOptions,
    range: MeteredRange,
    nowMs: number,
    chargeRu: number,
    traits: RequestTraits
  ): Throttled | undefined {
    const { budget } = range
    if (budget !== undefined && traits.isAdmitted) budget.force(nowMs, chargeRu)
    if (traits.isAdmitted) return undefined
    if (budget === undefined || budget.take(nowMs, chargeRu, traits.isLowPriority)) return undefined
    return { subStatus: 3200, retryAfterMs: retryAfterMs(budget, options.retryAfter ?? 'window', nowMs, this.#random) }
  }

  #payBucket(
    options: ThrottleOptions,
    range: MeteredRange,
    nowMs: number,
    chargeRu: number,
    traits: RequestTraits
  ): Throttled | undefined {
    const percent = traits.bucket === undefined ? undefined : options.buckets?.[traits.bucket]
    if (percent === undefined || range.budget === undefined) return undefined
    const budgets = this.#buckets.get(range) ?? new Map<number, Budget>()
    this.#buckets.set(range, budgets)
    const ruPerSecond = (range.budget.ruPerSecond * percent) / 100
    const budget = budgets.get(traits.bucket!) ?? this.budget(ruPerSecond, nowMs)
    budgets.set(traits.bucket!, budget)
    if (budget.ruPerSecond !== ruPerSecond) budget.resize(ruPerSecond, nowMs)
    return budget.take(nowMs, chargeRu, false) ? undefined : { subStatus: 3212, retryAfterMs: budget.waitMs(nowMs) }
  }
}

const DEFAULT_METADATA_RU = 240

const LONG_TAIL_MS = 2000
const LONG_TAIL_SHARE = 0.05

/** The retry-after of a throttled request, in milliseconds. */
function retryAfterMs(budget: Budget, policy: RetryAfterPolicy, nowMs: number, random: () => number): number {
  if (policy === 'window') return budget.waitMs(nowMs)
  if (policy === 'overdraft') return budget.overdraftMs()
  if (policy === 'long-tail') return random() < LONG_TAIL_SHARE ? LONG_TAIL_MS : budget.waitMs(nowMs)
  return 'fixedMs' in policy ? policy.fixedMs : Math.min(policy.cappedMs, budget.waitMs(nowMs))
}
