/**
 * Why a physical partition is throttled, in the words of `keystamp xray`. `hot-key`: one key takes at least half of its
 * limit. `many-keys-in-one-range`: several keys load it more than the other physical partitions. `container-full`: the
 * load is even, and exceeds the throughput. `other-clients`: this writer uses less than half of its limit.
 */
export type ThrottleReason = 'hot-key' | 'many-keys-in-one-range' | 'container-full' | 'other-clients'

/** A physical partition that throttled the writer, with the reason. All numbers are those of this writer. */
export interface ThrottledRange {
  readonly range: string
  readonly reason: ThrottleReason
  /** RU/s that the writer used of the physical partition. */
  readonly ruPerSecond: number
  /** RU/s that the physical partition can serve; undefined if the provisioned throughput is unknown. */
  readonly limitRuPerSecond: number | undefined
  /** RU/s that the writer used of all physical partitions. */
  readonly containerRuPerSecond: number
  /** Provisioned RU/s of the container; undefined if unknown. */
  readonly provisionedRuPerSecond: number | undefined
  /** The heaviest key of the physical partition: its hash, and its share of the RU; undefined if too few were seen. */
  readonly heaviestKey: HeaviestKey | undefined
  /** A clause that says all this, such as the rest of a log line. */
  readonly explanation: string
}

/** The heaviest key of a physical partition. */
export interface HeaviestKey {
  /** Effective partition key, in hexadecimal. */
  readonly hash: string
  readonly share: number
}

/** Use of a physical partition and of its container during a few seconds. */
export interface MeasuredRange {
  readonly range: string
  /** Part of the container's throughput that the physical partition has. */
  readonly fraction: number
  readonly ruPerSecond: number
  readonly containerRuPerSecond: number
  readonly provisionedRuPerSecond: number | undefined
  readonly heaviestKey: HeaviestKey | undefined
}

// The same thresholds as in the checks of `keystamp xray`.
/** Part of the limit of a physical partition from which on a key is heavy. */
const HEAVY_KEY_PART = 0.5
/** Load of a physical partition relative to its part of the throughput, from which on it is busy. */
const BUSY_RANGE = 1.5
/** Part of the limit below which the writer is not the cause. */
const OWN_PART = 0.5

/** Finds the reason of throttling; undefined if too little was seen of a busy physical partition. */
export function explainThrottling(measured: MeasuredRange): ThrottledRange | undefined {
  const { fraction, provisionedRuPerSecond, heaviestKey } = measured
  const limitRuPerSecond = provisionedRuPerSecond === undefined ? undefined : provisionedRuPerSecond * fraction
  const reason = reasonOf(measured, limitRuPerSecond)
  if (reason === undefined) return undefined
  const { range, ruPerSecond, containerRuPerSecond } = measured
  return {
    range,
    reason,
    ruPerSecond,
    limitRuPerSecond,
    containerRuPerSecond,
    provisionedRuPerSecond,
    heaviestKey,
    explanation: `${useText(measured, limitRuPerSecond)}: ${causeText(reason, heaviestKey)}`
  }
}

function reasonOf(
  { fraction, ruPerSecond, containerRuPerSecond, heaviestKey }: MeasuredRange,
  limitRuPerSecond: number | undefined
): ThrottleReason | undefined {
  if (limitRuPerSecond !== undefined && ruPerSecond < OWN_PART * limitRuPerSecond) return 'other-clients'
  const share = containerRuPerSecond === 0 ? 0 : ruPerSecond / containerRuPerSecond
  // always so in a container with one physical partition
  if (share < BUSY_RANGE * fraction) return 'container-full'
  if (heaviestKey === undefined) return undefined
  return heaviestKey.share * share >= HEAVY_KEY_PART * fraction ? 'hot-key' : 'many-keys-in-one-range'
}

function useText(
  { range, ruPerSecond, containerRuPerSecond, provisionedRuPerSecond }: MeasuredRange,
  limitRuPerSecond: number | undefined
): string {
  if (limitRuPerSecond === undefined || provisionedRuPerSecond === undefined)
    return `physical partition ${range} gets ${percentText(ruPerSecond / containerRuPerSecond)} of the RU of this writer`
  const used = percentText(ruPerSecond / limitRuPerSecond)
  const ofContainer = percentText(containerRuPerSecond / provisionedRuPerSecond)
  const limit = Math.round(limitRuPerSecond).toLocaleString('en')
  return `this writer uses ${used} of the ${limit} RU/s of physical partition ${range}, and ${ofContainer} of the container`
}

function causeText(reason: ThrottleReason, heaviestKey: HeaviestKey | undefined): string {
  switch (reason) {
    case 'hot-key':
      return `one key takes ${percentText(heaviestKey!.share)} of the partition (hash ${heaviestKey!.hash.slice(0, SHOWN_DIGITS)}...)`
    case 'many-keys-in-one-range':
      return `many keys share the partition, and none takes more than ${percentText(heaviestKey!.share)} of it`
    case 'container-full':
      return 'the load is even, and the container has too few RU/s for it'
    case 'other-clients':
      return 'other clients use the rest of the partition'
  }
}

const SHOWN_DIGITS = 8

// a second can be overdrawn, and a clock that differs from that of Cosmos DB can see more than a second's RU
function percentText(share: number): string {
  return `${Math.min(100, Math.round(share * 100))} %`
}
