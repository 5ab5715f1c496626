import { type Container, CosmosClient } from '@azure/cosmos'
import type { Sink } from '@keystamp/connector'
import {
  createRandom,
  type EntityChange,
  type HistoryPeriod,
  judgeHistory,
  makeHistory,
  type Random,
  type TopicRecord
} from '@keystamp/testkit'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld, type World } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
/** `npm run prove:newest` runs more of them. */
const HISTORIES = Number(process.env['KEYSTAMP_HISTORIES'] ?? 1)
const FIRST_SEED = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

const PARTITIONS = 4
const FIRST_MS = Date.UTC(2026, 0, 1)
const MARKER_MS = 3_600_000
const IS_DELETED = '_keystampDeleted'
const POSITION = '_keystampPosition'

describe.skipIf(isMissing)(`random histories of sinks with \`write.newerBy\`${why}`, () => {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
    const random = createRandom(seed)
    const course = courseOf(random)
    // checks L19, L23
    it(`end with the last state of each entity, without twins (seed ${seed}: ${Object.values(course).join(', ')})`, async () => {
      const world = await startWorld({ brokers, partitions: PARTITIONS, keyPaths: ['/pk'], defaultTtl: -1 })
      const { endpoint, key } = world.emulator
      const client = new CosmosClient({
        endpoint,
        key,
        connectionPolicy: { enableBackgroundEndpointRefreshing: false }
      })
      const container = client.database('db').container('things')
      try {
        for (const period of makeHistory(random, course, { changes: 300 })) {
          injectFaults(world, random)
          await runPeriod({ world, container, random, course }, period)
          expect(judgeHistory(period.wanted, await documentsOf(world))).toEqual([])
          world.emulator.clock.advance(MARKER_MS + 1000)
          await forgetRecords(world)
        }
      } finally {
        client.dispose()
      }
    }, 120_000)
  }
})

/** The way in which the sinks of one history order and write its changes. */
interface Course {
  readonly changes: 'documents' | 'moves'
  readonly order: 'value' | 'offset'
  readonly by: 'field' | 'timestamp' | 'offset'
  readonly write: 'single' | 'atomic'
  readonly hasForeign: boolean
}

interface HistoryRun {
  readonly world: World
  readonly container: Container
  readonly random: Random
  readonly course: Course
}

function courseOf(random: Random): Course {
  const changes = random.pick(['documents', 'moves'] as const)
  const by = random.pick(['field', 'timestamp', 'offset'] as const)
  return {
    changes,
    by,
    order: by === 'offset' ? 'offset' : 'value',
    write: changes === 'documents' && random.chance(0.5) ? 'atomic' : 'single',
    hasForeign: random.chance(0.5)
  }
}

/** Two groups read the records, and another program writes; then a third group reads all records from the beginning. */
async function runPeriod({ world, container, random, course }: HistoryRun, period: HistoryPeriod): Promise<void> {
  await world.kafka.produce(world.topic, recordsOf(period))
  const sinks: Sink[] = []
  const start = async (group: string): Promise<Sink> => {
    const sink = await world.createSink(configOf(course, group))
    sinks.push(sink)
    await sink.start()
    return sink
  }
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const foreign = writeForeign(container, period.foreign, { random, course })
  const hasMember = random.chance(0.5)
  const [stopped] = await Promise.all([start(first), start(second), ...(hasMember ? [start(first)] : [])])
  // the records that are not committed are read again
  await stopped.stop()
  await Promise.all([start(first), untilCommitted(world, first), untilCommitted(world, second), foreign])
  await start(third)
  await untilCommitted(world, third)
  await Promise.all(sinks.map((sink) => sink.stop()))
  expect(sinks.map((sink) => sink.stats().rejected)).toEqual(sinks.map(() => ({})))
}

