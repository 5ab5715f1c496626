import {
  creationRuPerSecond,
  leastRuPerSecond,
  MAX_CONTAINER_RU,
  MAX_PARTITION_RU,
  MAX_PLANNED_PARTITIONS,
  partitionsAtCreation,
  roundUpRu,
  type ThroughputMode
} from './limits.ts'
import { autoscalePrice, type LoadShape, manualPrice, type PricedAccount } from './price.ts'
import { LIST_PRICES, type PriceList } from './price-list.ts'
import { pathThrough, type RateStep } from './raise.ts'
import { PLANNED_PARTITION_GB } from './storage.ts'
import { formatBytes, formatCount, formatMany } from '../workload/quantity-text.ts'
import type { PresentContainer } from '../workload/workload.ts'

/** Load of a candidate key. */
export interface ThroughputDemand extends LoadShape, Partial<PricedAccount> {
  /** Share of `loadRuPerSecond` that the busiest of `ranges` equally wide ranges gets: 1 / ranges up to 1. */
  readonly busiestShareOf: (ranges: number) => number
  /** RU/s of all operations that go to the partition of their key, at the peak. */
  readonly loadRuPerSecond: number
  /** Additional RU/s of each of `ranges` ranges, from queries that go to several of them. Default: 0. */
  readonly everyRangeRuPerSecond?: ((ranges: number) => number) | undefined
  /** GB of data; null if unknown. An unknown amount counts as one partition. */
  readonly gb: number | null
  /** GB of data in a physical partition. Default: PLANNED_PARTITION_GB. */
  readonly gbPerPartition?: number | undefined
  /** RU/s of the busiest key at the peak. It is in the reason if no throughput is enough. */
  readonly busiestKeyRuPerSecond?: number | undefined
  /** Default: `manual`. */
  readonly mode?: ThroughputMode | undefined
  /** Existing container. If given, only doublings of its number of partitions are possible. */
  readonly present?: PresentContainer | undefined
  readonly prices?: PriceList | undefined
}

export interface NeededThroughput {
  readonly partitions: number
  /** `present`: the container has more partitions than the data and the load need, and cannot have fewer. */
  readonly decidedBy: 'storage' | 'throughput' | 'one' | 'present'
  /** Rate for the load, or autoscale maximum. */
  readonly ruPerSecond: number
  /** Rate of the first step of the path of a new container; null for a present one. */
  readonly createRuPerSecond: number | null
  /** Minimum rate that can be set after the rates of `path`. */
  readonly leastRuPerSecond: number
  /** Load of the busiest range. */
  readonly busiestRangeRuPerSecond: number
  /** Load, divided by the rate of the whole container that its busiest range requires. */
  readonly usableShare: number
  /** Price of the throughput per month, without storage. */
  readonly monthlyPrice: number
  /** Rates to set one after the other. Partitions of an existing container also split when its data grows. */
  readonly path: readonly RateStep[]
  /** Whether a rate of the path is above 1,000,000 RU/s, which needs a support request. */
  readonly isAboveQuota: boolean
}

export type ThroughputAnswer =
  | { readonly needed: NeededThroughput; readonly reason: null }
  | { readonly needed: null; readonly reason: string }

/** Finds the number of physical partitions and the rate that are enough for the load at the lowest monthly price. */
export function neededThroughput(demand: ThroughputDemand): ThroughputAnswer {
  const fewest = partitionsOfStorage(demand)
  if (fewest > MAX_PLANNED_PARTITIONS) return { needed: null, reason: tooMuchData(demand, fewest) }
  let best: NeededThroughput | undefined
  for (const partitions of possiblePartitions(demand, fewest)) {
    // the share of the busiest range may need a simulation
    if (best !== undefined && evenPrice(demand, partitions) >= best.monthlyPrice - CENT) continue
    if (!isServed(demand, partitions)) continue
    const needed = needOf(demand, partitions, fewest)
    if (best === undefined || needed.monthlyPrice < best.monthlyPrice - CENT) best = needed
  }
  return best === undefined ? { needed: null, reason: whyNone(demand, fewest) } : { needed: best, reason: null }
}

