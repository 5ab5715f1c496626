import { openReplay, type ReplayFilter } from '@keystamp/connector'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld, type World } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

/** Rejects records without `device`. */
const STRICT = { into: '/partitionKey', from: [{ field: '/device' }] }
const LENIENT = { into: '/partitionKey', from: [{ field: '/device', missing: { use: 'none' } }] }
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
const FIRST_MS = Date.now() - 3_600_000

describe.skipIf(isMissing)(`replaying dead letters${why}`, () => {
  // checks L23
  it('stores each dead letter unless its document is newer, and marks it', async () => {
    const { world, config, journal } = await rejecting({ newerBy: { order: 'timestamp' } })
    await world.play({ ...config, plan: STRICT }, [
      { key: 'a', value: '{"id":"a","n":1}', timestamp: String(FIRST_MS) },
      { key: 'b', value: '{"id":"b","n":1}', timestamp: String(FIRST_MS) },
      { key: 'c', value: '{"n":1}', timestamp: String(FIRST_MS) }
    ])
    // newer than its dead letter, under the same key and id
    const fixed = { ...config, plan: LENIENT, acceptPlanChange: true }
    const newer = { key: 'b', value: '{"id":"b","n":2}', timestamp: String(FIRST_MS + 1) }
    await world.play(fixed, [newer])

    const { result, counts } = await replay(world, fixed, journal)

    expect(counts.matched).toEqual(new Map(Object.entries({ FIELD_MISSING: 2, ID_MISSING: 1 })))
    expect(result).toMatchObject({ stored: 1, kept: 1, rejected: new Map([['ID_MISSING', 1]]), open: 0 })
    expect((await world.documents()).map(({ id, n }) => [id, n])).toEqual([
      ['a', 1],
      ['b', 2]
    ])
    const second = await replay(world, fixed, journal)
    expect(second.counts).toMatchObject({ replayedBefore: 2, matched: new Map([['ID_MISSING', 1]]) })
  })

  // checks L23
  it('compares the offset of the original record, also if a record with a later offset was stored meanwhile', async () => {
    const { world, config, journal } = await rejecting({ newerBy: { order: 'offset' }, tombstones: 'delete' })
    const rules = { ...config, id: { strategy: 'fullKey' } }
    await world.play({ ...rules, plan: { into: '/partitionKey', from: [{ kafka: 'key' }] }, value: 'json-envelope' }, [
      { key: 'a', value: '{"n":1}' },
      { key: 'b', value: '{"n":1}' },
      { key: 'b', value: null }
    ])
    expect(await world.documents()).toMatchObject([{ id: 'b', _keystampDeleted: true }])

    const fixed = { ...rules, plan: { into: '/partitionKey', from: [{ kafka: 'key' }] } }
    const { result } = await replay(world, fixed, journal)

    expect(result).toMatchObject({ stored: 1, kept: 1, rejected: new Map() })
    expect(await world.documents()).toMatchObject([
      { id: 'a', n: 1 },
      { id: 'b', _keystampDeleted: true }
    ])
  })

  it('stores records at their original topic, partition and offset, and leaves existing documents', async () => {
    const { world, config, journal } = await rejecting({})
    const rules = { ...config, id: { strategy: 'metadata' } }
    const records = Array.from({ length: 20 }, (_, n) => ({
      key: `k${n}`,
      value: `{"n":${n}}`,
      headers: { n: `${n}` }
    }))
    await world.play({ ...rules, plan: STRICT }, records)

    const fixed = { ...rules, plan: LENIENT }
    const first = await replay(world, fixed, journal, { partition: 1 })
    const again = await replay(world, fixed, `${journal}/other`)

    expect(first.result.stored + first.counts.leftOut).toBe(20)
    expect(again.result).toMatchObject({ stored: 20 - first.result.stored, kept: first.result.stored })
    const stored = await world.documents()
    const read = await world.kafka.read(world.topic)
    expect(new Map(stored.map(({ id, n }) => [id, n]))).toEqual(
      new Map(
        read.map(({ partition, offset, value }) => [
          `${world.topic}-${partition}-${offset}`,
          (JSON.parse(String(value)) as { n: number }).n
        ])
      )
    )
  })

  it('reads a dead-letter topic up to its end, without the records of aborted transactions', async () => {
    const { world, config, journal } = await rejecting({ strategy: 'append' })
    await world.play({ ...config, plan: STRICT }, [{ key: 'a', value: '{"id":"a"}' }])
    const dead = `${world.topic}-dead`
    const [{ headers }] = await world.kafka.read(dead)
    const others = ['b', 'c'].map((key) => ({
      key,
      value: `{"id":"${key}"}`,
      headers: headers as Record<string, string>
    }))
    await world.kafka.produceTransaction(dead, [others[0]], { abort: true })
    await world.kafka.produceTransaction(dead, [others[1]])

    const { counts, result } = await replay(world, { ...config, plan: LENIENT }, journal)

    expect({ read: counts.read, stored: result.stored }).toEqual({ read: 2, stored: 2 })
    expect((await world.documents()).map(({ id }) => id)).toEqual(['a', 'c'])
  })

  it('is refused if the dead-letter topic does not exist', async () => {
    const { world, config, journal } = await rejecting({ strategy: 'append' })
    const settings = { ...config, rejects: { topic: `${world.topic}-gone` } }
    await expect(replay(world, settings, journal)).rejects.toThrow(
      expect.objectContaining({
        code: 'TOPIC_MISSING',
        message: expect.stringContaining('Check `rejects.topic`') as string
      })
    )
  })

  it('counts dead letters whose headers were cut, and those of other sinks, and replays neither', async () => {
    const { world, config, journal } = await rejecting({ strategy: 'append' })
    await world.play({ ...config, plan: STRICT }, [{ key: 'a', value: '{"id":"a"}' }])
    const dead = `${world.topic}-dead`
    const [whole] = await world.kafka.read(dead)
    const headers = whole.headers as Record<string, string>
    const { '__connect.errors.offset': _cut, ...cut } = headers
    await world.kafka.produce(dead, [
      { key: 'b', value: '{"id":"b"}', headers: cut },
      { key: 'c', value: '{"id":"c"}', headers: { ...headers, '__connect.errors.connector.name': 'others' } },
      { key: 'd', value: null, headers: { ...headers, 'keystamp.value.omitted.bytes': '9' } }
    ])

    const { counts, result } = await replay(world, { ...config, plan: LENIENT }, journal)

    expect(counts).toMatchObject({
      read: 4,
      ofOthers: 1,
      matched: new Map([['FIELD_MISSING', 1]]),
      refused: new Map(Object.entries({ DEAD_LETTER_INVALID: 1, PAYLOAD_MISSING: 1 })),
      firstInvalid: expect.stringContaining('the header __connect.errors.offset') as string
    })
    expect(result).toMatchObject({ stored: 1 })
    expect(await world.documents()).toMatchObject([{ id: 'a' }])
  })
})

async function rejecting(write: object): Promise<{ world: World; config: object; journal: string }> {
  const world = await startWorld({ brokers, partitions: 2, defaultTtl: -1 })
  const dead = `${world.topic}-dead`
  await world.kafka.createTopic(dead, { partitions: 2, config: { 'retention.ms': '-1' } })
  const journal = mkdtempSync(join(tmpdir(), 'keystamp-replay-'))
  onTestFinished(() => rmSync(journal, { recursive: true, force: true }))
  return { world, journal, config: { write, rejects: { topic: dead, tolerance: { percent: 100 } } } }
}

async function replay(world: World, config: object, journal: string, filter: ReplayFilter = {}) {
  const settings = await world.settingsOf(config)
  const { signal } = new AbortController()
  const opened = await openReplay({ settings, filter, files: [], journal, isDryRun: false, log: SILENT, signal })
  try {
    return { counts: opened.counts, result: await opened.run() }
  } finally {
    opened.close()
  }
}
