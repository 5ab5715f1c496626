import { toPosition, type Position } from '@keystamp/core'
import type { Consumer, ConsumerListener, SinkRecord } from '@keystamp/connector'
import { PARTITIONS, TOPIC } from './demo-setup.ts'
import type { GeneratedRecord } from './vehicle-records.ts'

/** A topic in memory, for a demo without Kafka. */
export interface GeneratedTopic {
  readonly append: (records: readonly GeneratedRecord[]) => void
  /** A consumer for one sink; each sink reads all records. */
  readonly createConsumer: () => Consumer
}

/** Creates the topic. It keeps all records: the demo is short. */
export function createGeneratedTopic(now: () => number): GeneratedTopic {
  const partitions: SinkRecord[][] = Array.from({ length: PARTITIONS }, () => [])
  const wakes = new Set<() => void>()
  let count = 0

  function append(records: readonly GeneratedRecord[]): void {
    for (const { key, value } of records) {
      const partition = count++ % PARTITIONS
      const offset = toPosition(partitions[partition].length)
      partitions[partition].push({
        topic: TOPIC,
        partition,
        offset,
        timestamp: String(Date.now()),
        key: Buffer.from(key),
        value,
        headers: {}
      })
    }
    for (const wake of wakes) wake()
  }

  function createConsumer(): Consumer {
    const positions = partitions.map((): Position => toPosition(0))
    const paused = new Set<number>()
    let listener: ConsumerListener | undefined
    let isQueued = false

    function deliver(): void {
      isQueued = false
      for (const [partition, log] of partitions.entries()) {
        const from = positions[partition]
        if (listener === undefined || paused.has(partition) || from >= log.length) continue
        const records = log.slice(from, from + MAX_BATCH_RECORDS)
        const next = toPosition(from + records.length)
        const highWatermark = toPosition(log.length)
        positions[partition] = listener.received({ topic: TOPIC, partition, records, from, next, highWatermark })
        if (positions[partition] < log.length) wake()
      }
    }

    function wake(): void {
      if (isQueued) return
      isQueued = true
      setImmediate(deliver)
    }

    return {
      start: (given) => {
        listener = given
        wakes.add(wake)
        listener.assigned(partitions.map((_, partition) => ({ topic: TOPIC, partition })))
        wake()
        return Promise.resolve()
      },
      pause: (topicPartitions) => {
        for (const { partition } of topicPartitions) paused.add(partition)
      },
      resume: (topicPartitions) => {
        for (const { partition } of topicPartitions) paused.delete(partition)
        wake()
      },
      deliverFrom: () => {
        // each consumer owns all partitions from beginning to end
      },
      resumeDelayMs: 0,
      sessionTimeoutMs: 30_000,
      get lastHeartbeatMs() {
        return now()
      },
      commit: (commits) => Promise.resolve(commits),
      committed: (topicPartitions) =>
        Promise.resolve(topicPartitions.map((topicPartition) => ({ ...topicPartition, position: undefined, metadata: '' }))),
      countPartitions: () => Promise.resolve(PARTITIONS),
      ends: () => Promise.resolve(new Map()),
      stop: () => {
        listener = undefined
        wakes.delete(wake)
        return Promise.resolve()
      }
    }
  }

  return { append, createConsumer }
}

const MAX_BATCH_RECORDS = 500
