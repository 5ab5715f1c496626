import { setTimeout as pass } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { kafkaSettings } from '../kafka-settings.ts'
import { listenTo } from '../listening.ts'
import type { ConsumerFixture } from './consumer-fixture.ts'
import { numbered } from './numbered.ts'
import { TopicPattern } from '../../../src/config/topic-pattern.ts'

/** How a member starts, and how it leaves its group. */
export function describeStartingAndStopping({ create, newTopic }: ConsumerFixture): void {
  describe('a consumer that starts or stops', () => {
    it('waits while no broker answers, until it is stopped', async () => {
      const consumer = create(kafkaSettings('127.0.0.1:1', 'nobody', ['nothing']))
      let isOver = false
      const listening = listenTo(consumer).finally(() => (isOver = true))
      await pass(4000)
      expect(isOver).toBe(false)

      await consumer.stop()

      expect((await listening).failures).toEqual([])
    })

    it('fails with TOPIC_MISSING if a topic is missing', async () => {
      const { topic, join } = await newTopic()

      await expect(join({ topics: [topic, 'no-such-topic'] })).rejects.toMatchObject({
        code: 'TOPIC_MISSING',
        message: expect.stringContaining('"no-such-topic"')
      })
      await expect(join({ topics: new TopicPattern('no-such-topic') })).rejects.toMatchObject({ code: 'TOPIC_MISSING' })
    })

    it('may be stopped during a delivery, and then does not call its listener any more', async () => {
      const { kafka, topic, make } = await newTopic()
      await kafka.produce(topic, numbered(3))
      const consumer = make()
      let stopped: Promise<void> | undefined

      const member = await listenTo(consumer, () => {
        stopped ??= consumer.stop()
        return undefined
      })
      await expect.poll(() => stopped !== undefined).toBe(true)
      await stopped
      const { length } = member.batches
      await kafka.produce(topic, numbered(3))
      await new Promise((resolve) => setTimeout(resolve, 300))

      expect(member.batches).toHaveLength(length)
      expect(member.failures).toEqual([])
    })

    it('leaves the group at once, so that no member waits for its session to end', async () => {
      const { topic, join } = await newTopic(2)
      const first = await join({ sessionTimeoutMs: 30_000 })
      const second = await join({ sessionTimeoutMs: 30_000 })
      await expect.poll(() => second.assignments.at(-1)?.length, { timeout: 15_000 }).toBe(1)

      const before = performance.now()
      await first.consumer.stop()
      await second.untilAssigned([`${topic}/0`, `${topic}/1`])

      // less than the session, which began before
      expect(performance.now() - before).toBeLessThan(20_000)
    })

    it.for([0, 20, 60, 120, 200])(
      'may be stopped %d ms after its start, and leaves no member in the group',
      async (ms) => {
        const { topic, make, join } = await newTopic()
        const early = make({ sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 30_000 })
        const starting = listenTo(early).catch(() => {})
        await new Promise((resolve) => setTimeout(resolve, ms))
        await early.stop()
        await starting

        const before = performance.now()
        const member = await join({ sessionTimeoutMs: 30_000, rebalanceTimeoutMs: 30_000 })

        // less than the session of the first member
        expect(performance.now() - before).toBeLessThan(20_000)
        expect(member.assignments.at(-1)).toEqual([`${topic}/0`])
        await new Promise((resolve) => setTimeout(resolve, 300))
        expect(member.assignments).toHaveLength(1)
      }
    )

    it('may be stopped twice', async () => {
      const { join } = await newTopic()
      const member = await join()

      await Promise.all([member.consumer.stop(), member.consumer.stop()])

      expect(
        await Promise.race([member.consumer.stop(), new Promise((resolve) => setTimeout(resolve, 1000, 'late'))])
      ).toBeUndefined()
    })
  })
}
