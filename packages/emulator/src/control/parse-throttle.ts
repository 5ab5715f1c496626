import type { ThrottleOptions } from '../charge/throttle-options.ts'
import { isObject, refuseUnless } from '../store/checks.ts'

/** Reads throttle options: true is the defaults, false is off. */
export function parseThrottle(value: unknown): ThrottleOptions | undefined {
  if (value === true) return {}
  if (value === false || value === null || value === undefined) return undefined
  refuseUnless(isObject(value), 'Throttling is true, false, or an object of options.')
  for (const [name, option] of Object.entries(value)) {
    refuseUnless(Object.hasOwn(CHECKS, name), `Throttling has no option '${name}'. It knows ${Object.keys(CHECKS).join(', ')}.`)
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
  buckets: (value) => isObject(value) && Object.entries(value).every(([id, percent]) => /^[1-5]$/.test(id) && isCount(percent))
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
