import { isObject, refuseUnless } from '../service-error.ts'

/** How RU are counted in a second, and how throttled requests are answered. */
export interface ThrottleOptions {
  /**
   * `tumbling`: the budget is reset at each second of the clock. `token-bucket`: it refills evenly. Default:
   * `tumbling`.
   */
  readonly window?: 'tumbling' | 'token-bucket'
  /** Admit an operation while any budget is left, even when it costs more. Default: true. */
  readonly overdraw?: boolean
  /** Whether a deficit is carried to the next second; a token bucket always carries it. Default: `forgiven`. */
  readonly debt?: 'forgiven' | 'carried'
  /** Default: `window`, the rest of the second. */
  readonly retryAfter?: RetryAfterPolicy
  /** Whether a throttled bulk answers 207 with a 429 per operation, or 429 as a whole. Default: `operation`. */
  readonly bulk?: 'operation' | 'request'
  /** RU/s of the account for metadata requests; 0 is no limit. Default: 240. */
  readonly metadataRuPerSecond?: number
  /** Ranges below 3,000 RU/s save up to 300 s of idle RU and spend them at 3,000 RU/s. Default: false. */
  readonly burst?: boolean
  /** Refuse requests of low priority while less than a third of a range's second is left. Default: false. */
  readonly priority?: boolean
  /** Throughput buckets: percent of a range's RU/s by bucket id, 1 to 5. Default: none. */
  readonly buckets?: Readonly<Record<number, number>>
}

/** The retry-after of a throttled request. */
export type RetryAfterPolicy =
  | 'window'
  | 'overdraft'
  | 'long-tail'
  | { readonly fixedMs: number }
  | { readonly cappedMs: number }

/** Parses throttle options: true means the defaults, false means no throttling. */
export function parseThrottle(value: unknown): ThrottleOptions | undefined {
  if (value === true) return {}
  if (value === false || value === null || value === undefined) return undefined
  refuseUnless(isObject(value), 'Throttling is true, false, or an object of options.')
  for (const [name, option] of Object.entries(value)) {
    refuseUnless(
      Object.hasOwn(CHECKS, name),
      `Throttling has no option '${name}'. It knows ${Object.keys(CHECKS).join(', ')}.`
    )
    refuseUnless(CHECKS[name](option), `The throttle option '${name}' cannot be ${JSON.stringify(option)}.`)
  }
  return value
}

const CHECKS: Readonly<Record<string, (value: unknown) => boolean>> = {
  window: (value) => value === 'tumbling' || value === 'token-bucket',
  overdraw: isBoolean,
  debt: (value) => value === 'forgiven' || value === 'carried',
  retryAfter: isRetryAfter,
  bulk: (value) => value === 'operation' || value === 'request',
  metadataRuPerSecond: isCount,
  burst: isBoolean,
  priority: isBoolean,
  buckets: (value) =>
    isObject(value) && Object.entries(value).every(([id, percent]) => /^[1-5]$/.test(id) && isCount(percent))
}

function isRetryAfter(value: unknown): boolean {
  if (value === 'window' || value === 'overdraft' || value === 'long-tail') return true
  return isObject(value) && (isCount(value['fixedMs']) || isCount(value['cappedMs']))
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
}
