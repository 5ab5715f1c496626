import { ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import type { Storage } from '../store/storage.ts'
import type { Service } from './service.ts'
import { isSet, type WireRequest } from './wire-request.ts'

/** The value of `x-ms-resource-usage`: number and size of the items of a container. Sizes are in KB. */
export function usageOf(container: Container, storage: Storage): string {
  const usedKb = storage.accountedKb(container.ranges.all.reduce((sum, range) => sum + range.bytes, 0))
  return `documentSize=0;documentsSize=${usedKb};documentsCount=${container.itemCount};collectionSize=${usedKb};`
}

/** The value of `x-ms-resource-quota`: the limits for the values of `x-ms-resource-usage`. */
export function quotaOf(container: Container): string {
  const maxKb = MAX_RANGE_KB * container.ranges.all.length
  return `documentSize=${MAX_DOCUMENT_KB};documentsSize=${maxKb};documentsCount=-1;collectionSize=${maxKb};`
}

const MAX_DOCUMENT_KB = 2 * 1024
const MAX_RANGE_KB = 50 * 1024 * 1024

/** Size, number of items and largest partition keys of each range; undefined if the account has no statistics. */
export function statisticsOf(service: Service, request: WireRequest, container: Container): unknown[] | undefined {
  const { partitionStatistics } = service.settings
  if (partitionStatistics === 'none') return undefined
  if (partitionStatistics === 'refused')
    throw new ServiceError(403, 'Statistics of partitions are refused: the emulator was started with that setting.')
  const { storage } = service.engine
  const maxKeys = isSet(request, 'x-ms-cosmos-internal-get-all-partition-key-stats') ? MAX_ALL_KEYS : MAX_LARGEST_KEYS
  const keys = keysByRange(container, maxKeys)
  const describe = partitionStatistics === 'exact' ? exactStatistics : approximateStatistics
  return container.ranges.all.map((range) => describe(range, keys.get(range) ?? NO_KEYS, storage))
}

const MAX_LARGEST_KEYS = 10
const MAX_ALL_KEYS = 1000

/** The partition keys of one range. */
interface RangeKeys {
  distinct: number
  /** Sorted by size, the largest first. */
  readonly largest: LogicalPartition[]
}

const NO_KEYS: RangeKeys = { distinct: 0, largest: [] }

function keysByRange(container: Container, maxKeys: number): Map<PhysicalRange, RangeKeys> {
  const found = new Map<PhysicalRange, RangeKeys>(
    container.ranges.all.map((range) => [range, { distinct: 0, largest: [] }])
  )
  for (const partition of container.partitions.values()) {
    const keys = found.get(partition.range)!
    keys.distinct += 1
    keepLargest(keys.largest, partition, maxKeys)
  }
  return found
}

function keepLargest(largest: LogicalPartition[], partition: LogicalPartition, maxKeys: number): void {
  if (largest.length === maxKeys) {
    if (partition.bytes <= largest[maxKeys - 1].bytes) return
    largest.pop()
  }
  let [low, high] = [0, largest.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (largest[middle].bytes >= partition.bytes) low = middle + 1
    else high = middle
  }
  largest.splice(low, 0, partition)
}

function exactStatistics(range: PhysicalRange, keys: RangeKeys, storage: Storage): Record<string, unknown> {
  return {
    id: range.id,
    sizeInKB: storage.accountedKb(range.bytes),
    documentCount: range.items.size,
    sampledDistinctPartitionKeyCount: keys.distinct,
    partitionKeys: keys.largest.map((key) => keyStatistics(key, storage.accountedKb(key.bytes)))
  }
}

const MIN_APPROXIMATE_BYTES = 2 ** 30

/** Statistics as the service answers them: a key has a whole percentage of its range, and small keys are missing. */
function approximateStatistics(range: PhysicalRange, keys: RangeKeys, storage: Storage): Record<string, unknown> {
  const sizeInKB = storage.accountedKb(range.bytes)
  const large = keys.largest.filter((key) => storage.accounted(key.bytes) >= MIN_APPROXIMATE_BYTES)
  return {
    id: range.id,
    sizeInKB,
    documentCount: range.items.size,
    sampledDistinctPartitionKeyCount: large.length,
    partitionKeys: large.map((key) =>
      keyStatistics(key, Math.floor((Math.round((key.bytes * 100) / range.bytes) * sizeInKB) / 100))
    )
  }
}

function keyStatistics({ keyText }: LogicalPartition, sizeInKB: number): Record<string, unknown> {
  return { partitionKey: JSON.parse(`[${keyText}]`) as unknown, sizeInKB }
}
