import type { Consumer, TopicPartition } from '../kafka/consumer-port.ts'
import type { PartitionFlow } from './partition-flow.ts'

/** Pauses each partition whose records in flight take more than its share of memory, so that all partitions progress at the same pace. */
export interface FlowControl {
  /** Pauses or resumes a partition after records of it were taken or settled. */
  readonly adjust: (flow: PartitionFlow) => void
  /** Whether work on more records of the partition may begin. */
  readonly hasRoom: (flow: PartitionFlow) => boolean
  /** Divides `maxBytes` by this number of partitions from now on. */
  readonly divideBy: (partitions: number) => void
  /** Pauses all partitions for good. */
  readonly pauseAll: (flows: Iterable<PartitionFlow>) => void
  /** How often a partition was paused. */
  readonly pauses: number
}

/**
 * Divides `maxBytes` among the partitions, once for records that were taken, and once for those that are worked on, which decoding may have made
 * larger. A fetch that was in flight when the partition was paused is taken in addition.
 */
export function createFlowControl(consumer: Pick<Consumer, 'pause' | 'resume'>, maxBytes: number): FlowControl {
  let shareBytes = maxBytes
  let isStopped = false
  let pauses = 0

  function adjust(flow: PartitionFlow): void {
    if (isStopped || flow.isLost) return
    if (!flow.isPaused && flow.openBytes >= shareBytes) pause([flow])
    else if (flow.isPaused && flow.openBytes <= shareBytes * RESUME_SHARE) {
      flow.isPaused = false
      consumer.resume([toTopicPartition(flow)])
    }
  }

  function pause(flows: readonly PartitionFlow[]): void {
    for (const flow of flows) flow.isPaused = true
    pauses += flows.length
    consumer.pause(flows.map(toTopicPartition))
  }

  return {
    adjust,
    hasRoom: ({ workBytes }) => workBytes < shareBytes,
    divideBy: (partitions) => {
      shareBytes = maxBytes / Math.max(1, partitions)
    },
    pauseAll: (flows) => {
      isStopped = true
      pause([...flows].filter(({ isPaused }) => !isPaused))
    },
    get pauses() {
      return pauses
    }
  }
}

/** Part of the share at which a partition resumes. The records in flight have to last until the first fetch after that is answered. */
const RESUME_SHARE = 0.7

function toTopicPartition({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}