/** Computes the rate that is enough for the load with a given number of physical partitions. */
export function throughputAt(demand: ThroughputDemand, partitions: number): ThroughputAnswer {
  const fewest = partitionsOfStorage(demand)
  if (partitions < fewest) {
    return {
      needed: null,
      reason: `${formatBytes((demand.gb ?? 0) * 1e9)} need ${formatMany(fewest, 'physical partition')}`
    }
  }
  if (isServed(demand, partitions)) return { needed: needOf(demand, partitions, fewest), reason: null }
  const busiest = Math.ceil(busiestRange(demand, partitions))
  return {
    needed: null,
    reason: `the busiest physical partition would get ${formatCount(busiest)} RU/s, but serves at most ${formatCount(MAX_PARTITION_RU)} RU/s`
  }
}

// prices that differ by less than this count as equal: fewer partitions win
const CENT = 0.01

function partitionsOfStorage({ gb, gbPerPartition = PLANNED_PARTITION_GB }: ThroughputDemand): number {
  return Math.max(1, Math.ceil((gb ?? 0) / gbPerPartition))
}

function* possiblePartitions({ present }: ThroughputDemand, fewest: number): Generator<number> {
  if (present === undefined) {
    for (let partitions = fewest; partitions <= MAX_PLANNED_PARTITIONS; partitions++) yield partitions
    return
  }
  let { partitions } = present
  do {
    if (partitions >= fewest) yield partitions
    partitions *= 2
  } while (partitions <= MAX_PLANNED_PARTITIONS)
}

function busiestRange(demand: ThroughputDemand, partitions: number): number {
  return demand.busiestShareOf(partitions) * demand.loadRuPerSecond + everyRange(demand, partitions)
}

function everyRange({ everyRangeRuPerSecond }: ThroughputDemand, partitions: number): number {
  return everyRangeRuPerSecond?.(partitions) ?? 0
}

/** Lower bound of the price: the load spreads evenly, and nothing else raises the rate. */
function evenPrice(demand: ThroughputDemand, partitions: number): number {
  // the order of the operations is that of needOf, so that rounding does not raise the bound above the price
  const asked = partitions * ((1 / partitions) * demand.loadRuPerSecond + everyRange(demand, partitions))
  return priceOf(demand, roundUpRu(asked, demand.mode ?? 'manual'), asked)
}

function needOf(demand: ThroughputDemand, partitions: number, fewest: number): NeededThroughput {
  const { mode = 'manual', gb, present } = demand
  const busiest = busiestRange(demand, partitions)
  const first = present === undefined ? partitions : raisedTo(demand, present, partitions)
  const asked = Math.max(partitions * busiest, first * busiestRange(demand, first))
  const rate = Math.max(roundUpRu(asked, mode), leastRuPerSecond(mode, { gb }))
  const highest = highestOf(demand, partitions, rate)
  const ruPerSecond = Math.max(rate, leastRuPerSecond(mode, { gb, highestRuPerSecond: highest }))
  const path = pathTo(demand, partitions, ruPerSecond)
  return {
    partitions,
    decidedBy: decidedBy(demand, partitions, fewest),
    ruPerSecond,
    createRuPerSecond: present === undefined ? path[0].ruPerSecond : null,
    leastRuPerSecond: leastRuPerSecond(mode, { gb, highestRuPerSecond: Math.max(highest, ruPerSecond) }),
    busiestRangeRuPerSecond: busiest,
    usableShare: asked === 0 ? 1 : (demand.loadRuPerSecond + partitions * everyRange(demand, partitions)) / asked,
    monthlyPrice: priceOf(demand, ruPerSecond, asked),
    path,
    isAboveQuota: path.some((step) => step.ruPerSecond > MAX_CONTAINER_RU)
  }
}

