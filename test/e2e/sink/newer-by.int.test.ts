import { randomUUID } from 'node:crypto'
import { createRandom, type TopicRecord } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const PLAN = { into: '/partitionKey', from: [{ kafka: 'key' }] }
const FIRST_MS = Date.UTC(2026, 0, 1)

describe.skipIf(isMissing)(`a sink with \`write.newerBy\`${why}`, () => {
  // checks L23
  it('stores the newest change of each document, though its records are in several partitions and read several times', async () => {
    const world = await startWorld({ brokers, partitions: 4, defaultTtl: -1 })
    const write = { newerBy: { order: 'timestamp' } }
    const { records, newest } = shuffledHistory(60, 400)
    await world.kafka.produce(world.topic, records)

    const groups = Array.from({ length: 2 }, () => ({ kafka: { group: `again-${randomUUID()}` } }))
    const sinks = await Promise.all(groups.map((group) => world.createSink({ plan: PLAN, write, ...group })))
    await Promise.all(sinks.map((sink) => sink.start()))
    for (const sink of sinks) await expect.poll(() => sink.stats().written, { timeout: 60_000 }).toBe(records.length)
    await Promise.all(sinks.map((sink) => sink.stop()))

    const stored = await world.documents()
    expect(new Map(stored.map(({ id, n }) => [id, n]))).toEqual(newest)
    const older = sinks.map((sink) => sink.stats().containers[0].newest!.older)
    // at least the records that both sinks have read, but for the newest ones
    expect(older[0] + older[1]).toBeGreaterThan(records.length / 2)
  }, 120_000)

  // checks L23
  it('leaves a marker for a tombstone, so that a replay does not bring the document back', async () => {
    const world = await startWorld({ brokers, partitions: 1, defaultTtl: -1 })
    const config = {
      plan: PLAN,
      id: { strategy: 'fullKey' },
      write: { newerBy: { order: 'timestamp', markerTtl: '7d' }, tombstones: 'delete' }
    }
    await world.play(config, [
      { key: 'a', value: '{"n":1}', timestamp: String(FIRST_MS) },
      { key: 'a', value: null, timestamp: String(FIRST_MS + 1) }
    ])
    const marker = { id: 'a', partitionKey: 'a', _keystampDeleted: true, ttl: 7 * 86_400 }
    expect(await world.documents()).toMatchObject([marker])

    const again = await world.createSink({ ...config, kafka: { group: `again-${randomUUID()}` } })
    await again.start()
    await expect.poll(() => again.stats().written, { timeout: 30_000 }).toBe(2)
    expect(await world.documents()).toMatchObject([marker])
  })

  // checks L23
  it('applies each patch once, also increments, though answers are lost, and its records are read several times', async () => {
    const world = await startWorld({ brokers, partitions: 2, defaultTtl: -1 })
    const ids = ['a', 'b', 'c', 'd', 'e']
    await world.play({ plan: PLAN, write: { newerBy: { order: 'offset' } } }, ids.map(startOf))
    const patch = { properties: { sum: 'increment' } }
    const config = { plan: PLAN, write: { strategy: 'patch', patch, newerBy: { order: 'offset' } } }
    const records = Array.from({ length: 300 }, (_, n) => ({
      key: ids[n % ids.length],
      value: JSON.stringify({ id: ids[n % ids.length], sum: 1, [`n${n % 3}`]: n })
    }))
    await world.kafka.produce(world.topic, records)
    for (const kind of ['applyThenDrop', 'reset'] as const)
      world.emulator.faults.inject({ on: 'bulk', probability: 0.3, count: 10, action: { kind } })

    const groups = Array.from({ length: 2 }, () => ({ kafka: { group: `again-${randomUUID()}` } }))
    const sinks = await Promise.all(groups.map((group) => world.createSink({ ...config, ...group })))
    await Promise.all(sinks.map((sink) => sink.start()))
    for (const sink of sinks)
      await expect.poll(() => sink.stats().written, { timeout: 60_000 }).toBe(ids.length + records.length)
    await Promise.all(sinks.map((sink) => sink.stop()))

    expect((await world.documents()).map(({ sum }) => sum)).toEqual(ids.map(() => 60))
  })

  // checks L23
  it('stores the newest change of each document with `write.atomic`, though its records are in several partitions', async () => {
    const world = await startWorld({ brokers, partitions: 4, defaultTtl: -1 })
    const plan = { into: '/partitionKey', from: [{ field: '/area' }] }
    const write = { atomic: true, newerBy: { order: 'timestamp' } }
    const { records, newest } = shuffledHistory(60, 400)
    await world.kafka.produce(world.topic, records)

    const groups = Array.from({ length: 2 }, () => ({ kafka: { group: `again-${randomUUID()}` } }))
    const sinks = await Promise.all(groups.map((group) => world.createSink({ plan, write, ...group })))
    await Promise.all(sinks.map((sink) => sink.start()))
    for (const sink of sinks) await expect.poll(() => sink.stats().written, { timeout: 60_000 }).toBe(records.length)
    await Promise.all(sinks.map((sink) => sink.stop()))

    expect(new Map((await world.documents()).map(({ id, n }) => [id, n]))).toEqual(newest)
  })

  it('does not compare the offsets of a topic with those of a former topic of the same name', async () => {
    const world = await startWorld({ brokers, partitions: 1, defaultTtl: -1 })
    const config = { plan: PLAN, write: { newerBy: { order: 'offset' } }, rejects: { policy: 'skip' } }
    const first = [1, 2, 3].map((n) => ({ key: 'a', value: JSON.stringify({ id: 'a', n }) }))
    expect(await world.play(config, first)).toMatchObject([{ id: 'a', n: 3 }])

    await world.kafka.deleteTopic(world.topic)
    await world.kafka.createTopic(world.topic, { partitions: 1 })
    await world.kafka.produce(world.topic, [{ key: 'a', value: '{"id":"a","n":4}' }])

    // by its offset, which is 0, the record would be older and would be dropped
    const rejecting = await world.createSink({ ...config, kafka: { group: `again-${randomUUID()}` } })
    await rejecting.start()
    await expect.poll(() => rejecting.stats().rejected, { timeout: 30_000 }).toEqual({ ORDER_UNKNOWN: 1 })

    const write = { newerBy: { order: 'offset', ties: 'last' } }
    const replacing = await world.createSink({ ...config, write, kafka: { group: `last-${randomUUID()}` } })
    await replacing.start()
    await expect.poll(() => replacing.stats().written, { timeout: 30_000 }).toBe(1)
    expect(await world.documents()).toMatchObject([{ id: 'a', n: 4 }])
  })
})

function startOf(id: string): TopicRecord {
  return { key: id, value: JSON.stringify({ id, sum: 0 }) }
}

/** Changes of several documents, each at its own time, in random order and in random partitions. */
function shuffledHistory(documents: number, changes: number) {
  const random = createRandom(1)
  const newest = new Map<string, number>()
  const records: TopicRecord[] = []
  for (let n = 0; n < changes; n++) {
    const id = `d${random.below(documents)}`
    newest.set(id, n)
    const value = JSON.stringify({ id, n, area: id.slice(0, 2) })
    const record = { key: id, value, timestamp: String(FIRST_MS + n), partition: random.below(4) }
    records.splice(random.below(records.length + 1), 0, record)
  }
  return { records, newest }
}
