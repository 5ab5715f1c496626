import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { ConsumerFixture } from './consumer-fixture.ts'
import { numbered } from './numbered.ts'

/** Committed offsets of the group, and their metadata. */
export function describeCommitting({ newTopic }: ConsumerFixture): void {
  describe('a commit', () => {
    it('stores offsets and metadata, which can be read back', async () => {
      const { kafka, topic, join } = await newTopic(2)
      await kafka.produce(topic, numbered(10, 2))
      const member = await join()
      await member.untilValues(10)

      const stored = await member.commitAll('{"plan":"abc"}')

      expect(stored).toHaveLength(2)
      expect(await member.consumer.committed([0, 1, 2].map((partition) => ({ topic, partition })))).toEqual([
        { topic, partition: 0, position: 5, metadata: '{"plan":"abc"}', initialPartitions: 2 },
        { topic, partition: 1, position: 5, metadata: '{"plan":"abc"}', initialPartitions: 2 },
        { topic, partition: 2, position: undefined, metadata: '', initialPartitions: 2 }
      ])
    })

    it('is possible before any record was delivered', async () => {
      const { kafka, topic, group, join } = await newTopic()
      const member = await join()

      await member.consumer.commit([{ topic, partition: 0, position: toPosition(0), metadata: 'claimed' }])

      expect(await kafka.committed(group, [topic])).toEqual([{ topic, partition: 0, offset: '0', metadata: 'claimed' }])
    })

    it('returns only offsets that were stored, even directly after the assignment', async () => {
      const { kafka, topic, group, make } = await newTopic()
      const consumer = make()
      const commit = () => consumer.commit([{ topic, partition: 0, position: toPosition(0), metadata: 'early' }])
      let early: Promise<readonly unknown[]> | undefined

      await consumer.start({
        assigned: () => void (early ??= commit()),
        rebalancing: () => {},
        learned: () => {},
        outOfRange: ({ to }) => to,
        received: ({ next }) => next,
        failed: () => {}
      })
      const returned = (await early)?.length
      const stored = (await kafka.committed(group, [topic])).filter(({ metadata }) => metadata === 'early').length

      expect(returned).toBe(stored)
      await expect.poll(commit).toHaveLength(1)
    })

    it('leaves out partitions that belong to another member, and returns the stored offsets', async () => {
      const { kafka, topic, group, join } = await newTopic(2)
      await kafka.produce(topic, numbered(10, 2))
      const first = await join()
      await first.untilValues(10)
      const second = await join()
      await expect
        .poll(() => [first.assignments.at(-1)?.length, second.assignments.at(-1)?.length], { timeout: 15_000 })
        .toEqual([1, 1])

      const stored = await first.commitAll('by the first')

      expect(stored.map(({ partition }) => `${topic}/${partition}`)).toEqual(first.assignments.at(-1))
      const byPartition = await kafka.committed(group, [topic])
      expect(byPartition.filter(({ metadata }) => metadata === 'by the first')).toHaveLength(1)
    })

    it('stores nothing after the member has left', async () => {
      const { kafka, topic, group, join } = await newTopic()
      await kafka.produce(topic, numbered(3))
      const member = await join()
      await member.untilValues(3)
      await member.consumer.stop()

      expect(await member.commitAll()).toEqual([])
      expect(await kafka.committed(group, [topic])).toMatchObject([{ offset: undefined }])
    })
  })
}
