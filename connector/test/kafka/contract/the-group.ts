import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { ConsumerFixture, OwnTopic } from './consumer-fixture.ts'
import { numbered } from './numbered.ts'
import { TopicPattern } from '../../../src/config/topic-pattern.ts'

/** How partitions move between members, and how topics appear and disappear. */
export function describeGroup({ newTopic }: ConsumerFixture): void {
  describe('a member of a group', () => {
    it('gives partitions to a second member, and gets them back when the second member leaves', async () => {
      const { topic, join } = await newTopic(4)
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

    it('reads the end offsets of partitions, even of paused partitions', async () => {
      const { kafka, topic, join } = await newTopic(4)
      await kafka.produce(topic, numbered(80, 4))
      const member = await join()
      const topicPartitions = [0, 1, 2, 3].map((partition) => ({ topic, partition }))
      member.consumer.pause(topicPartitions)

      const ends = await member.consumer.ends(topicPartitions)

      expect([...ends.values()].reduce((sum: number, end) => sum + end, 0)).toBe(80)
    })

    it('delivers all records after the stored offsets when partitions move, and no other record again', async () => {
      const { kafka, topic, join } = await newTopic(4)
      await kafka.produce(topic, numbered(80, 4))
      const first = await join()
      await first.untilValues(80)
      await first.consumer.commit(
        [0, 1].map((partition) => ({ topic, partition, position: toPosition(20), metadata: '' }))
      )
      await first.consumer.stop()

      const second = await join()
      await second.untilValues(40)
      await new Promise((resolve) => setTimeout(resolve, 300))

      expect(second.values()).toHaveLength(40)
      expect(new Set(second.records().map(({ partition }) => partition))).toEqual(new Set([2, 3]))
    })

    it('begins kept partitions again at the stored offset after every join', async () => {
      const { kafka, topic, join } = await newTopic(2)
      await kafka.produce(topic, numbered(20, 2))
      const first = await join()
      await first.untilValues(20)
      await first.consumer.commit(
        [0, 1].map((partition) => ({ topic, partition, position: toPosition(4), metadata: '' }))
      )

      const second = await join()
      await expect.poll(() => first.assignments.at(-1)?.length, { timeout: 15_000 }).toBe(1)
      await first.untilValues(20 + 6)
      await second.untilValues(6)

      expect(first.batches.at(-1)!.next).toBe(10)
      expect(second.batches[0].from).toBe(4)
    })

    it('loses no record while members join and leave under load', { timeout: 60_000 }, async () => {
      const own = await newTopic(4)
      const { kafka, topic, group, join } = own
      const members = [await join({ maxBytesPerPartition: 16_384 })]
      const committing = setInterval(() => {
        for (const member of members) member.commitAll().catch(() => {})
      }, 40)
      const produced = produceSlowly(own, 2000)

      for (let round = 0; round < 4; round++) {
        const guest = await join()
        members.push(guest)
        await new Promise((resolve) => setTimeout(resolve, 200 + 150 * round))
        await guest.commitAll()
        await guest.consumer.stop()
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
      const { kafka, topic, join } = await newTopic(1)
      const member = await join()

      await kafka.addPartitions(topic, 3)
      await member.untilAssigned([0, 1, 2].map((partition) => `${topic}/${partition}`))
      await kafka.produce(topic, [{ partition: 2, value: 'there' }])
      await member.untilValues(1)

      expect(await member.consumer.countPartitions()).toBe(3)
    })

    it('reads topics that are created while it runs if their names match', { timeout: 40_000 }, async () => {
      const { kafka, topic: prefix, join } = await newTopic()
      const member = await join({ topics: new TopicPattern(`${prefix}.*`) })
      await member.untilAssigned([`${prefix}/0`])

      await kafka.createTopic(`${prefix}-new`, { partitions: 1 })
      await kafka.produce(`${prefix}-new`, [{ value: 'from the new one' }])
      await member.untilValues(1)

      expect(member.values()).toEqual(['from the new one'])
      expect(member.assignments.at(-1)).toEqual([`${prefix}-new/0`, `${prefix}/0`])
    })

    it('fails with TOPIC_MISSING when its topic is deleted', { timeout: 60_000 }, async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(3))
      const member = await join()
      await member.untilValues(3)

      await kafka.deleteTopic(topic)

      await expect.poll(() => member.failures, { timeout: 45_000 }).toMatchObject([{ code: 'TOPIC_MISSING' }])
    })

    it('continues without a deleted topic while other topics match the pattern', { timeout: 60_000 }, async () => {
      const { kafka, topic: prefix, join } = await newTopic()
      await kafka.createTopic(`${prefix}-gone`)
      const member = await join({ topics: new TopicPattern(`${prefix}.*`) })

      await kafka.deleteTopic(`${prefix}-gone`)
      await member.untilAssigned([`${prefix}/0`])
      await kafka.produce(prefix, [{ value: 'still read' }])

      await member.untilValues(1)
      expect(member.failures).toEqual([])
    })
  })
}

async function produceSlowly({ kafka, topic }: OwnTopic, count: number): Promise<void> {
  for (let first = 0; first < count; first += 50) {
    await kafka.produce(topic, numbered(50, 4, first))
  }
}