function configOf({ changes, by, write }: Course, group: string): object {
  return {
    kafka: { group },
    plan: { into: '/pk', from: [{ field: '/area' }] },
    write: {
      newerBy: { order: by === 'field' ? '/n' : by, ties: 'first', markerTtl: '1h' },
      operation: { field: '/op', values: { store: 'store', delete: 'delete' } },
      dropProperties: ['op', 'before'],
      atomic: write === 'atomic',
      ...(changes === 'moves' ? { rehome: { before: '/before' } } : {})
    }
  }
}

function recordsOf({ partitions }: HistoryPeriod): readonly TopicRecord[] {
  return partitions.flatMap((changes, partition) =>
    changes.map(({ entity, area, before, kind, n }) => ({
      key: entity,
      partition,
      timestamp: String(FIRST_MS + n),
      value: JSON.stringify({
        id: entity,
        area,
        n,
        sum: 0,
        op: kind,
        before: before === undefined || kind === 'delete' ? null : { id: entity, area: before }
      })
    }))
  )
}

function injectFaults({ emulator }: World, random: Random): void {
  emulator.faults.clear()
  const actions = [
    { kind: 'applyThenDrop' },
    { kind: 'reset' },
    { kind: 'status', status: 503 },
    { kind: 'applyThenStatus', status: 408 },
    { kind: 'applyThenDelay', ms: 300 }
  ] as const
  for (const action of actions)
    emulator.faults.inject({ on: ['bulk', 'batch'], probability: random.next() * 0.2, count: 6, action })
}

/** Stores changes if they are newer: reads, and then creates, or replaces with the ETag. */
async function writeForeign(
  container: Container,
  changes: readonly EntityChange[],
  { random, course }: Pick<HistoryRun, 'random' | 'course'>
): Promise<void> {
  for (const { entity, area, before, kind, n } of changes) {
    await new Promise((resolve) => setTimeout(resolve, random.next() * 60))
    const value = course.by === 'timestamp' ? FIRST_MS + n : n
    const position = { [POSITION]: { value } }
    const markerOf = (key: string): object => ({ id: entity, pk: key, n, [IS_DELETED]: true, ttl: 3600, ...position })
    const document = { id: entity, pk: area, area, n, sum: 0, ...position }
    await storeForeign(container, { id: entity, key: area, value }, kind === 'delete' ? markerOf(area) : document)
    if (kind === 'store' && before !== undefined && before !== area)
      await storeForeign(container, { id: entity, key: before, value }, markerOf(before))
  }
}

async function storeForeign(
  container: Container,
  { id, key, value }: { readonly id: string; readonly key: string; readonly value: number },
  document: object
): Promise<void> {
  for (;;) {
    const { resource, etag } = await container.item(id, key).read<Record<typeof POSITION, { value: number }>>()
    if (resource !== undefined && resource[POSITION].value >= value) return
    try {
      if (resource === undefined) await container.items.create(document)
      else await container.item(id, key).replace(document, { accessCondition: { type: 'IfMatch', condition: etag } })
      return
    } catch (error) {
      // another writer came between
      if (![404, 409, 412].includes((error as { readonly code: number }).code)) throw error
    }
  }
}

async function untilCommitted({ kafka, topic }: World, group: string): Promise<void> {
  const ends = await kafka.ends(topic)
  await expect
    .poll(
      async () => {
        const offsets = await kafka.committed(group, [topic])
        return offsets.filter(({ partition, offset = '0' }) => Number(offset) < Number(ends.get(partition))).length
      },
      { timeout: 60_000, interval: 100 }
    )
    .toBe(0)
}

/** Removes all records, as retention does before markers expire. */
async function forgetRecords({ kafka, topic }: World): Promise<void> {
  for (const [partition, end] of await kafka.ends(topic))
    if (Number(end) > 0) await kafka.deleteRecordsBefore(topic, partition, end)
}

async function documentsOf(world: World) {
  const live = (await world.documents()).filter((document) => document[IS_DELETED] !== true)
  return live.map(({ id, area, n, sum }) => ({ entity: id, area: String(area), n: Number(n), sum: Number(sum) }))
}
