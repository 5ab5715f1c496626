import type { StoredRecord } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const POISON = [
  { code: 'JSON_INVALID', key: 'p1', value: '{"id":', headers: { trace: 't1' } },
  { code: 'FIELD_MISSING', key: 'p2', value: '{"id":"b"}', headers: {} },
  { code: 'TOMBSTONE_REJECTED', key: 'p3', value: null, headers: {} }
]

describe.skipIf(isMissing)(`a sink with records that it cannot store${why}`, () => {
  it('copies the whole records, with the reason in headers, and continues', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const dead = `${world.topic}-dead`
    await world.kafka.createTopic(dead, { config: { 'retention.ms': '-1' } })
    const good = { key: 'g', value: '{"id":"a","partitionKey":"p"}' }

    const stored = await world.play({ rejects: { topic: dead, tolerance: { percent: 100 } } }, [
      good,
      ...POISON.map(({ key, value, headers }) => ({ key, value, headers, timestamp: '1533772800000' })),
      { ...good, value: '{"id":"z","partitionKey":"p"}' }
    ])

    expect(stored.map(({ id }) => id)).toEqual(['a', 'z'])
    const deadLetters = (await world.kafka.read(dead)).map(shown)
    expect(deadLetters).toHaveLength(3)
    for (const [index, { key, value, headers, code }] of POISON.entries()) {
      expect(deadLetters[index]).toMatchObject({
        key,
        value,
        timestamp: '1533772800000',
        headers: {
          ...headers,
          '__connect.errors.topic': world.topic,
          '__connect.errors.partition': '0',
          '__connect.errors.offset': String(index + 1),
          '__connect.errors.connector.name': 'things',
          '__connect.errors.exception.class.name': `keystamp.${code}`,
          'keystamp.code': code
        }
      })
    }
  })

  it('skips the records under `rejects.policy: skip`', async () => {
    const world = await startWorld({ brokers, partitions: 1 })

    const stored = await world.play({ rejects: { policy: 'skip', tolerance: { percent: 100 } } }, [
      { key: 'p', value: 'no JSON' },
      { key: 'g', value: '{"id":"a","partitionKey":"p"}' }
    ])

    expect(stored.map(({ id }) => id)).toEqual(['a'])
  })

  it('stops at the first such record by default, and commits the records before it', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    await world.kafka.produce(world.topic, [
      { key: 'g', value: '{"id":"a","partitionKey":"p"}' },
      { key: 'p', value: 'no JSON' }
    ])
    const sink = await world.createSink({})

    await sink.start()
    const { state, error } = await sink.ended

    expect({ state, error }).toMatchObject({ state: 'failed', error: { code: 'RECORD_REJECTED' } })
    expect(await world.documents()).toHaveLength(1)
    expect((await world.kafka.committed(world.group, [world.topic]))[0].offset).toBe('1')
  })

  it('stops when the tolerance is exceeded', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const dead = `${world.topic}-dead`
    await world.kafka.createTopic(dead)
    await world.kafka.produce(
      world.topic,
      Array.from({ length: 40 }, () => ({ value: 'no JSON' }))
    )
    const sink = await world.createSink({ rejects: { topic: dead, tolerance: { percent: 20, window: 50 } } })

    await sink.start()

    expect((await sink.ended).error).toMatchObject({ code: 'TOLERANCE_EXCEEDED' })
  })
})

function shown({ key, value, headers = {}, timestamp }: StoredRecord): object {
  const texts = Object.entries(headers).map(([name, text]) => [name, String(text)])
  return {
    key: String(key),
    value: value === null ? null : String(value),
    timestamp,
    headers: Object.fromEntries(texts)
  }
}
