import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const CONFIG = { plan: { into: '/partitionKey', from: [{ kafka: 'key' }] }, id: { strategy: 'fullKey' } }

describe.skipIf(isMissing)(`a sink whose stored offset is out of range${why}`, () => {
  it.for([
    ['earliest', 200, 200],
    ['latest', 300, 100]
  ] as const)(
    'L1 continues at the %s record, and commits with its own metadata',
    { timeout: 60_000 },
    async ([lostOffsets, to, count]) => {
      const { kafka, topic, group, createSink, committed, documents } = await startWorld({ brokers, partitions: 1 })
      const first = await createSink(CONFIG)
      await first.start()
      await kafka.produce(topic, records(0, 100))
      await committed(100)
      await first.stop()
      await kafka.produce(topic, records(100, 300))
      await kafka.deleteRecordsBefore(topic, 0, '200')
      const warnings: unknown[] = []

      const second = await createSink(
        { ...CONFIG, kafka: { lostOffsets } },
        { log: { info: () => undefined, warn: (facts) => warnings.push(facts), error: () => undefined } }
      )
      await second.start()
      await committed(300)

      expect(await documents()).toHaveLength(count)
      expect(await kafka.committed(group, [topic])).toMatchObject([
        { offset: '300', metadata: expect.stringContaining('"keystamp":1') }
      ])
      expect(warnings).toEqual([{ code: 'OFFSETS_LOST', topic, partition: 0, from: 100, to }])
    }
  )

  it(
    'L1 does not change the stored offset and its metadata under `lostOffsets: stop`',
    { timeout: 60_000 },
    async () => {
      const { kafka, topic, group, createSink, committed } = await startWorld({ brokers, partitions: 1 })
      const first = await createSink(CONFIG)
      await first.start()
      await kafka.produce(topic, records(0, 100))
      await committed(100)
      await first.stop()
      await kafka.produce(topic, records(100, 300))
      await kafka.deleteRecordsBefore(topic, 0, '200')

      const second = await createSink(CONFIG)
      await second.start()

      expect(await second.ended).toMatchObject({
        state: 'failed',
        error: {
          code: 'OFFSETS_LOST',
          message: expect.stringContaining('at offset 100 any more (it has offsets 200 to 300)')
        }
      })
      expect(await kafka.committed(group, [topic])).toMatchObject([
        { offset: '100', metadata: expect.stringContaining('"keystamp":1') }
      ])
    }
  )
})

function records(from: number, to: number): { readonly key: string; readonly value: string }[] {
  return Array.from({ length: to - from }, (_, index) => ({ key: `d${from + index}`, value: '{}' }))
}
