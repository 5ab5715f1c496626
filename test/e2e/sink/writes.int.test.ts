import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { etagOf, type StoredDocument } from './documents.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const BY_KEY = { plan: { into: '/partitionKey', from: [{ kafka: 'key' }] }, id: { strategy: 'fullKey' } }

describe.skipIf(isMissing)(`a sink that writes${why}`, () => {
  it.each<[string, readonly string[]]>([
    ['delete', ['b']],
    ['ignore', ['a', 'b']]
  ])('applies `tombstones: %s`', async (tombstones, left) => {
    const world = await startWorld({ brokers, partitions: 1 })

    const stored = await world.play({ ...BY_KEY, write: { tombstones } }, [
      { key: 'a', value: '{"n":1}' },
      { key: 'b', value: '{"n":2}' },
      { key: 'a', value: null }
    ])

    expect(stored.map(({ id }) => id)).toEqual(left)
  })

  it('with `overwrite` keeps the last version of each document', async () => {
    expect(await playAfter({ strategy: 'overwrite' }, ['{"n":1,"old":true}', '{"n":2}'])).toMatchObject([
      { id: 'a', n: 2 }
    ])
  })

  it('with `append` keeps the first version of each document', async () => {
    expect(await playAfter({ strategy: 'ItemAppend' }, ['{"n":1}', '{"n":2}'])).toMatchObject([{ id: 'a', n: 1 }])
  })

  it('with `delete` removes the documents of its records, and ignores missing documents', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    await world.play(BY_KEY, [
      { key: 'a', value: '{}' },
      { key: 'b', value: '{}' }
    ])

    const stored = await world.play({ ...BY_KEY, write: { strategy: 'delete' } }, [
      { key: 'a', value: '{}' },
      { key: 'c', value: '{}' }
    ])

    expect(stored).toMatchObject([{ id: 'b' }])
  })

  it.each<[string, object]>([
    ['overwriteIfNotModified', { id: 'a', n: 2 }],
    ['deleteIfNotModified', undefined as never]
  ])('with `%s` does not change a document that was modified meanwhile', async (strategy, changed) => {
    const world = await startWorld({ brokers, partitions: 1 })
    await world.play(BY_KEY, [
      { key: 'a', value: '{"n":1}' },
      { key: 'b', value: '{"n":1}' }
    ])
    const etag = await etagOf(world.emulator.endpoint, 'things', 'a', 'a')

    const stored = await world.play({ ...BY_KEY, write: { strategy } }, [
      { key: 'a', value: JSON.stringify({ n: 2, _etag: etag }) },
      { key: 'b', value: JSON.stringify({ n: 2, _etag: '"00000000-0000-0000-0000-000000000000"' }) }
    ])

    expect(stored).toMatchObject([...(changed === undefined ? [] : [changed]), { id: 'b', n: 1 }])
  })

  it('with `patch` changes properties as configured if the condition holds', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    await world.play(BY_KEY, [
      { key: 'a', value: '{"kept":1,"set":1,"sum":1,"gone":1,"state":"open"}' },
      { key: 'b', value: '{"kept":1,"set":1,"sum":1,"gone":1,"state":"closed"}' }
    ])
    const patch = {
      properties: { sum: 'increment', gone: 'remove', moved: { operation: 'add', path: '/there' }, secret: 'none' },
      condition: 'from c where c.state = "open"'
    }

    const stored = await world.play({ ...BY_KEY, write: { strategy: 'patch', patch } }, [
      { key: 'a', value: '{"set":2,"sum":3,"moved":4,"secret":5}' },
      { key: 'b', value: '{"set":2,"sum":3,"moved":4,"secret":5}' }
    ])

    expect(stored).toEqual([
      { id: 'a', partitionKey: 'a', kept: 1, set: 2, sum: 4, there: 4, state: 'open' },
      { id: 'b', partitionKey: 'b', kept: 1, set: 1, sum: 1, gone: 1, state: 'closed' }
    ])
  })

  it('with `atomic` applies consecutive records of one key together or not at all', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const dead = `${world.topic}-dead`
    await world.kafka.createTopic(dead)

    const stored = await world.play(
      { rejects: { topic: dead, tolerance: { percent: 100 } }, write: { atomic: true } },
      [
        ...['1', '2', '3'].map((id) => ({ value: JSON.stringify({ id, partitionKey: 'good' }) })),
        ...['4', '5'].map((id) => ({
          value: JSON.stringify({ id, partitionKey: 'bad', text: id === '5' ? 'x'.repeat(300) : '' })
        })),
        { value: '{"id":"6","partitionKey":"bad","ttl":"never"}' },
        { value: '{"id":"7","partitionKey":"good"}' }
      ]
    )

    expect(stored.map(({ id }) => id)).toEqual(['1', '2', '3', '7'])
    expect((await world.kafka.read(dead)).map(({ value }) => (JSON.parse(String(value)) as StoredDocument).id)).toEqual(
      ['4', '5', '6']
    )
    const operations = world.emulator.operations()
    expect(new Set(operations.slice(0, 3).map(({ activityId }) => activityId)).size).toBe(1)
  })

  it('adds the origin and the time to live of a record, and drops configured properties', async () => {
    const world = await startWorld({ brokers, partitions: 1, defaultTtl: -1 })
    const write = {
      ttl: { field: '/seconds' },
      dropProperties: ['seconds'],
      metadata: { into: 'from', fields: ['topic', 'partition', 'offset', 'timestamp', 'key', 'headers'] }
    }

    const stored = await world.play({ ...BY_KEY, write }, [
      { key: 'a', value: '{"n":1,"seconds":3600}', timestamp: '1533772800000', headers: { trace: 't1' } },
      { key: 'b', value: '{"n":2}', timestamp: '1533772800000' }
    ])

    const from = { topic: world.topic, partition: 0, timestamp: 1_533_772_800_000 }
    expect(stored).toEqual([
      { id: 'a', partitionKey: 'a', n: 1, ttl: 3600, from: { ...from, offset: 0, key: 'a', headers: { trace: 't1' } } },
      { id: 'b', partitionKey: 'b', n: 2, from: { ...from, offset: 1, key: 'b', headers: {} } }
    ])
  })
})

async function playAfter(write: object, values: readonly string[]): Promise<readonly StoredDocument[]> {
  const world = await startWorld({ brokers, partitions: 1 })
  await world.play({ ...BY_KEY, write }, [{ key: 'a', value: values[0] }])
  return world.play(
    { ...BY_KEY, write },
    values.slice(1).map((value) => ({ key: 'a', value }))
  )
}
