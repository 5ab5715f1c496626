import type { Position } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { writeMetadata } from '../../src/kafka/consumer-port.ts'
import { Assignment } from '../../src/kafka/delivery.ts'
import { type KafkaFailure, RefusedRequests } from '../../src/kafka/kafka-errors.ts'
import { findStartPositions, learnPositions, readCommitted } from '../../src/kafka/start-positions.ts'
import { createAuthGrace } from '../../src/lifecycle/auth-grace.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const topicPartitions = [0, 1, 2].map((partition) => ({ topic: 't', partition }))

const admin = {
  fetchOffsets: async () => [
    {
      topic: 't',
      partitions: [
        { partition: 0, offset: '7', metadata: 'signed' },
        { partition: 1, offset: '-1', metadata: null },
        // the offset that kafkajs commits when it resets a partition to the earliest record
        { partition: 2, offset: '-2', metadata: null }
      ]
    }
  ],
  fetchTopicOffsets: async () => [0, 1, 2, 3].map((partition) => ({ partition, offset: '90', high: '90', low: '10' })),
  /** The record with the offset `n` has the timestamp `n`. */
  fetchTopicOffsetsByTimestamp: async (_topic: string, ms = 0) =>
    [0, 1, 2, 3].map((partition) => ({ partition, offset: String(Math.min(90, Math.max(10, ms))) }))
}

describe('readCommitted', () => {
  it('returns stored offsets, and undefined for partitions without a stored offset', async () => {
    expect(await readCommitted(admin, 'g', topicPartitions)).toEqual([
      { topic: 't', partition: 0, position: 7, metadata: 'signed', initialPartitions: 1 },
      { topic: 't', partition: 1, position: undefined, metadata: '', initialPartitions: 1 },
      { topic: 't', partition: 2, position: undefined, metadata: '', initialPartitions: 1 }
    ])
  })

  it('sends no request if the list of partitions is empty', async () => {
    expect(await readCommitted({ fetchOffsets: () => Promise.reject(new Error('asked')) }, 'g', [])).toEqual([])
  })
})

describe('findStartPositions', () => {
  it.for([
    ['earliest', 10],
    ['latest', 90],
    [50, 50],
    // all records are newer, or older
    [0, 10],
    [1000, 90]
  ] as const)(
    'returns the stored offset, or the offset of the record that `from: %s` selects if the group has no stored offset',
    async ([from, end]) => {
      const { positions, starts } = await findStartPositions(
        storing({ 0: 7 }, 3),
        { group: 'g', from },
        topicPartitions
      )
      expect([...positions]).toEqual([
        ['t/0', 7],
        ['t/1', end],
        ['t/2', end]
      ])
      expect(starts).toEqual([1, 2].map((partition) => ({ topic: 't', partition, position: end, low: 10, high: 90 })))
    }
  )

  it('returns the offset of the latest record for a group without stored offsets under `latest`', async () => {
    const { positions } = await findStartPositions(storing({}), { group: 'g', from: 'latest' }, topicPartitions)
    expect([...positions.values()]).toEqual([90, 90, 90])
  })

  it.for([
    ['latest', 90],
    [50, 50]
  ] as const)(
    'returns the offset of the earliest record of a partition that was added after the group began to read the topic (`from: %s`)',
    async ([from, end]) => {
      const { positions } = await findStartPositions(storing({ 0: 7 }, 2), { group: 'g', from }, topicPartitions)
      expect([...positions.values()]).toEqual([7, end, 10])
    }
  )

  it('returns the offset of the earliest record of a partition that was added between the two answers of Kafka', async () => {
    const { positions } = await findStartPositions(
      { ...storing({}), fetchTopicOffsetsByTimestamp: async () => [{ partition: 0, offset: '50' }] },
      { group: 'g', from: 50 },
      topicPartitions
    )
    expect([...positions.values()]).toEqual([50, 10, 10])
  })

  // checks L1
  it('returns its first start offset again while the group has stored no offset, even if records have arrived since', async () => {
    const learned = new Map<string, Position>()
    const find = async (low: string, high: string): Promise<readonly (number | undefined)[]> => {
      const ends = [0, 1, 2].map((partition) => ({ partition, offset: high, high, low }))
      const { positions } = await findStartPositions(
        { ...storing({}), fetchTopicOffsets: async () => ends },
        { group: 'g', from: 'latest' },
        topicPartitions,
        learned
      )
      return [...positions.values()]
    }

    expect(await find('10', '90')).toEqual([90, 90, 90])
    expect(await find('10', '95')).toEqual([90, 90, 90])
    expect(await find('92', '96')).toEqual([92, 92, 92])
    expect(await find('0', '5')).toEqual([5, 5, 5])
  })

  it('forgets the start offset once the group has stored an offset', async () => {
    const learned = new Map<string, Position>()
    await findStartPositions(storing({}), { group: 'g', from: 'latest' }, topicPartitions, learned)
    await findStartPositions(storing({ 0: 7 }, 3), { group: 'g', from: 'latest' }, topicPartitions, learned)

    expect([...learned.keys()]).toEqual(['t/1', 't/2'])
  })

  it('treats partitions after the last stored offset as added later if no commit names the number of partitions', async () => {
    const { positions } = await findStartPositions(storing({ 1: 7 }), { group: 'g', from: 'latest' }, topicPartitions)
    expect(Object.fromEntries(positions)).toEqual({ 't/0': 90, 't/1': 7, 't/2': 10 })
  })
})

