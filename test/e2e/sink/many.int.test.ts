import { createRandom, type TopicRecord } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import type { StoredDocument } from './documents.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()

const RECORDS = 60_000
const ENTITIES = 18_000
const PARTITIONS = 8
const AT_ONCE = 10_000
const CONFIG = {
  plan: { into: '/partitionKey', from: [{ field: '/day', type: 'date' }], suffix: { by: '/id', count: 400 } },
  // the default values, since this test does not wait for the end of a session
  kafka: { sessionTimeout: '30s', heartbeatInterval: '3s' },
  cosmos: { requestTimeout: '10s' },
  commit: { every: '1s' }
}

describe.skipIf(isMissing)(`a sink of many records${why}`, () => {
  it(
    'stores the last version of each document of 60,000 records in 8 partitions, and nothing else',
    { timeout: 180_000 },
    async () => {
      const world = await startWorld({ brokers, partitions: PARTITIONS, ruPerSecond: 1_000_000 })
      const last = new Map<string, object>()
      const { next } = createRandom(7)
      for (let sequence = 0; sequence < RECORDS; sequence += AT_ONCE) {
        const records: TopicRecord[] = Array.from({ length: AT_ONCE }, (_, index) => {
          const entity = Math.floor(next() * ENTITIES)
          const document = { id: `e${entity}`, day: '2018-08-09', sequence: sequence + index }
          last.set(document.id, document)
          return { partition: entity % PARTITIONS, key: document.id, value: JSON.stringify(document) }
        })
        await world.kafka.produce(world.topic, records)
      }

      const sink = await world.createSink(CONFIG)
      await sink.start()
      await world.committed(RECORDS)

      const { written, open, rejected } = sink.stats()
      expect({ open, rejected }).toEqual({ open: 0, rejected: {} })
      expect(written).toBeGreaterThanOrEqual(RECORDS)
      const stored = new Map((await world.documents()).map((document) => [document.id, document]))
      expect(stored.size).toBe(last.size)
      expect([...last].filter(([id, document]) => !isSame(document, stored.get(id)))).toEqual([])
    }
  )
})

/** Whether a stored document equals the produced one, except for the made key. */
function isSame(document: object, stored: StoredDocument | undefined): boolean {
  const { partitionKey, ...rest } = stored ?? { partitionKey: undefined }
  return /^2018-08-09\.\d{1,3}$/.test(String(partitionKey)) && JSON.stringify(rest) === JSON.stringify(document)
}