/** Highest rate on the path to a number of partitions. It raises the minimum rate after the path. */
function highestOf(demand: ThroughputDemand, partitions: number, rate: number): number {
  const { present } = demand
  const ever = present === undefined ? 0 : (present.highestRuPerSecond ?? present.ruPerSecond)
  return Math.max(ever, ...pathTo(demand, partitions, rate).map((step) => step.ruPerSecond))
}

function pathTo(demand: ThroughputDemand, partitions: number, ruPerSecond: number): readonly RateStep[] {
  const { mode = 'manual', present } = demand
  if (present === undefined) return newPath(partitions, ruPerSecond, mode)
  const raised = raisedTo(demand, present, partitions)
  return raised > present.partitions ? pathThrough(present, raised, ruPerSecond) : presentPath(present, ruPerSecond)
}

/** Number of partitions, doubled until it is enough for the load. Growing data causes the further splits. */
function raisedTo(demand: ThroughputDemand, present: PresentContainer, partitions: number): number {
  let raised = present.partitions
  while (raised < partitions && !isServed(demand, raised)) raised *= 2
  return raised
}

function newPath(partitions: number, ruPerSecond: number, mode: ThroughputMode): readonly RateStep[] {
  const isDirect = partitionsAtCreation(ruPerSecond, mode) === partitions
  const created = isDirect ? ruPerSecond : creationRuPerSecond(partitions, mode)
  const create: RateStep = { kind: 'create', ruPerSecond: created, partitions, splits: false }
  if (isDirect) return [create]
  return [create, { kind: ruPerSecond > created ? 'raise' : 'lower', ruPerSecond, partitions, splits: false }]
}

function presentPath(present: PresentContainer, ruPerSecond: number): readonly RateStep[] {
  if (ruPerSecond === present.ruPerSecond) return []
  const kind = ruPerSecond > present.ruPerSecond ? 'raise' : 'lower'
  return [{ kind, ruPerSecond, partitions: present.partitions, splits: false }]
}

function decidedBy(demand: ThroughputDemand, partitions: number, fewest: number): NeededThroughput['decidedBy'] {
  if (partitions === 1) return 'one'
  const { value: first } = possiblePartitions(demand, fewest).next()
  if (partitions !== first) return 'throughput'
  if (partitions === fewest || partitions !== demand.present?.partitions) return 'storage'
  return isServed(demand, fewest) ? 'present' : 'throughput'
}

function isServed(demand: ThroughputDemand, partitions: number): boolean {
  return busiestRange(demand, partitions) <= MAX_PARTITION_RU
}

function priceOf(demand: ThroughputDemand, ruPerSecond: number, neededRuPerSecond: number): number {
  const { mode = 'manual', regions = 1, multiRegionWrites = false, prices = LIST_PRICES } = demand
  const account = { regions, multiRegionWrites }
  return mode === 'manual'
    ? manualPrice(ruPerSecond, account, prices)
    : autoscalePrice(ruPerSecond, { ...demand, neededRuPerSecond }, account, prices)
}

function tooMuchData({ gb }: ThroughputDemand, partitions: number): string {
  return `${formatBytes((gb ?? 0) * 1e9)} need ${formatMany(partitions, 'physical partition')}, but the planner considers at most ${formatCount(MAX_PLANNED_PARTITIONS)}`
}

function whyNone(demand: ThroughputDemand, fewest: number): string {
  const { busiestKeyRuPerSecond: key = 0, present } = demand
  const limit = `but a physical partition serves at most ${formatCount(MAX_PARTITION_RU)} RU/s`
  if (key > MAX_PARTITION_RU) return `the busiest key would get ${formatCount(Math.ceil(key))} RU/s, ${limit}`
  if (present !== undefined && neededThroughput({ ...demand, present: undefined }).needed !== null)
    return `no doubling of the ${formatMany(present.partitions, 'physical partition')} is enough for the load; a new container with another number of them would be`
  const least = Math.min(...[...possiblePartitions(demand, fewest)].map((each) => busiestRange(demand, each)))
  return `the busiest physical partition would get at least ${formatCount(Math.ceil(least))} RU/s with any number of partitions, ${limit}`
}