/** A group that stores these offsets. Its commits contain the number of partitions. */
function storing(offsets: Readonly<Record<number, number>>, partitions?: number): typeof admin {
  const metadata = writeMetadata({ plan: 'p', by: 'me', hasLeft: false, partitions })
  return {
    ...admin,
    fetchOffsets: async () => [
      {
        topic: 't',
        partitions: [0, 1, 2].map((partition) =>
          partition in offsets
            ? { partition, offset: String(offsets[partition]), metadata }
            : { partition, offset: '-1', metadata: null }
        )
      }
    ]
  }
}

const REFUSED = Object.assign(new Error('SASL PLAIN authentication failed'), { name: 'KafkaJSSASLAuthenticationError' })
const AWAY = Object.assign(new Error('Connection timeout'), {
  name: 'KafkaJSConnectionError',
  type: 'x',
  retriable: true
})
const MINUTE_MS = 60_000

describe('the requests for the start positions of an assignment', () => {
  it('are retried with growing delays while Kafka refuses the credentials, until the grace period ends', async () => {
    const { clock, askedMs, failures } = await learn(() => REFUSED)
    await clock.runUntil(20 * MINUTE_MS)

    expect(askedMs.slice(0, 8)).toEqual([0, 200, 600, 1400, 3000, 6200, 12_600, 25_400])
    const gaps = askedMs.slice(8).map((ms, index) => ms - askedMs[index + 7])
    expect(new Set(gaps)).toEqual(new Set([15_000]))
    expect(askedMs.length).toBeLessThan(70)
    expect(failures).toEqual(['KAFKA_UNAUTHORIZED'])
    expect(clock.pending).toBe(0)
  })

  it('are retried five times a second while Kafka is unavailable', async () => {
    const { clock, askedMs } = await learn(() => AWAY)
    await clock.runUntil(10_000)

    expect(askedMs).toHaveLength(51)
  })

  it('are retried soon if Kafka becomes unavailable after it has refused the credentials', async () => {
    const { clock, askedMs } = await learn((count) => (count <= 6 ? REFUSED : AWAY))
    await clock.runUntil(13_000)

    expect(askedMs.slice(5)).toEqual([6200, 12_600, 12_800, 13_000])
  })

  it('are not retried after another assignment', async () => {
    const { clock, askedMs, end } = await learn(() => REFUSED)
    await clock.runUntil(26_000)
    end()
    await clock.runUntil(26_400)

    expect(askedMs).toHaveLength(8)
    expect(clock.pending).toBe(0)
  })
})

async function learn(errorOf: (count: number) => Error) {
  const clock = new VirtualClock()
  const auth = createAuthGrace({ clock, graceMs: 15 * MINUTE_MS, reread: () => Promise.resolve() })
  const refused = new RefusedRequests(auth)
  refused.joined()
  const askedMs: number[] = []
  const failures: string[] = []
  let isCurrent = true
  void learnPositions({
    assignment: new Assignment([]),
    isCurrent: () => isCurrent && failures.length === 0,
    find: () => {
      askedMs.push(clock.now())
      return Promise.reject(errorOf(askedMs.length))
    },
    onLearned: () => undefined,
    clock,
    passes: (failure: KafkaFailure) => refused.passes(failure, 'start positions'),
    fail: (error) => failures.push((error as Error & { code: string }).code)
  })
  await turn()
  return {
    clock,
    askedMs,
    failures,
    end: () => {
      isCurrent = false
    }
  }
}
