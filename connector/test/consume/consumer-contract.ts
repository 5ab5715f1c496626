import { randomUUID } from 'node:crypto'
import { type Position, toPosition } from '@keystamp/core'
import { connectKafka, type KafkaClient, type TopicRecord } from '@keystamp/lab'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { KafkaSettings } from '../../src/config/settings.ts'
import type { Consumer, RecordBatch } from '../../src/consume/consumer-port.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { expectContiguous, type Listening, listenTo, textOf } from './listening.ts'

/** What a driver has to hold, against a real Kafka. */
export interface ContractOptions {
  readonly brokers: string
  readonly isMissing: boolean
  readonly why: string
  readonly create: (settings: KafkaSettings) => Consumer
}

/** Every driver of the consumer passes this. */
export function describeConsumer(title: string, { brokers, isMissing, why, create }: ContractOptions): void {
  describe.skipIf(isMissing)(`${title}${why}`, () => {
    let kafka: KafkaClient
    let topic: string
    let group: string
    const started: Consumer[] = []

    beforeAll(async () => {
      kafka = await connectKafka(brokers)
    })

    afterEach(async () => {
      await Promise.all(started.splice(0).map((consumer) => consumer.stop()))
    })

    afterAll(() => kafka?.close())

    /** A topic that no other test has, and a group for it. */
    async function newTopic(partitions = 1, config: Readonly<Record<string, string>> = {}): Promise<string> {
      topic = `contract-${randomUUID().slice(0, 8)}`
      group = `group-of-${topic}`
      await kafka.createTopic(topic, { partitions, config })
      return topic
    }

    function make(others: Partial<KafkaSettings> = {}): Consumer {
      const consumer = create(kafkaSettings(brokers, group, [topic], others))
      started.push(consumer)
      return consumer
    }

    function join(others: Partial<KafkaSettings> = {}, received?: (batch: RecordBatch) => Position | undefined): Promise<Listening> {
      return listenTo(make(others), received)
    }

    describe('what is delivered', () => {
      it('is every record, in the order of its partition, from the earliest on', async () => {
        await newTopic(3)
        await kafka.produce(topic, numbered(90, 3))

        const member = await join()
        await member.untilValues(90)

        for (const partition of [0, 1, 2]) {
          expect(member.values({ topic, partition })).toEqual(
            numbered(90, 3)
              .filter((record) => record.partition === partition)
              .map(valueOf)
          )
        }
        expectContiguous(member.batches)
        expect(member.failures).toEqual([])
      })

      it('is each record whole: key, value, headers, timestamp, offset; null where there is none', async () => {
        await newTopic()
        await kafka.produce(topic, [
          { key: 'k', value: 'v', headers: { one: 'a', two: ['b', 'c'] }, timestamp: '1533818096000' },
          { key: null, value: null }
        ])

        const member = await join()
        await member.untilValues(2)

        const [full, bare] = member.records()
        expect(full).toMatchObject({ topic, partition: 0, offset: 0, timestamp: '1533818096000' })
        expect([full.key, full.value].map((bytes) => textOf(bytes))).toEqual(['k', 'v'])
        expect(full.headers).toEqual({ one: Buffer.from('a'), two: [Buffer.from('b'), Buffer.from('c')] })
        expect(bare).toMatchObject({ offset: 1, key: null, value: null, headers: {} })
      })

      it('comes from the end on where a new group is told so', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(5))

        const member = await join({ from: 'latest' })
        await new Promise((resolve) => setTimeout(resolve, 300))
        await kafka.produce(topic, [{ value: 'new' }])
        await member.untilValues(1)

        expect(member.values()).toEqual(['new'])
        expect(member.batches[0].from).toBe(5)
      })

      it('leaves out what was aborted, and steps over the records that end transactions', async () => {
        await newTopic()
        await kafka.produceTransaction(topic, numbered(3))
        await kafka.produceTransaction(topic, [{ value: 'aborted' }, { value: 'aborted too' }], { abort: true })
        await kafka.produceTransaction(topic, [{ value: 'last' }])

        const member = await join()
        await member.untilValues(4)
        await expect.poll(() => member.batches.at(-1)!.next, { timeout: 5000 }).toBe(9)

        expect(member.values()).toEqual(['0', '1', '2', 'last'])
        expectContiguous(member.batches)
        await member.commitAll()
        expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: [...(await kafka.ends(topic)).values()][0] }])
      })

      it('steps over a transaction of which nothing can be seen, and says how far', async () => {
        await newTopic()
        const member = await join()
        await kafka.produceTransaction(topic, [{ value: 'aborted' }], { abort: true })

        await expect.poll(() => member.batches.at(-1)?.next, { timeout: 5000 }).toBe(2)

        expect(member.values()).toEqual([])
        await kafka.produce(topic, [{ value: 'seen' }])
        await member.untilValues(1)
        expectContiguous(member.batches)
      })

      it('has gaps where compaction took records away', { timeout: 40_000 }, async () => {
        await newTopic(1, {
          'cleanup.policy': 'compact',
          'segment.bytes': '1048576',
          'segment.ms': '100',
          'min.cleanable.dirty.ratio': '0.01'
        })
        for (const value of ['a', 'b', 'c']) {
          await kafka.produce(topic, [
            { key: 'x', value },
            { key: `only ${value}`, value }
          ])
          await new Promise((resolve) => setTimeout(resolve, 150))
        }
        await kafka.produce(topic, [{ key: 'y', value: 'd' }])
        await expect.poll(async () => (await kafka.read(topic)).length, { timeout: 20_000 }).toBe(5)

        const member = await join()
        await member.untilValues(5)

        expect(member.records().map(({ offset }) => offset)).toEqual([1, 3, 4, 5, 6])
        expectContiguous(member.batches)
      })

      it('says how far the broker is', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(7))

        const member = await join()
        await member.untilValues(7)

        expect(member.batches.at(-1)).toMatchObject({ highWatermark: 7, next: 7 })
      })
    })

    describe('where reading goes on', () => {
      it('is the position that the listener answers with', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(10))
        let times = 0

        const member = await join({}, () => (times++ < 3 ? toPosition(4) : undefined))
        await member.untilValues(4 + 6)

        expect(member.values()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
      })

      it('may lie behind the batch, or before it', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(10))
        const answers = [toPosition(10), toPosition(2)]

        const member = await join({}, () => answers.shift())
        await member.untilValues(10)
        await kafka.produce(topic, [{ value: 'next' }])
        await member.untilValues(10 + 8 + 1)

        expect(member.batches.map(({ from }) => from).filter((from) => from === 2)).toHaveLength(1)
        expect(member.values().slice(-9)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', 'next'])
      })

      it('is the stored position after a restart, whatever was delivered behind it', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(10))
        const first = await join()
        await first.untilValues(10)
        await first.consumer.commit([{ topic, partition: 0, position: toPosition(6), metadata: '' }])
        await first.consumer.stop()

        const second = await join()
        await second.untilValues(4)

        expect(second.values()).toEqual(['6', '7', '8', '9'])
        expect(second.batches[0].from).toBe(6)
      })

      it('fails by name where the topic has lost the position, and leaves what the group has stored alone', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(10))
        await commitAt(3)
        await kafka.deleteRecordsBefore(topic, 0, '7')

        const member = await join()
        await expect.poll(() => member.failures, { timeout: 10_000 }).toMatchObject([{ code: 'OFFSETS_LOST' }])

        expect(member.failures[0].message).toContain(`Topic "${topic}", partition 0`)
        await member.consumer.stop()
        expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: '3' }])
      })

      it.for(['earliest', 'latest'] as const)('is the %s record there where the configuration says so', async (lostOffsets) => {
        await newTopic()
        await kafka.produce(topic, numbered(10))
        await commitAt(3)
        await kafka.deleteRecordsBefore(topic, 0, '7')

        const member = await join({ lostOffsets })
        await new Promise((resolve) => setTimeout(resolve, 1000))
        await kafka.produce(topic, [{ value: 'new' }])
        await expect.poll(() => member.values().at(-1), { timeout: 10_000 }).toBe('new')

        expect(member.values()).toEqual(lostOffsets === 'earliest' ? ['7', '8', '9', 'new'] : ['new'])
        expect(member.failures).toEqual([])
      })
    })

    describe('pausing', () => {
      it('takes effect at once, for one partition, and holds until it is resumed', async () => {
        await newTopic(2)
        await kafka.produce(topic, numbered(2, 2))
        const member = await join()
        await member.untilValues(2)

        member.consumer.pause([{ topic, partition: 0 }])
        await kafka.produce(topic, [
          { partition: 0, value: 'held' },
          { partition: 1, value: 'let through' }
        ])
        await member.untilValues(3)
        await new Promise((resolve) => setTimeout(resolve, 400))
        expect(member.values()).not.toContain('held')

        const before = performance.now()
        member.consumer.resume([{ topic, partition: 0 }])
        await member.untilValues(4)
        expect(performance.now() - before).toBeLessThan(member.consumer.resumeDelayMs + 1000)
        expectContiguous(member.batches)
      })

      it('holds from within the delivery of another partition of the same fetch', async () => {
        await newTopic(4)
        await kafka.produce(topic, numbered(40, 4))
        const consumer = make()
        const others = (partition: number) => [0, 1, 2, 3].filter((each) => each !== partition).map((each) => ({ topic, partition: each }))

        const member = await listenTo(consumer, (batch) => {
          if (member === undefined || new Set(member.batches.map(({ partition }) => partition)).size === 0)
            consumer.pause(others(batch.partition))
          return undefined
        })
        await new Promise((resolve) => setTimeout(resolve, 500))
        expect(new Set(member.batches.map(({ partition }) => partition)).size).toBe(1)

        consumer.resume([0, 1, 2, 3].map((partition) => ({ topic, partition })))
        await member.untilValues(40)
        expectContiguous(member.batches)
      })

      it('keeps the member in its group', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(3))
        const member = await join({ sessionTimeoutMs: 6000 }, () => {
          member.consumer.pause([{ topic, partition: 0 }])
          return undefined
        })
        await member.untilValues(3)

        await new Promise((resolve) => setTimeout(resolve, 2000))

        expect(member.assignments).toHaveLength(1)
        expect(performance.now() - member.consumer.lastHeartbeatMs).toBeLessThan(1500)
      })
    })

    describe('committing', () => {
      it('stores positions and metadata, which are read back', async () => {
        await newTopic(2)
        await kafka.produce(topic, numbered(10, 2))
        const member = await join()
        await member.untilValues(10)

        const stored = await member.commitAll('{"plan":"abc"}')

        expect(stored).toHaveLength(2)
        expect(await member.consumer.committed([0, 1, 2].map((partition) => ({ topic, partition })))).toEqual([
          { topic, partition: 0, position: 5, metadata: '{"plan":"abc"}' },
          { topic, partition: 1, position: 5, metadata: '{"plan":"abc"}' },
          { topic, partition: 2, position: undefined, metadata: '' }
        ])
      })

      it('is possible before anything was delivered', async () => {
        await newTopic()
        const member = await join()

        await member.consumer.commit([{ topic, partition: 0, position: toPosition(0), metadata: 'claimed' }])

        expect(await kafka.committed(group, [topic])).toEqual([{ topic, partition: 0, offset: '0', metadata: 'claimed' }])
      })

      it('never says that something was stored which was not, however early', async () => {
        await newTopic()
        const consumer = make()
        const commit = () => consumer.commit([{ topic, partition: 0, position: toPosition(0), metadata: 'early' }])
        let early: Promise<readonly unknown[]> | undefined

        await consumer.start({
          assigned: () => void (early ??= commit()),
          rebalancing: () => {},
          received: ({ next }) => next,
          failed: () => {}
        })
        const said = (await early)?.length
        const stored = (await kafka.committed(group, [topic])).filter(({ metadata }) => metadata === 'early').length

        expect(said).toBe(stored)
        await expect.poll(commit, { timeout: 5000 }).toHaveLength(1)
      })

      it('leaves out partitions that belong to another member, and says which were stored', async () => {
        await newTopic(2)
        await kafka.produce(topic, numbered(10, 2))
        const first = await join()
        await first.untilValues(10)
        const second = await join()
        await expect.poll(() => [first.assignments.at(-1)?.length, second.assignments.at(-1)?.length], { timeout: 15_000 }).toEqual([1, 1])

        const stored = await first.commitAll('by the first')

        expect(stored.map(({ partition }) => `${topic}/${partition}`)).toEqual(first.assignments.at(-1))
        const byPartition = await kafka.committed(group, [topic])
        expect(byPartition.filter(({ metadata }) => metadata === 'by the first')).toHaveLength(1)
      })

      it('stores nothing after the member has left', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(3))
        const member = await join()
        await member.untilValues(3)
        await member.consumer.stop()

        expect(await member.commitAll()).toEqual([])
        expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: undefined }])
      })
    })

    describe('the group', () => {
      it('gives partitions to a second member, and back when it leaves', async () => {
        await newTopic(4)
        const names = [0, 1, 2, 3].map((partition) => `${topic}/${partition}`)
        const first = await join()
        await first.untilAssigned(names)

        const second = await join()
        await expect
          .poll(() => [...first.assignments.at(-1)!, ...second.assignments.at(-1)!].toSorted(), { timeout: 15_000 })
          .toEqual(names)
        expect(first.assignments.at(-1)).toHaveLength(2)
        await second.consumer.stop()

        await first.untilAssigned(names)
        expect(await first.consumer.countPartitions()).toBe(4)
      })

      it('tells where partitions end, also those that are held back', async () => {
        await newTopic(4)
        await kafka.produce(topic, numbered(80, 4))
        const member = await join()
        const places = [0, 1, 2, 3].map((partition) => ({ topic, partition }))
        member.consumer.pause(places)

        const ends = await member.consumer.ends(places)

        expect([...ends.values()].reduce((sum: number, end) => sum + end, 0)).toBe(80)
      })

      it('hands over everything that is not stored when partitions move, and nothing else twice', async () => {
        await newTopic(4)
        await kafka.produce(topic, numbered(80, 4))
        const first = await join()
        await first.untilValues(80)
        await first.consumer.commit([0, 1].map((partition) => ({ topic, partition, position: toPosition(20), metadata: '' })))
        await first.consumer.stop()

        const second = await join()
        await second.untilValues(40)
        await new Promise((resolve) => setTimeout(resolve, 300))

        expect(second.values()).toHaveLength(40)
        expect(new Set(second.records().map(({ partition }) => partition))).toEqual(new Set([2, 3]))
      })

      it('begins kept partitions anew from what is stored after every join', async () => {
        await newTopic(2)
        await kafka.produce(topic, numbered(20, 2))
        const first = await join()
        await first.untilValues(20)
        await first.consumer.commit([0, 1].map((partition) => ({ topic, partition, position: toPosition(4), metadata: '' })))

        const second = await join()
        await expect.poll(() => first.assignments.at(-1)?.length, { timeout: 15_000 }).toBe(1)
        await first.untilValues(20 + 6)
        await second.untilValues(6)

        expect(first.batches.at(-1)!.next).toBe(10)
        expect(second.batches[0].from).toBe(4)
      })

      it('loses nothing while members come and go under load', { timeout: 60_000 }, async () => {
        await newTopic(4)
        const members = [await join({ maxBytesPerPartition: 16_384 })]
        const committing = setInterval(() => {
          for (const member of members) member.commitAll().catch(() => {})
        }, 40)
        const produced = produceSlowly(2000)

        for (let round = 0; round < 4; round++) {
          // oxlint-disable no-await-in-loop -- one after the other
          const guest = await join()
          members.push(guest)
          await new Promise((resolve) => setTimeout(resolve, 200 + 150 * round))
          await guest.commitAll()
          await guest.consumer.stop()
          // oxlint-enable no-await-in-loop
        }
        await produced

        const delivered = () => new Set(members.flatMap(({ values }) => values())).size
        await expect.poll(delivered, { timeout: 20_000 }).toBe(2000)
        const ends = [...(await kafka.ends(topic))].map(([partition, end]) => `${partition}:${end}`).toSorted()
        const committed = async () =>
          (await kafka.committed(group, [topic])).map(({ partition, offset }) => `${partition}:${offset}`).toSorted()
        await expect.poll(committed, { timeout: 10_000 }).toEqual(ends)
        clearInterval(committing)
        expect(members.flatMap(({ failures }) => failures)).toEqual([])
      })

      it('gets partitions that are added while it runs', { timeout: 40_000 }, async () => {
        await newTopic(1)
        const member = await join()

        await kafka.addPartitions(topic, 3)
        await member.untilAssigned([0, 1, 2].map((partition) => `${topic}/${partition}`))
        await kafka.produce(topic, [{ partition: 2, value: 'there' }])
        await member.untilValues(1)

        expect(await member.consumer.countPartitions()).toBe(3)
      })

      it('reads topics that appear while it runs, where their names match', { timeout: 40_000 }, async () => {
        await newTopic()
        const prefix = topic
        const member = await join({ topics: new RegExp(`^(?:${prefix}.*)$`) })
        await member.untilAssigned([`${prefix}/0`])

        await kafka.createTopic(`${prefix}-new`, { partitions: 1 })
        await kafka.produce(`${prefix}-new`, [{ value: 'from the new one' }])
        await member.untilValues(1)

        expect(member.values()).toEqual(['from the new one'])
        expect(member.assignments.at(-1)).toEqual([`${prefix}-new/0`, `${prefix}/0`])
      })

      it('fails by name when its topic is deleted', { timeout: 60_000 }, async () => {
        await newTopic()
        await kafka.produce(topic, numbered(3))
        const member = await join()
        await member.untilValues(3)

        await kafka.deleteTopic(topic)

        await expect.poll(() => member.failures, { timeout: 45_000 }).toMatchObject([{ code: 'TOPIC_MISSING' }])
      })

      it('goes on without a topic that is deleted where others still match', { timeout: 60_000 }, async () => {
        await newTopic()
        const prefix = topic
        await kafka.createTopic(`${prefix}-gone`)
        const member = await join({ topics: new RegExp(`^(?:${prefix}.*)$`) })

        await kafka.deleteTopic(`${prefix}-gone`)
        await member.untilAssigned([`${prefix}/0`])
        await kafka.produce(prefix, [{ value: 'still read' }])

        await member.untilValues(1)
        expect(member.failures).toEqual([])
      })
    })

    describe('starting and stopping', () => {
      it('refuses by name where no broker answers', async () => {
        const consumer = create(kafkaSettings('127.0.0.1:1', 'nobody', ['nothing']))

        await expect(listenTo(consumer)).rejects.toMatchObject({ code: 'KAFKA_UNAVAILABLE' })
        await consumer.stop()
      })

      it('refuses by name where a topic is missing', async () => {
        await newTopic()

        await expect(join({ topics: [topic, 'no-such-topic'] })).rejects.toMatchObject({
          code: 'TOPIC_MISSING',
          message: expect.stringContaining('"no-such-topic"')
        })
        await expect(join({ topics: /^no-such-topic$/ })).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
      })

      it('may be stopped from within a delivery, and then tells nothing more', async () => {
        await newTopic()
        await kafka.produce(topic, numbered(3))
        const consumer = make()
        let stopped: Promise<void> | undefined

        const member = await listenTo(consumer, () => {
          stopped ??= consumer.stop()
          return undefined
        })
        await expect.poll(() => stopped !== undefined, { timeout: 5000 }).toBe(true)
        await stopped
        const { length } = member.batches
        await kafka.produce(topic, numbered(3))
        await new Promise((resolve) => setTimeout(resolve, 300))

        expect(member.batches).toHaveLength(length)
        expect(member.failures).toEqual([])
      })

      it('leaves the group at once, so that nobody waits for its session to end', async () => {
        await newTopic(2)
        const first = await join({ sessionTimeoutMs: 30_000 })
        const second = await join({ sessionTimeoutMs: 30_000 })
        await expect.poll(() => second.assignments.at(-1)?.length, { timeout: 15_000 }).toBe(1)

        const before = performance.now()
        await first.consumer.stop()
        await second.untilAssigned([`${topic}/0`, `${topic}/1`])

        expect(performance.now() - before).toBeLessThan(5000)
      })

      it.for([0, 20, 60, 120, 200])('may be stopped %d ms after it was started, and nothing of it stays in the group', async (ms) => {
        await newTopic()
        const early = make({ sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 30_000 })
        const starting = listenTo(early).catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, ms))
        await early.stop()
        await starting

        const member = await join({ sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 30_000 })

        expect(member.assignments.at(-1)).toEqual([`${topic}/0`])
        await new Promise((resolve) => setTimeout(resolve, 300))
        expect(member.assignments).toHaveLength(1)
      })

      it('may be stopped twice', async () => {
        await newTopic()
        const member = await join()

        await Promise.all([member.consumer.stop(), member.consumer.stop()])

        expect(await Promise.race([member.consumer.stop(), new Promise((resolve) => setTimeout(resolve, 1000, 'late'))])).toBeUndefined()
      })
    })

    async function produceSlowly(count: number): Promise<void> {
      for (let first = 0; first < count; first += 50) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await kafka.produce(topic, numbered(50, 4, first))
      }
    }

    async function commitAt(position: number): Promise<void> {
      const member = await join()
      await member.untilValues(1)
      await member.consumer.commit([{ topic, partition: 0, position: toPosition(position), metadata: '' }])
      await member.consumer.stop()
    }
  })
}

function numbered(count: number, partitions = 1, first = 0): TopicRecord[] {
  return Array.from({ length: count }, (_, index) => ({ partition: index % partitions, key: `k${index}`, value: String(first + index) }))
}

function valueOf({ value }: TopicRecord): string {
  return String(value)
}
