import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { ConsumerFixture, OwnTopic } from './consumer-fixture.ts'
import { numbered } from './numbered.ts'

/** Where reading continues after a delivery, a restart, or the loss of records. */
export function describeReadingOn({ newTopic }: ConsumerFixture): void {
  describe('a consumer that continues to read', () => {
    it('begins at the offset that the listener returns', async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(10))
      let times = 0

      const member = await join({}, () => (times++ < 3 ? toPosition(4) : undefined))
      await member.untilValues(4 + 6)

      expect(member.values()).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
    })

    it('can begin after the last batch, or before it', async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(10))
      const answers = [toPosition(10), toPosition(2)]

      const member = await join({}, () => answers.shift())
      await member.untilValues(10)
      await kafka.produce(topic, [{ value: 'next' }])
      await member.untilValues(10 + 8 + 1)

      expect(member.batches.map(({ from }) => from).filter((from) => from === 2)).toHaveLength(1)
      expect(member.values().slice(-9)).toEqual(['2', '3', '4', '5', '6', '7', '8', '9', 'next'])
    })

    it('begins at the earlier offset of `deliverFrom`, even if no new records arrive', async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(10))
      const member = await join()
      await member.untilValues(10)

      member.consumer.deliverFrom({ topic, partition: 0 }, toPosition(6))
      await member.untilValues(14)

      expect(member.values().slice(10)).toEqual(['6', '7', '8', '9'])
    })

    it('begins at the stored offset after a restart, even if records after it were delivered', async () => {
      const { kafka, topic, join } = await newTopic()
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

    it('fails with OFFSETS_LOST if the stored offset is out of range, and keeps the stored offset', async () => {
      const own = await newTopic()
      const { kafka, topic, group, join } = own
      await kafka.produce(topic, numbered(10))
      await commitAt(own, 3)
      await kafka.deleteRecordsBefore(topic, 0, '7')

      const member = await join()
      await expect.poll(() => member.failures, { timeout: 10_000 }).toMatchObject([{ code: 'OFFSETS_LOST' }])

      expect(member.failures[0].message).toContain(`Topic "${topic}", partition 0`)
      await member.consumer.stop()
      expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: '3' }])
    })

    it.for(['earliest', 'latest'] as const)(
      'begins at the %s record under `kafka.lostOffsets` if the stored offset is out of range',
      async (lostOffsets) => {
        const own = await newTopic()
        const { kafka, topic, group, join } = own
        await kafka.produce(topic, numbered(10))
        await commitAt(own, 3)
        await kafka.deleteRecordsBefore(topic, 0, '7')

        const member = await join({ lostOffsets })
        await expect.poll(() => member.moves).toHaveLength(1)
        await kafka.produce(topic, [{ value: 'new' }])
        await expect.poll(() => member.values().at(-1)).toBe('new')

        expect(member.values()).toEqual(lostOffsets === 'earliest' ? ['7', '8', '9', 'new'] : ['new'])
        expect(member.failures).toEqual([])
        expect(member.moves).toEqual([{ topic, partition: 0, from: 3, to: lostOffsets === 'earliest' ? 7 : 10 }])
        expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: '3', metadata: 'claim' }])
      }
    )
  })
}

async function commitAt({ topic, join }: OwnTopic, position: number): Promise<void> {
  const member = await join()
  await member.untilValues(1)
  await member.consumer.commit([{ topic, partition: 0, position: toPosition(position), metadata: 'claim' }])
  await member.consumer.stop()
}
