import { largestKeyShare } from '../model/largest-key.ts'
import type { SampleBasis } from '../model/interval.ts'
import type { KeyProfile } from '../sample/key-profile.ts'
import type { SampleProfile } from '../sample/profiler.ts'
import { type NeededThroughput, neededThroughput, type ThroughputAnswer } from '../service/needed-throughput.ts'
import { LIST_PRICES, type PriceList } from '../service/price-list.ts'
import { partitionsForStorage } from '../service/storage.ts'
import type { PresentContainer, Workload } from '../workload/workload.ts'
import type { BusiestShares } from './busiest-shares.ts'
import type { Demand } from './demand.ts'
import { pricesAt, type RatePrices } from './prices-at.ts'

/** Inputs of the cost of a container, in addition to its key and its load. */
export interface CostInput {
  readonly sample: SampleProfile
  readonly basis: SampleBasis
  readonly shares: BusiestShares
  readonly workload: Workload
  /** GB of data to plan for; null if unknown. */
  readonly gb: number | null
  readonly prices?: PriceList | undefined
  /** Only numbers of partitions that this container can reach by splits are then possible. */
  readonly present?: PresentContainer | undefined
}

/** Throughput and price of a container under one key. */
export interface KeyCost {
  readonly answer: ThroughputAnswer
  /** Null if no throughput is enough for the load. */
  readonly priced: RatePrices | null
}

/** Finds the cheapest throughput of a container, and its prices. `candidate`: number of the key in the sample. */
export function costOfKey(candidate: number, demand: Demand, input: CostInput): KeyCost {
  const answer = throughputOf(candidate, demand, input)
  return { answer, priced: answer.needed === null ? null : pricesOf(answer.needed, candidate, demand, input) }
}

// with many ranges, the busiest range has one key
const MANY_RANGES = 100

function throughputOf(candidate: number, demand: Demand, input: CostInput): ThroughputAnswer {
  const { sample, basis, shares, workload, gb, prices, present } = input
  const fewest = partitionsForStorage(gb ?? 0).planned
  const largest = largestKeyShare(sample.keys[candidate] as KeyProfile, basis).value?.mid ?? 0
  const busiestKey = Math.min(1, largest + shares.concentration(candidate)(MANY_RANGES))
  const search = (near?: number): ThroughputAnswer =>
    neededThroughput({
      busiestShareOf: present === undefined ? shares.of(candidate, fewest, near) : shares.each(candidate),
      loadRuPerSecond: demand.keyedRuPerSecond,
      everyRangeRuPerSecond: demand.everyRangeRuPerSecond,
      gb,
      busiestKeyRuPerSecond: busiestKey * demand.keyedRuPerSecond,
      regions: workload.regions,
      multiRegionWrites: workload.multiRegionWrites,
      meanUtilization: workload.meanUtilization,
      present,
      prices
    })
  const first = search()
  return first.needed === null || present !== undefined || shares.areCounted(candidate)
    ? first
    : search(first.needed.partitions)
}

function pricesOf(
  { partitions, ruPerSecond, busiestRangeRuPerSecond }: NeededThroughput,
  candidate: number,
  demand: Demand,
  { shares, workload, gb, present, prices = LIST_PRICES }: CostInput
): RatePrices {
  return pricesAt(
    {
      partitions,
      ruPerSecond,
      busiestRangeRuPerSecond,
      loadRuPerSecond: demand.keyedRuPerSecond,
      everyRangeRuPerSecond: demand.everyRangeRuPerSecond(partitions),
      busiestShareOf:
        present === undefined ? shares.of(candidate, partitionsForStorage(gb ?? 0).planned) : shares.each(candidate),
      gb,
      meanUtilization: workload.meanUtilization,
      regions: workload.regions,
      multiRegionWrites: workload.multiRegionWrites
    },
    prices
  )
}
