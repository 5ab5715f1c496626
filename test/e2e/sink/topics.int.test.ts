import type { KafkaClient, TopicRecord } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const BY_TOPIC = { id: { strategy: 'metadata' }, plan: { into: '/partitionKey', from: [{ kafka: 'topic' }] } }

describe.skipIf(isMissing)(`a sink with several topics${why}`, () => {
  it('writes all topics that match a pattern into one container', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const more = await addTopics(world.kafka, world.topic)

    const sink = await world.createSink({ ...BY_TOPIC, kafka: { topics: undefined, topicPattern: `${world.topic}.*` } })
    await sink.start()
    await world.committed(3, [world.topic, ...more])

    expect((await world.documents()).map(({ n }) => n).toSorted((one, other) => Number(one) - Number(other))).toEqual([
      0, 1, 2
    ])
  })

  it('writes each topic into its own container, by a map or by a template', async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const topics = [world.topic, ...(await addTopics(world.kafka, world.topic))]
    for (const name of ['first', ...topics.slice(1).map((topic) => `of-${topic}`)]) {
      await world.addContainer(name, { keyPaths: ['/partitionKey'] })
    }

    const byMap = await world.createSink({ ...BY_TOPIC, name: 'a', cosmos: { container: { [topics[0]]: 'first' } } })
    const byTemplate = await world.createSink({
      ...BY_TOPIC,
      name: 'b',
      kafka: { topics: topics.slice(1), group: `${world.group}-b` },
      cosmos: { container: 'of-${topic}' }
    })
    await Promise.all([byMap.start(), byTemplate.start()])

    await expect.poll(async () => ns(await world.documents('first'))).toEqual([0])
    await expect.poll(async () => ns(await world.documents(`of-${topics[1]}`))).toEqual([1])
    await expect.poll(async () => ns(await world.documents(`of-${topics[2]}`))).toEqual([2])
  })

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])('reads batches that are compressed with %s', async (compression) => {
    const world = await startWorld({ brokers })
    // a broker with this setting compresses all batches again
    const topic = `${world.topic}-${compression}`
    await world.kafka.createTopic(topic, { config: { 'compression.type': compression } })
    await world.kafka.produce(topic, numbered(50))

    const sink = await world.createSink({ ...BY_TOPIC, kafka: { topics: [topic] } })
    await sink.start()
    await world.committed(50, [topic])

    expect((await world.documents()).map(({ n }) => Number(n)).toSorted((one, other) => one - other)).toEqual([
      ...Array(50).keys()
    ])
  })

  it('stores only records of committed transactions, and commits the offsets of transaction markers', async () => {
    const world = await startWorld({ brokers, partitions: 2 })
    await world.kafka.produceTransaction(world.topic, numbered(20))
    await world.kafka.produceTransaction(world.topic, [{ value: '{"n":"aborted"}' }, { value: '{"n":"aborted"}' }], {
      abort: true
    })
    await world.kafka.produceTransaction(world.topic, numbered(10, 20))

    const stored = await world.play(BY_TOPIC, [])

    expect(stored.map(({ n }) => Number(n)).toSorted((one, other) => one - other)).toEqual([...Array(30).keys()])
    const ends = await world.kafka.ends(world.topic)
    const committed = await world.kafka.committed(world.group, [world.topic])
    expect(new Map(committed.map(({ partition, offset }) => [partition, offset]))).toEqual(ends)
  })

  it('skips the gaps that compaction leaves, even at the end of a partition', async () => {
    const world = await startWorld({ brokers })
    const topic = `${world.topic}-compacted`
    await world.kafka.createTopic(topic, { config: COMPACTED })
    const settings = { ...BY_KEY, kafka: { topics: [topic] } }
    // compaction keeps only the last record of each key; it never compacts the newest segment
    for (let round = 0; round < 5; round++) {
      await world.kafka.produce(
        topic,
        Array.from({ length: 10 }, (_, key) => ({ key: `k${key}`, value: JSON.stringify({ round }) }))
      )
      await new Promise((resolve) => setTimeout(resolve, 150))
    }
    await world.kafka.produce(topic, [{ key: 'last', value: '{"round":5}' }])
    await expect
      .poll(async () => (await world.kafka.read(topic)).length, { timeout: 30_000, interval: 500 })
      .toBeLessThan(40)

    const sink = await world.createSink(settings)
    await sink.start()
    await world.committed(51, [topic])

    expect(sink.stats().received).toBeLessThan(45)
    expect((await world.documents()).map(({ id, round }) => `${id}:${String(round)}`)).toEqual([
      ...Array.from({ length: 10 }, (_, key) => `k${key}:4`),
      'last:5'
    ])
  })
})

const BY_KEY = { id: { strategy: 'fullKey' }, plan: { into: '/partitionKey', from: [{ kafka: 'key' }] } }

const COMPACTED = {
  'cleanup.policy': 'compact',
  'segment.ms': '100',
  'min.cleanable.dirty.ratio': '0.01',
  'max.compaction.lag.ms': '100'
}

/** Creates two more topics, and produces one record to each of the three. */
async function addTopics(kafka: KafkaClient, topic: string): Promise<readonly string[]> {
  const more = [`${topic}-2`, `${topic}-3`]
  for (const each of more) {
    await kafka.createTopic(each)
  }
  for (const [n, each] of [topic, ...more].entries()) {
    await kafka.produce(each, [{ value: JSON.stringify({ n }) }])
  }
  return more
}

function numbered(count: number, from: number = 0): readonly TopicRecord[] {
  return Array.from({ length: count }, (_, index) => ({ value: JSON.stringify({ n: from + index }) }))
}

function ns(documents: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  return documents.map(({ n }) => n)
}
