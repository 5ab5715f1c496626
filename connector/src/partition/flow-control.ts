import type { Consumer, TopicPartition } from '../kafka/consumer-port.ts'
import type { PartitionFlow } from './partition-flow.ts'

/** Holds back partitions of which too much is open, each by itself, so that all of them go on at the same pace. */
export interface FlowControl {
  /** Looks at a partition of which something was taken or settled. */
  readonly adjust: (flow: PartitionFlow) => void
  /** Whether more of what was taken may be worked on. */
  readonly hasRoom: (flow: PartitionFlow) => boolean
  /** So many partitions share the room from now on. */
  readonly divideBy: (partitions: number) => void
  /** Nothing is taken any more. */
  readonly holdAll: (flows: Iterable<PartitionFlow>) => void
  /** How often a partition was held back. */
  readonly pauses: number
}

/**
 * Divides `maxBytes` among the partitions, once for what was taken and once for what is worked on, which may be larger than it was.
 * A fetch that was under way when a partition was held back comes on top of what was taken, as it came.
 */
export function createFlowControl(consumer: Pick<Consumer, 'pause' | 'resume'>, maxBytes: number): FlowControl {
  let mostBytes = maxBytes
  let isHolding = false
  let pauses = 0

  function adjust(flow: PartitionFlow): void {
    if (isHolding || flow.isLost) return
    if (!flow.isPaused && flow.openBytes >= mostBytes) pause([flow])
    else if (flow.isPaused && flow.openBytes <= mostBytes * RESUME_SHARE) {
      flow.isPaused = false
      consumer.resume([placeOf(flow)])
    }
  }

  function pause(flows: readonly PartitionFlow[]): void {
    for (const flow of flows) flow.isPaused = true
    pauses += flows.length
    consumer.pause(flows.map(placeOf))
  }

  return {
    adjust,
    hasRoom: ({ workBytes }) => workBytes < mostBytes,
    divideBy: (partitions) => {
      mostBytes = maxBytes / Math.max(1, partitions)
    },
    holdAll: (flows) => {
      isHolding = true
      pause([...flows].filter(({ isPaused }) => !isPaused))
    },
    get pauses() {
      return pauses
    }
  }
}

// a resumed partition brings nothing for up to the longest wait of a fetch: what is still open has to last for so long
const RESUME_SHARE = 0.7

function placeOf({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}
