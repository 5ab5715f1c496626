// Limits of Cosmos DB for NoSQL. Sources: Microsoft's pages "service quotas" (concepts-limits), "partitioning",
// "best practices for scaling provisioned throughput", "autoscale", "burst capacity" and "serverless performance",
// as of May 2026. GB are 1,000,000,000 bytes.

/** How a container gets its throughput: a fixed rate, or one that follows the load up to a maximum. */
export type ThroughputMode = 'manual' | 'autoscale'

/** Most RU/s that a physical partition serves. */
export const MAX_PARTITION_RU = 10_000

/** Most GB that a physical partition holds, with their index. */
export const MAX_PARTITION_GB = 50

/** Most GB that a logical partition (all documents of one key) holds. */
export const MAX_LOGICAL_PARTITION_GB = 20

/** Most RU/s of a container; a support request to Microsoft raises it. */
export const MAX_CONTAINER_RU = 1_000_000

/** Most physical partitions that the planner considers. */
export const MAX_PLANNED_PARTITIONS = 1000

const MIN_MANUAL_RU = 400
const MIN_AUTOSCALE_RU = 1000
const MANUAL_STEP_RU = 100
const AUTOSCALE_STEP_RU = 1000
const MANUAL_RU_PER_NEW_PARTITION = 6000

/** The next rate that can be set: manual rates go by 100 RU/s, autoscale maxima by 1,000. */
export function roundUpRu(ruPerSecond: number, mode: ThroughputMode): number {
  const step = mode === 'manual' ? MANUAL_STEP_RU : AUTOSCALE_STEP_RU
  return Math.ceil(Math.round(ruPerSecond * 1e6) / 1e6 / step) * step
}

/** Facts that raise the least rate of a container. */
export interface RateHistory {
  readonly gb?: number | null | undefined
  /** Highest rate, or autoscale maximum, that the container ever had. */
  readonly highestRuPerSecond?: number | undefined
}

/** Least rate, or least autoscale maximum, that can be set. */
export function leastRuPerSecond(mode: ThroughputMode, { gb, highestRuPerSecond = 0 }: RateHistory): number {
  const least =
    mode === 'manual'
      ? Math.max(MIN_MANUAL_RU, gb ?? 0, highestRuPerSecond / 100)
      : Math.max(MIN_AUTOSCALE_RU, 10 * (gb ?? 0), highestRuPerSecond / 10)
  return roundUpRu(least, mode)
}

/** Highest rate that can be set at once, without a split. */
export function instantRuPerSecond(partitions: number): number {
  return partitions * MAX_PARTITION_RU
}

/** Physical partitions of a new container that is created with this rate, or autoscale maximum. */
export function partitionsAtCreation(ruPerSecond: number, mode: ThroughputMode): number {
  return Math.max(1, Math.ceil(ruPerSecond / ruPerNewPartition(mode)))
}

/** Rate to create a container with, so that it begins with this number of physical partitions. */
export function creationRuPerSecond(partitions: number, mode: ThroughputMode): number {
  return partitions * ruPerNewPartition(mode)
}

function ruPerNewPartition(mode: ThroughputMode): number {
  return mode === 'manual' ? MANUAL_RU_PER_NEW_PARTITION : MAX_PARTITION_RU
}

/** Most RU/s of one logical partition: the part of the rate that its physical partition has. */
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

/** Most RU/s of a serverless container, without a guarantee. */
export function serverlessRuPerSecond(partitions: number): number {
  return partitions * SERVERLESS_RU_PER_PARTITION
}
