import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/day', type: 'date' }] }

describe.skipIf(isMissing)(`a sink between a real Kafka and a local Cosmos DB${why}`, () => {
  it('stores every record under the key of the plan, and commits', async () => {
    const { kafka, topic, createSink, committed, documents } = await startWorld({ brokers })
    const records = Array.from({ length: 500 }, (_, index) => ({
      id: `d${index}`,
      deviceId: `abc-${index % 7}`,
      day: '2018-08-09',
      index
    }))
    await kafka.produce(
      topic,
      records.map((record) => ({ key: record.deviceId, value: JSON.stringify(record) }))
    )

    const sink = await createSink({ plan: PLAN })
    await sink.start()
    await committed(500)

    const stored = await documents()
    expect(stored).toHaveLength(500)
    for (const document of stored) expect(document['partitionKey']).toBe(`${String(document['deviceId'])}-2018-08-09`)
    expect(sink.stats()).toMatchObject({ state: 'running', received: 500, written: 500, open: 0 })
  })
})
