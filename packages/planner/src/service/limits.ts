// Limits of Cosmos DB for NoSQL. Sources: Microsoft's pages "service quotas" (concepts-limits), "partitioning",
// "best practices for scaling provisioned throughput", "autoscale", "burst capacity" and "serverless performance",
// as of May 2026. GB are 1,000,000,000 bytes.

/** Kind of provisioned throughput: a fixed rate (`manual`), or a rate that follows the load up to a maximum. */
export type ThroughputMode = 'manual' | 'autoscale'

/** Maximum RU/s of a physical partition. */
export const MAX_PARTITION_RU = 10_000

/** Maximum size of a physical partition in GB, with index. */
export const MAX_PARTITION_GB = 50

/** Maximum size of a logical partition (all documents of one key) in GB. */
export const MAX_LOGICAL_PARTITION_GB = 20

/** Maximum RU/s of a container without a support request to Microsoft. */
export const MAX_CONTAINER_RU = 1_000_000

/** Maximum number of physical partitions that the planner considers. */
export const MAX_PLANNED_PARTITIONS = 1000

const MIN_MANUAL_RU = 400
const MIN_AUTOSCALE_RU = 1000
const MANUAL_STEP_RU = 100
const AUTOSCALE_STEP_RU = 1000
const MANUAL_RU_PER_NEW_PARTITION = 6000

/** Rounds up to a rate that can be set: a multiple of 100 RU/s for manual, of 1,000 RU/s for autoscale. */
export function roundUpRu(ruPerSecond: number, mode: ThroughputMode): number {
  const step = mode === 'manual' ? MANUAL_STEP_RU : AUTOSCALE_STEP_RU
  return Math.ceil(Math.round(ruPerSecond * 1e6) / 1e6 / step) * step
}

/** Facts that raise the minimum rate of a container. */
export interface RateHistory {
  readonly gb?: number | null | undefined
  /** Highest rate, or autoscale maximum, that the container ever had. */
  readonly highestRuPerSecond?: number | undefined
}

/** Minimum rate, or minimum autoscale maximum, that can be set. */
export function leastRuPerSecond(mode: ThroughputMode, { gb, highestRuPerSecond = 0 }: RateHistory): number {
  const least =
    mode === 'manual'
      ? Math.max(MIN_MANUAL_RU, gb ?? 0, highestRuPerSecond / 100)
      : Math.max(MIN_AUTOSCALE_RU, 10 * (gb ?? 0), highestRuPerSecond / 10)
  return roundUpRu(least, mode)
}

/** Maximum rate that takes effect immediately, without a split. */
export function instantRuPerSecond(partitions: number): number {
  return partitions * MAX_PARTITION_RU
}

/** Number of physical partitions of a container that is created with this rate, or autoscale maximum. */
export function partitionsAtCreation(ruPerSecond: number, mode: ThroughputMode): number {
  return Math.max(1, Math.ceil(ruPerSecond / ruPerNewPartition(mode)))
}

/** Rate with which a container must be created to have this number of physical partitions. */
export function creationRuPerSecond(partitions: number, mode: ThroughputMode): number {
  return partitions * ruPerNewPartition(mode)
}

function ruPerNewPartition(mode: ThroughputMode): number {
  return mode === 'manual' ? MANUAL_RU_PER_NEW_PARTITION : MAX_PARTITION_RU
}

/** Maximum RU/s of one logical partition: the RU/s of its physical partition. */
export function logicalPartitionRuPerSecond(ruPerSecond: number, partitions: number): number {
  return ruPerSecond / partitions
}

const MAX_BURST_RU = 3000
const MAX_SAVED_SECONDS = 300

/** Burst capacity of a physical partition; null at 3,000 RU/s and above. It is optional, and not guaranteed. */
export interface Burst {
  readonly ruPerSecond: number
  /** Seconds at that rate, after five minutes without load. */
  readonly seconds: number
}

export function burstOf(ruPerSecond: number, partitions: number): Burst | null {
  const own = ruPerSecond / partitions
  return own >= MAX_BURST_RU ? null : { ruPerSecond: MAX_BURST_RU, seconds: (own * MAX_SAVED_SECONDS) / MAX_BURST_RU }
}

const SERVERLESS_RU_PER_PARTITION = 5000

/** Maximum RU/s of a serverless container, without a guarantee. */
export function serverlessRuPerSecond(partitions: number): number {
  return partitions * SERVERLESS_RU_PER_PARTITION
}
