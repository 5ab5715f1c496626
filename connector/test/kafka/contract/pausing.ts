import { describe, expect, it } from 'vitest'
import { expectContiguous, listenTo } from '../listening.ts'
import type { ConsumerFixture } from './consumer-fixture.ts'
import { numbered } from './numbered.ts'

/** Behavior of a paused partition. */
export function describePausing({ newTopic }: ConsumerFixture): void {
  describe('a pause', () => {
    it('takes effect at once for one partition, and lasts until the partition is resumed', async () => {
      const { kafka, topic, join } = await newTopic(2)
      await kafka.produce(topic, numbered(2, 2))
      const member = await join()
      await member.untilValues(2)

      member.consumer.pause([{ topic, partition: 0 }])
      const producedMs = performance.now()
      await kafka.produce(topic, [
        { partition: 0, value: 'held' },
        { partition: 1, value: 'delivered' }
      ])
      await member.untilValues(3)
      const deliveryMs = performance.now() - producedMs
      await new Promise((resolve) => setTimeout(resolve, 400))
      expect(member.values()).not.toContain('held')

      const before = performance.now()
      member.consumer.resume([{ topic, partition: 0 }])
      await member.untilValues(4)
      // on a busy machine, every delivery takes longer
      expect(performance.now() - before).toBeLessThan(member.consumer.resumeDelayMs + 1000 + 10 * deliveryMs)
      expectContiguous(member.batches)
    })

    it('takes effect even during the delivery of another partition of the same fetch', async () => {
      const { kafka, topic, make } = await newTopic(4)
      await kafka.produce(topic, numbered(40, 4))
      const consumer = make()
      const others = (partition: number) =>
        [0, 1, 2, 3].filter((each) => each !== partition).map((each) => ({ topic, partition: each }))

      const member = await listenTo(consumer, (batch) => {
        if (member === undefined || new Set(member.batches.map(({ partition }) => partition)).size === 0)
          consumer.pause(others(batch.partition))
        return undefined
      })
      await member.untilValues(1)
      await new Promise((resolve) => setTimeout(resolve, 500))
      expect(new Set(member.batches.map(({ partition }) => partition)).size).toBe(1)

      consumer.resume([0, 1, 2, 3].map((partition) => ({ topic, partition })))
      await member.untilValues(40)
      expectContiguous(member.batches)
    })

    it('keeps the member in its group', async () => {
      const { kafka, topic, join } = await newTopic()
      await kafka.produce(topic, numbered(3))
      const member = await join({ sessionTimeoutMs: 6000 }, () => {
        member.consumer.pause([{ topic, partition: 0 }])
        return undefined
      })
      await member.untilValues(3)

      const pausedMs = performance.now()
      await expect.poll(() => member.consumer.lastHeartbeatMs).toBeGreaterThan(pausedMs + 1500)

      expect(member.assignments).toHaveLength(1)
    })
  })
}
