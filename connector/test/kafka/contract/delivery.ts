import { describe, expect, it } from 'vitest'
import { expectContiguous, textOf } from '../listening.ts'
import type { ConsumerFixture } from './consumer-fixture.ts'
import { numbered } from './numbered.ts'

/** Delivery of a topic: which records, in which order, from which offset on. */
export function describeDelivery({ newTopic }: ConsumerFixture): void {
  describe('delivery', () => {
    it('includes every record, in the order of its partition, from the earliest record on', async () => {
      const { kafka, topic, join } = await newTopic(3)
      await kafka.produce(topic, numbered(90, 3))

      const member = await join()
      await member.untilValues(90)

      for (const partition of [0, 1, 2]) {
        expect(member.values({ topic, partition })).toEqual(
          numbered(90, 3)
            .filter((record) => record.partition === partition)
            .map(({ value }) => value)
        )
      }
      expectContiguous(member.batches)
      expect(member.failures).toEqual([])
    })

    it('includes whole records: key, value, headers, timestamp and offset, with null for a missing key or value', async () => {
      const { kafka, topic, join } = await newTopic()
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

    it('begins at the end for a new group under `from: latest`', async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(5))

      const member = await join({ from: 'latest' })
      await expect.poll(() => member.starts).toHaveLength(1)
      await kafka.produce(topic, [{ value: 'new' }])
      await member.untilValues(1)

      expect(member.values()).toEqual(['new'])
      expect(member.batches[0].from).toBe(5)
    })

    it('leaves out aborted records, and skips the markers that end transactions', async () => {
      const { kafka, topic, group, join } = await newTopic()
      await kafka.produceTransaction(topic, numbered(3))
      await kafka.produceTransaction(topic, [{ value: 'aborted' }, { value: 'aborted too' }], { abort: true })
      await kafka.produceTransaction(topic, [{ value: 'last' }])

      const member = await join()
      await member.untilValues(4)
      await expect.poll(() => member.batches.at(-1)!.next).toBe(9)

      expect(member.values()).toEqual(['0', '1', '2', 'last'])
      expectContiguous(member.batches)
      await member.commitAll()
      expect(await kafka.committed(group, [topic])).toMatchObject([
        { offset: [...(await kafka.ends(topic)).values()][0] }
      ])
    })

    it('leaves out aborted records even after a record whose key is four zero bytes, such as the 32-bit number 0', async () => {
      const { kafka, topic, join } = await newTopic()
      const zero = { key: Buffer.alloc(4), value: 'zero' }
      await kafka.produceTransaction(topic, [{ value: 'aborted' }, zero, { value: 'aborted too' }], { abort: true })
      await kafka.produceTransaction(topic, [zero, { value: 'last' }])

      const member = await join()
      await member.untilValues(2)

      expect(member.records().map(({ key, value }) => [key, textOf(value)])).toEqual([
        [Buffer.alloc(4), 'zero'],
        [null, 'last']
      ])
    })

    it('skips a transaction without visible records, and reports the next offset', async () => {
      const { kafka, topic, join } = await newTopic()
      const member = await join()
      await kafka.produceTransaction(topic, [{ value: 'aborted' }], { abort: true })

      await expect.poll(() => member.batches.at(-1)?.next).toBe(2)

      expect(member.values()).toEqual([])
      await kafka.produce(topic, [{ value: 'seen' }])
      await member.untilValues(1)
      expectContiguous(member.batches)
    })

    it('has gaps where compaction has removed records', { timeout: 40_000 }, async () => {
      const { kafka, topic, join } = await newTopic(1, {
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

    it('reports the high watermark of the broker', async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(7))

      const member = await join()
      await member.untilValues(7)

      expect(member.batches.at(-1)).toMatchObject({ highWatermark: 7, next: 7 })
    })
  })
}
