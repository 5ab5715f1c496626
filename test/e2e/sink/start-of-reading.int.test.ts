import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startSinkMember } from './sink-processes.ts'
import { startWorld, type World } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const CONFIG = {
  plan: { into: '/partitionKey', from: [{ kafka: 'key' }] },
  id: { strategy: 'fullKey' },
  kafka: { from: 'latest' }
}

describe.skipIf(isMissing)(`a sink that begins at the latest record${why}`, () => {
  it('commits its start offsets before any record, so that a restart loses nothing', { timeout: 60_000 }, async () => {
    const world = await startWorld({ brokers, partitions: 2 })
    const { kafka, topic, createSink } = world
    await kafka.produce(topic, records('before', [0, 1]))
    const first = await createSink(CONFIG)
    await first.start()
    await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['2', '2'])
    await first.stop()
    await kafka.produce(topic, records('meanwhile', [0, 1]))

    const second = await createSink(CONFIG)
    await second.start()
    await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['4', '4'])

    expect(await ids(world)).toEqual(['meanwhile-0-0', 'meanwhile-0-1', 'meanwhile-1-0', 'meanwhile-1-1'])
  })

  // checks L1
  it(
    'commits its start offsets while its container cannot be opened, so that the next owner loses nothing',
    { timeout: 60_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 2 })
      const { kafka, topic, createSink } = world
      await kafka.produce(topic, records('before', [0, 1]))
      // the containers of a pattern are opened after the group was joined
      const config = { ...CONFIG, kafka: { ...CONFIG.kafka, topics: undefined, topicPattern: topic } }
      const first = await createSink(config, { openTarget: () => new Promise(() => {}) })
      await first.start()
      await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['2', '2'])
      await kafka.produce(topic, records('meanwhile', [0, 1]))
      await first.stop()

      const second = await createSink(config)
      await second.start()
      await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['4', '4'])

      expect(await ids(world)).toEqual(['meanwhile-0-0', 'meanwhile-0-1', 'meanwhile-1-0', 'meanwhile-1-1'])
    }
  )

  it('reads a partition that is added to the topic from its earliest record', { timeout: 60_000 }, async () => {
    const world = await startWorld({ brokers, partitions: 2 })
    const { kafka, topic, createSink } = world
    const sink = await createSink(CONFIG)
    await sink.start()
    await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['0', '0'])

    await kafka.addPartitions(topic, 3)
    await kafka.produce(topic, records('added', [2]))
    await expect.poll(() => offsets(world), { timeout: 20_000 }).toEqual(['0', '0', '2'])

    expect(await ids(world)).toEqual(['added-2-0', 'added-2-1'])
  })
})

describe.skipIf(isMissing)(`a sink that begins at a time${why}`, () => {
  it(
    'reads the records from this time on, and goes on at its stored offsets afterwards',
    { timeout: 60_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 2 })
      const { kafka, topic, createSink } = world
      await kafka.produce(topic, records('before', [0, 1]))
      await sleep(50)
      const time = new Date().toISOString()
      await sleep(50)
      // no record of partition 1 is so new
      await kafka.produce(topic, records('after', [0]))
      const config = { ...CONFIG, kafka: { from: time } }
      const first = await createSink(config)
      await first.start()
      await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['4', '2'])
      await first.stop()
      await kafka.produce(topic, records('meanwhile', [1]))

      const second = await createSink(config)
      await second.start()
      await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['4', '4'])

      expect(await ids(world)).toEqual(['after-0-0', 'after-0-1', 'meanwhile-1-0', 'meanwhile-1-1'])
    }
  )
})

describe.skipIf(isMissing)(`a sink that begins at the earliest record${why}`, () => {
  it('reads the records of an idle topic, even under `lostOffsets: latest`', { timeout: 60_000 }, async () => {
    const world = await startWorld({ brokers, partitions: 1 })
    const { kafka, topic, createSink } = world
    await kafka.produce(topic, records('before', [0]))

    const sink = await createSink({ ...CONFIG, kafka: { lostOffsets: 'latest' } })
    await sink.start()
    await expect.poll(() => offsets(world), { timeout: 10_000 }).toEqual(['2'])

    expect(await ids(world)).toEqual(['before-0-0', 'before-0-1'])
  })
})

describe.skipIf(isMissing)(`a sink that reads \`until: end\`${why}`, () => {
  it('stops when it has stored the records that were there at its start', { timeout: 60_000 }, async () => {
    const world = await startWorld({ brokers, partitions: 3 })
    const { kafka, topic, createSink } = world
    await kafka.produce(topic, records('before', [0, 1]))
    await kafka.produceTransaction(topic, records('aborted', [1]), { abort: true })
    const config = { ...CONFIG, kafka: { until: 'end' } }

    const first = await createSink(config)
    await first.start()
    expect(await first.ended).toEqual({ state: 'stopped', error: undefined })
    expect(await offsets(world)).toEqual(['2', '5', '0'])
    expect(await ids(world)).toEqual(['before-0-0', 'before-0-1', 'before-1-0', 'before-1-1'])

    // there is nothing to read
    const second = await createSink(config)
    await second.start()
    expect(await second.ended).toEqual({ state: 'stopped', error: undefined })
  })

  it('ends its process with exit code 0', { timeout: 60_000 }, async () => {
    const { kafka, topic, group, emulator } = await startWorld({ brokers, partitions: 1 })
    await kafka.produce(topic, records('before', [0]))
    const { endpoint, key } = emulator
    const member = await startSinkMember('job', {
      ...CONFIG,
      name: 'things',
      kafka: { brokers: brokers.split(','), topics: [topic], group, until: 'end' },
      cosmos: { endpoint, key, database: 'db', container: 'things' }
    })

    expect(await member.ended).toBe(0)
    expect(member.output()).toContain('all records up to the end of the partitions have an outcome: the sink stops')
  })

  it(
    'does not wait for records that arrive while it runs, and loses none of two members',
    { timeout: 60_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: 4 })
      const { kafka, topic, createSink } = world
      for (let round = 0; round < 50; round++) await kafka.produce(topic, records(`before-${round}`, [0, 1, 2, 3]))
      const producer = { isRunning: true }
      const producing = (async () => {
        for (let round = 0; producer.isRunning; round++)
          await kafka.produce(topic, records(`later-${round}`, [0, 1, 2, 3]))
      })()
      const config = { ...CONFIG, kafka: { until: 'end' } }

      const sinks = await Promise.all([createSink(config), createSink(config)])
      await Promise.all(sinks.map((sink) => sink.start()))
      expect(await Promise.all(sinks.map((sink) => sink.ended))).toEqual([
        { state: 'stopped', error: undefined },
        { state: 'stopped', error: undefined }
      ])
      producer.isRunning = false
      await producing

      expect((await ids(world)).filter((id) => String(id).startsWith('before'))).toHaveLength(400)
    }
  )
})

async function offsets({ kafka, group, topic }: World): Promise<readonly (string | undefined)[]> {
  const stored = await kafka.committed(group, [topic])
  return stored.toSorted((one, other) => one.partition - other.partition).map(({ offset }) => offset)
}

async function ids({ documents }: World): Promise<readonly unknown[]> {
  return (await documents()).map(({ id }) => id).toSorted()
}

function records(
  name: string,
  partitions: readonly number[]
): { readonly partition: number; readonly key: string; readonly value: string }[] {
  return partitions.flatMap((partition) =>
    [0, 1].map((index) => ({ partition, key: `${name}-${partition}-${index}`, value: '{}' }))
  )
}
