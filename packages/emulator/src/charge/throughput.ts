import { isObject, refuseUnless } from '../service-error.ts'

/** Provisioned throughput: a fixed rate, or the maximum of autoscale. */
export interface Throughput {
  readonly mode: 'manual' | 'autoscale'
  /** Provisioned RU/s, or the maximum of autoscale. */
  readonly ruPerSecond: number
  /** Percent by which the maximum of autoscale rises with storage; stored and returned, without effect here. */
  readonly upgradePercent?: number
}

const MIN_MANUAL = 400
const MIN_AUTOSCALE = 1000
/** Maximum RU/s of a database or container. */
export const MAX_RU = 1_000_000

/** Reads the two throughput headers of a create; undefined without both. */
export function parseThroughputHeaders(
  manual: string | undefined,
  autoscale: string | undefined
): Throughput | undefined {
  refuseUnless(
    manual === undefined || autoscale === undefined,
    'Name either a manual throughput or an autoscale maximum, not both.'
  )
  if (manual !== undefined) return checkManual(Number(manual))
  if (autoscale === undefined) return undefined
  let settings: unknown
  try {
    settings = JSON.parse(autoscale)
  } catch {
    settings = undefined
  }
  refuseUnless(isObject(settings), "The header 'x-ms-cosmos-offer-autopilot-settings' must be a JSON object.")
  return checkAutoscale(settings)
}

/** Reads the `content` of an offer that replaces another. */
export function parseOfferContent(
  content: unknown,
  current: Throughput,
  migrateTo: 'manual' | 'autoscale' | undefined
): Throughput {
  refuseUnless(isObject(content), "The property 'content' of the offer is missing.")
  const settings = content['offerAutopilotSettings']
  if (migrateTo === 'manual') return { mode: 'manual', ruPerSecond: Math.max(MIN_MANUAL, current.ruPerSecond) }
  if (migrateTo === 'autoscale')
    return { mode: 'autoscale', ruPerSecond: Math.max(MIN_AUTOSCALE, Math.ceil(current.ruPerSecond / 1000) * 1000) }
  if (isObject(settings)) {
    refuseUnless(current.mode === 'autoscale', 'The offer is manual: it cannot take autoscale settings.')
    return checkAutoscale(settings)
  }
  refuseUnless(current.mode === 'manual', "The offer is autoscale: name 'offerAutopilotSettings.maxThroughput'.")
  return checkManual(content['offerThroughput'])
}

/** Number of ranges of a new container with this throughput. */
export function initialRangeCount(throughput: Throughput, isShared: boolean): number {
  const perRange = throughput.mode === 'autoscale' || isShared ? MAX_RANGE_RU : 6000
  return Math.max(1, Math.ceil(throughput.ruPerSecond / perRange))
}

/** Maximum RU/s of a range; more throughput needs more ranges. */
export const MAX_RANGE_RU = 10_000

/** The RU/s of this mode are a multiple of this number. */
export function throughputStep({ mode }: Throughput): number {
  return mode === 'manual' ? MANUAL_STEP : AUTOSCALE_STEP
}

const MANUAL_STEP = 100
const AUTOSCALE_STEP = 1000

/** The lowest throughput that a resource may be set to. */
export function minimumThroughput(current: Throughput, highestEver: number): number {
  if (current.mode === 'autoscale') return Math.max(MIN_AUTOSCALE, Math.ceil(highestEver / 10 / 1000) * 1000)
  return Math.max(MIN_MANUAL, Math.ceil(highestEver / 100 / 100) * 100)
}

function checkManual(ru: unknown): Throughput {
  refuseBelow(ru, MIN_MANUAL)
  const isValid = typeof ru === 'number' && Number.isInteger(ru) && ru <= MAX_RU && ru % MANUAL_STEP === 0
  refuseUnless(isValid, `The offer throughput must be a multiple of 100 from ${MIN_MANUAL} to ${MAX_RU}.`)
  return { mode: 'manual', ruPerSecond: ru }
}

function refuseBelow(ru: unknown, minimum: number): void {
  const isEnough = typeof ru !== 'number' || !(ru < minimum)
  refuseUnless(
    isEnough,
    `The offer should have valid throughput values between ${minimum} and ${MAX_RU}. Requested throughput ${String(ru)} is less than required minimum throughput ${minimum}.`
  )
}

function checkAutoscale(settings: Record<string, unknown>): Throughput {
  const max = settings['maxThroughput']
  refuseBelow(max, MIN_AUTOSCALE)
  const isValid = typeof max === 'number' && Number.isInteger(max) && max <= MAX_RU && max % AUTOSCALE_STEP === 0
  refuseUnless(isValid, `The autoscale maximum must be a multiple of 1000 from ${MIN_AUTOSCALE} to ${MAX_RU}.`)
  const upgradePercent = upgradePercentOf(settings['autoUpgradePolicy'])
  return { mode: 'autoscale', ruPerSecond: max, ...(upgradePercent === undefined ? {} : { upgradePercent }) }
}

function upgradePercentOf(policy: unknown): number | undefined {
  const throughputPolicy = isObject(policy) ? policy['throughputPolicy'] : undefined
  const percent = isObject(throughputPolicy) ? throughputPolicy['incrementPercent'] : undefined
  if (percent === undefined || percent === null) return undefined
  const isValid = typeof percent === 'number' && Number.isInteger(percent) && percent >= 0 && percent <= 100
  refuseUnless(
    isValid,
    "The property 'autoUpgradePolicy.throughputPolicy.incrementPercent' must be a whole number from 0 to 100."
  )
  return percent
}
