import { MAX_RANGE_RU, MAX_RU, throughputStep } from '../charge/throughput.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import type { Offer } from '../store/offer.ts'
import type { PhysicalRange } from '../store/physical-range.ts'

/** Whether the ranges of a container have equal shares of its throughput, or RU/s of their own. */
export type ThroughputPolicy = 'equal' | 'custom'

/** The throughput of each physical partition of a container. */
export interface ThroughputDistribution {
  readonly throughputPolicy: ThroughputPolicy
  /** RU/s of the container, or the maximum of autoscale. */
  readonly throughput: number
  readonly physicalPartitionThroughputInfo: readonly PhysicalPartitionThroughput[]
}

/** The RU/s of a physical partition; its id is the id of its range. */
export interface PhysicalPartitionThroughput {
  readonly id: string
  readonly throughput: number
}

/** The `resource` of the call `redistributeThroughput` of Azure Resource Manager. */
export interface ThroughputRedistribution {
  readonly throughputPolicy: ThroughputPolicy
  /** Ranges that get another throughput. */
  readonly targetPhysicalPartitionThroughputInfo?: readonly PhysicalPartitionThroughput[]
  /** Ranges that give throughput: a given number, else equal parts of what the targets gain. */
  readonly sourcePhysicalPartitionThroughputInfo?: readonly { readonly id: string; readonly throughput?: number }[]
}

/** The throughput of each range of a container that has throughput of its own. */
export function distributionOf(container: Container): ThroughputDistribution {
  const offer = ownOffer(container)
  return {
    throughputPolicy: offer.throughputPolicy,
    throughput: offer.throughput.ruPerSecond,
    physicalPartitionThroughputInfo: container.ranges.all.map(({ id, budget }) => ({
      id,
      throughput: budget?.ruPerSecond ?? 0
    }))
  }
}

/**
 * Assigns RU/s to ranges as requested. The throughput of the container becomes the sum, rounded up to a throughput that
 * an offer may have. The caller has to spread the throughput, and to split the returned ranges, which have more RU/s
 * than a range can serve.
 */
export function assignThroughput(container: Container, requested: unknown, timestamp: number): PhysicalRange[] {
  const offer = ownOffer(container)
  refuseUnless(isObject(requested), 'The redistribution of throughput must be an object.')
  const { throughputPolicy: policy } = requested
  refuseUnless(
    policy === 'equal' || policy === 'custom',
    "The property 'throughputPolicy' must be 'equal' or 'custom'."
  )
  if (policy === 'equal') {
    for (const range of container.ranges.all) range.assignedRuPerSecond = undefined
    offer.throughputPolicy = 'equal'
    return []
  }
  const wanted = wantedThroughput(container, offer, requested)
  const sum = [...wanted.values()].reduce((total, ruPerSecond) => total + ruPerSecond, 0)
  const step = throughputStep(offer.throughput)
  const total = Math.ceil(Math.round(sum * 1e6) / 1e6 / step) * step
  refuseUnless(
    total >= offer.minimum && total <= MAX_RU,
    `The RU/s of the physical partitions make ${total} RU/s for the container, which must have ${offer.minimum} to ${MAX_RU}.`
  )
  for (const [range, ruPerSecond] of wanted) range.assignedRuPerSecond = ruPerSecond
  offer.throughputPolicy = 'custom'
  offer.change({ ...offer.throughput, ruPerSecond: total }, timestamp)
  return crowdedRanges(container)
}

/** The ranges with more RU/s than a range can serve. */
export function crowdedRanges(container: Container): PhysicalRange[] {
  return container.ranges.all.filter(({ assignedRuPerSecond = 0 }) => assignedRuPerSecond > MAX_RANGE_RU)
}

function ownOffer(container: Container): Offer {
  if (container.offer !== undefined) return container.offer
  throw new ServiceError(
    400,
    `The container '${container.id}' shares the throughput of its database: this emulator distributes only the throughput of a container.`
  )
}

const MAX_LISTED = 20
const MAX_TARGET_RU = 2 * MAX_RANGE_RU

/** The RU/s of every range after the redistribution. */
function wantedThroughput(
  container: Container,
  offer: Offer,
  requested: Record<string, unknown>
): Map<PhysicalRange, number> {
  const targets = listOf(requested, 'targetPhysicalPartitionThroughputInfo')
  const sources = listOf(requested, 'sourcePhysicalPartitionThroughputInfo')
  refuseUnless(
    targets.length > 0,
    "The property 'targetPhysicalPartitionThroughputInfo' must name a physical partition."
  )
  const equalShare = offer.throughput.ruPerSecond / container.ranges.all.length
  const wanted = new Map(container.ranges.all.map((range) => [range, range.assignedRuPerSecond ?? equalShare]))
  const named = new Set<PhysicalRange>()
  const givers: PhysicalRange[] = []
  let gained = 0
  for (const entry of [...targets, ...sources]) {
    const range = rangeOf(container, entry.id)
    refuseUnless(!named.has(range), `The physical partition '${range.id}' is named twice.`)
    named.add(range)
    if (entry.throughput === undefined || entry.throughput === 0) givers.push(range)
    else {
      gained += entry.throughput - wanted.get(range)!
      wanted.set(range, entry.throughput)
    }
  }
  for (const range of givers) {
    const left = wanted.get(range)! - gained / givers.length
    refuseUnless(left >= 1, `The physical partition '${range.id}' has too few RU/s for the gain of the targets.`)
    wanted.set(range, left)
  }
  return wanted
}

interface Entry {
  readonly id: unknown
  readonly throughput: number | undefined
}

function listOf(requested: Record<string, unknown>, name: string): Entry[] {
  const list = requested[name] ?? []
  refuseUnless(
    Array.isArray(list) && list.length <= MAX_LISTED && list.every(isObject),
    `The property '${name}' must be an array of at most ${MAX_LISTED} objects.`
  )
  return list.map(({ id, throughput }) => {
    const mayBeMissing =
      name.startsWith('source') && (throughput === undefined || throughput === null || throughput === 0)
    const isNumber = typeof throughput === 'number' && throughput >= 1 && throughput <= MAX_TARGET_RU
    refuseUnless(
      mayBeMissing || isNumber,
      `The property 'throughput' in '${name}' must be a number from 1 to ${MAX_TARGET_RU}.`
    )
    return { id, throughput: mayBeMissing ? undefined : Number(throughput) }
  })
}

function rangeOf(container: Container, id: unknown): PhysicalRange {
  const range = typeof id === 'string' ? container.ranges.byId(id) : undefined
  if (range === undefined)
    throw new ServiceError(
      404,
      `The container '${container.id}' has no physical partition with the id ${JSON.stringify(id)}.`
    )
  if (range.phase !== 'online') throw new ServiceError(409, `The physical partition '${range.id}' is ${range.phase}.`)
  return range
}
