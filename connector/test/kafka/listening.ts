import type { Position } from '@keystamp/core'
import { expect } from 'vitest'
import {
  type Commit,
  type Consumer,
  type ConsumerListener,
  type OutOfRange,
  partitionName,
  type RecordBatch,
  type SinkRecord,
  type Start,
  type TopicPartition
} from '../../src/kafka/consumer-port.ts'

/** A consumer, and the recorded calls of its listener. */
export interface Listening {
  readonly consumer: Consumer
  /** Names of the partitions, for each call of `assigned`. */
  readonly assignments: (readonly string[])[]
  readonly batches: RecordBatch[]
  readonly failures: Error[]
  /** Learned first offsets of partitions without a stored one. */
  readonly starts: Start[]
  /** Positions at which reading continued after records were lost. */
  readonly moves: Pick<OutOfRange, 'topic' | 'partition' | 'from' | 'to'>[]
  /** Records of a partition, in the order of arrival. */
  readonly records: (topicPartition?: TopicPartition) => readonly SinkRecord[]
  readonly values: (topicPartition?: TopicPartition) => readonly string[]
  /** Commits everything that was delivered so far. */
  readonly commitAll: (metadata?: string) => Promise<readonly Commit[]>
  readonly untilValues: (count: number) => Promise<void>
  readonly untilAssigned: (names: readonly string[]) => Promise<void>
}

const WAIT = { timeout: 20_000, interval: 20 }

/**
 * Starts a consumer and records the calls of its listener. `received` may return another offset than the end of the
 * batch.
 */
export async function listenTo(
  consumer: Consumer,
  received: (batch: RecordBatch) => Position | undefined = () => undefined
): Promise<Listening> {
  const assignments: (readonly string[])[] = []
  const batches: RecordBatch[] = []
  const failures: Error[] = []
  const starts: Start[] = []
  const moves: Listening['moves'] = []
  const ends = new Map<string, Commit>()
  const listener: ConsumerListener = {
    assigned: (partitions) => {
      const names = partitions.map(partitionName).toSorted()
      assignments.push(names)
      // records of a lost partition do not count any more
      for (const name of ends.keys()) if (!names.includes(name)) ends.delete(name)
    },
    rebalancing: () => {},
    learned: (all) => void starts.push(...all),
    outOfRange: ({ topic, partition, from, to }) => {
      moves.push({ topic, partition, from, to })
      return to
    },
    received: (batch) => {
      const answer = received(batch) ?? batch.next
      batches.push({ ...batch, records: batch.records.filter(({ offset }) => offset < answer) })
      ends.set(partitionName(batch), { topic: batch.topic, partition: batch.partition, position: answer, metadata: '' })
      return answer
    },
    failed: (error) => void failures.push(error)
  }
  const records = (topicPartition?: TopicPartition): readonly SinkRecord[] =>
    batches
      .filter((batch) => topicPartition === undefined || partitionName(topicPartition) === partitionName(batch))
      .flatMap((batch) => batch.records)
  const values = (topicPartition?: TopicPartition): readonly string[] =>
    records(topicPartition).map(({ value }) => textOf(value))
  await consumer.start(listener)
  return {
    consumer,
    assignments,
    batches,
    failures,
    starts,
    moves,
    records,
    values,
    commitAll: (metadata = '') => consumer.commit([...ends.values()].map((end) => ({ ...end, metadata }))),
    untilValues: async (count) => {
      await expect.poll(() => values().length, WAIT).toBeGreaterThanOrEqual(count)
    },
    untilAssigned: async (names) => {
      await expect.poll(() => assignments.at(-1), WAIT).toEqual(names.toSorted())
    }
  }
}

/** Text of a value; `(null)` for a tombstone. */
export function textOf(value: Uint8Array | null): string {
  return value === null ? '(null)' : Buffer.from(value).toString('utf8')
}

/** Checks that no offset was left out or delivered twice: each batch begins where the one before it ended. */
export function expectContiguous(batches: readonly RecordBatch[]): void {
  const ends = new Map<string, Position>()
  for (const batch of batches) {
    const name = partitionName(batch)
    expect(batch.from).toBe(ends.get(name) ?? batch.from)
    for (const [index, { offset }] of batch.records.entries()) {
      expect(offset).toBeGreaterThanOrEqual(index === 0 ? batch.from : batch.records[index - 1].offset + 1)
      expect(offset).toBeLessThan(batch.next)
    }
    ends.set(name, batch.next)
  }
}
