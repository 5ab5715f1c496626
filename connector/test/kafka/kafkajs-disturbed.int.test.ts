import { connectKafka, type KafkaClient, type KafkaHandle, startKafka } from '@keystamp/testkit'
import { createRequire } from 'node:module'
import { setTimeout as pass } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sharedKafka } from '../../../test/e2e/shared-kafka.ts'
import type { KafkaSettings } from '../../src/config/settings.ts'
import type { Consumer } from '../../src/kafka/consumer-port.ts'
import { createKafkajsConsumer } from '../../src/kafka/kafkajs-consumer.ts'
import { MACHINE_CLOCK } from '../../src/lifecycle/clock.ts'
import { kafkaSettings } from './kafka-settings.ts'
import { expectContiguous, type Listening, listenTo } from './listening.ts'
import { QUIET } from './quiet-log.ts'

const { isMissing, why } = await sharedKafka()

describe.skipIf(isMissing)(`the consumer over kafkajs, under faults${why}`, () => {
  let broker: KafkaHandle
  let kafka: KafkaClient
  const started: Consumer[] = []

  beforeAll(async () => {
    broker = (await startKafka({ env: { ...process.env, KEYSTAMP_KAFKA: undefined } })) as KafkaHandle
    kafka = await connectKafka(broker.brokers)
  })

  afterEach(async () => {
    await Promise.all(started.splice(0).map((consumer) => consumer.stop()))
  })

  afterAll(async () => {
    await kafka?.close()
    await broker?.stop()
  })

  async function join(topic: string, others: Partial<KafkaSettings> = {}, retries?: number): Promise<Listening> {
    const settings = kafkaSettings(broker.brokers, `group-of-${topic}`, [topic], others)
    const consumer = createKafkajsConsumer({
      settings,
      clock: MACHINE_CLOCK,
      log: QUIET,
      ...(retries === undefined ? {} : { retries })
    })
    started.push(consumer)
    return listenTo(consumer)
  }

  it('continues at its offset when the broker is killed and restarted, without waiting for the end of its session', async () => {
    await kafka.createTopic('restarted', { partitions: 2 })
    await kafka.produce('restarted', numbered(0, 20))
    const member = await join('restarted', { sessionTimeoutMs: 60_000, rebalanceTimeoutMs: 60_000 })
    await member.untilValues(20)
    await member.commitAll()

    await broker.kill()
    await broker.restart()
    await kafka.produce('restarted', numbered(20, 20))
    await member.untilValues(40)

    expect(member.values().toSorted()).toEqual(
      numbered(0, 40)
        .map(({ value }) => value)
        .toSorted()
    )
    expectContiguous(member.batches)
    await expect.poll(() => member.commitAll(), { timeout: 10_000 }).toHaveLength(2)
    expect(member.failures).toEqual([])
  })

  it('waits for a broker that is not available yet, and can be stopped meanwhile', async () => {
    await kafka.createTopic('early')
    await kafka.produce('early', numbered(0, 5))
    await broker.kill()
    const waiting = join('early')
    const givenUp = join('early')
    await pass(500)
    await started[1].stop()
    await givenUp
    await broker.restart()

    const member = await waiting
    await member.untilValues(5)

    expect(member.failures).toEqual([])
  })

  it('reports the loss of all partitions when kafkajs gives up, and joins again as a new member', async () => {
    await kafka.createTopic('given-up')
    await kafka.produce('given-up', numbered(0, 5))
    const member = await join('given-up', {}, 1)
    await member.untilValues(5)
    await member.consumer.commit([
      { topic: 'given-up', partition: 0, position: member.batches.at(-1)!.next, metadata: '' }
    ])

    await broker.kill()
    await expect.poll(() => member.assignments.at(-1), { timeout: 20_000 }).toEqual([])
    expect(await member.commitAll()).toEqual([])
    await broker.restart()
    await member.untilAssigned(['given-up/0'])
    await kafka.produce('given-up', [{ value: 'after' }])
    await member.untilValues(6)

    expect(member.values()).toEqual(['0', '1', '2', '3', '4', 'after'])
    expect(member.failures).toEqual([])
  })

  it('reports the loss of all partitions when the coordinator has dropped the member', async () => {
    await kafka.createTopic('forgotten', { partitions: 2 })
    const member = await join('forgotten', { sessionTimeoutMs: 1500, heartbeatMs: 200 })
    await member.untilAssigned(['forgotten/0', 'forgotten/1'])

    blockFor(3000)
    expect(performance.now() - member.consumer.lastHeartbeatMs).toBeGreaterThan(member.consumer.sessionTimeoutMs)

    await expect.poll(() => member.assignments.length, { timeout: 10_000 }).toBe(3)
    expect(member.assignments.slice(1)).toEqual([[], ['forgotten/0', 'forgotten/1']])
    expect(member.failures).toEqual([])
  })

  it.each(['the admin client', 'every client'])(
    'stays in its group while OffsetFetch of %s is not answered',
    async (whose) => {
      const topic = `unanswered-${whose.replaceAll(' ', '-')}`
      await kafka.createTopic(topic, { partitions: 2 })
      await kafka.produce(topic, numbered(0, 5))
      const held = holdOffsetFetch(whose === 'every client')
      try {
        const member = await join(topic)
        await member.untilAssigned([`${topic}/0`, `${topic}/1`])
        const assignedMs = performance.now()
        await expect
          .poll(() => member.consumer.lastHeartbeatMs)
          .toBeGreaterThan(assignedMs + member.consumer.sessionTimeoutMs)
        held.release()
        await member.untilValues(5)

        expect(member.assignments).toHaveLength(1)
        expect(member.failures).toEqual([])
      } finally {
        held.release()
      }
    }
  )

  it('fails with the error that the listener threw, and does not call the listener again', async () => {
    await kafka.createTopic('broken')
    await kafka.produce('broken', numbered(0, 5))
    const failures: Error[] = []
    let times = 0
    const consumer = createKafkajsConsumer({
      settings: kafkaSettings(broker.brokers, 'group-of-broken', ['broken']),
      clock: MACHINE_CLOCK,
      log: QUIET
    })
    started.push(consumer)

    await consumer.start({
      assigned: () => {},
      rebalancing: () => {},
      learned: () => {},
      outOfRange: ({ to }) => to,
      received: () => {
        times++
        throw new Error('a mistake of the listener')
      },
      failed: (error) => void failures.push(error)
    })

    await expect.poll(() => failures.map(({ message }) => message)).toEqual(['a mistake of the listener'])
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(times).toBe(1)
  })

  it('stops soon although the broker is unavailable', async () => {
    await kafka.createTopic('away')
    const member = await join('away')
    await broker.kill()

    const before = performance.now()
    await member.consumer.stop()

    expect(performance.now() - before).toBeLessThan(7000)
    await broker.restart()
  })
})

function numbered(first: number, count: number): { readonly value: string }[] {
  return Array.from({ length: count }, (_, index) => ({ value: String(first + index) }))
}

/**
 * Delays OffsetFetch requests until `release`: those of the admin client, which sends the first one, or of all clients.
 */
function holdOffsetFetch(ofAll: boolean) {
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/broker/index.js')
  const { offsetFetch } = prototype
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = () => {
      prototype.offsetFetch = offsetFetch
      resolve()
    }
  })
  const admins = new Set<object>()
  prototype.offsetFetch = async function held(...request: unknown[]) {
    if (admins.size === 0) admins.add(this)
    if (ofAll || admins.has(this)) await released
    return offsetFetch.apply(this, request)
  }
  return { release }
}

/** Blocks the thread: neither timers nor heartbeats run meanwhile. */
function blockFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
