import type { Log } from '@keystamp/connector'
import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../shared-kafka.ts'
import { startWorld } from './start-world.ts'

const { isMissing, why, brokers } = await sharedKafka()
const BY_TOPIC = { id: { strategy: 'metadata' }, plan: { into: '/partitionKey', from: [{ kafka: 'topic' }] } }

describe.skipIf(isMissing)(`the log of a sink${why}`, () => {
  it(
    'has no warnings and no lines of the Kafka client while the sink starts, finds a new topic, gets a second member and stops',
    { timeout: 90_000 },
    async () => {
      const { kafka, topic, createSink, committed } = await startWorld({ brokers, partitions: 4 })
      const deadLetters = `dead-letters-${topic}`
      await kafka.createTopic(deadLetters)
      const config = {
        ...BY_TOPIC,
        kafka: { topics: undefined, topicPattern: `${topic}.*` },
        rejects: { topic: deadLetters }
      }
      const { log, lines } = keepLog()
      await kafka.produce(topic, numbered(200))

      const first = await createSink(config, { log })
      await first.start()
      await committed(200)
      await kafka.createTopic(`${topic}-more`, { partitions: 2 })
      await kafka.produce(`${topic}-more`, numbered(200))
      await committed(400, [topic, `${topic}-more`])
      const second = await createSink({ ...config, kafka: { ...config.kafka, clientId: 'second' } }, { log })
      await second.start()
      await kafka.createTopic(`${topic}-most`, { partitions: 2 })
      await kafka.produce(topic, numbered(200))
      await kafka.produce(`${topic}-most`, numbered(200))
      await committed(800, [topic, `${topic}-more`, `${topic}-most`])
      await second.stop()
      await kafka.produce(topic, numbered(200))
      await committed(1000, [topic, `${topic}-more`, `${topic}-most`])
      await first.stop()

      expect(lines.filter((line) => !line.startsWith('info ') || line.includes('Kafka client'))).toEqual([])
    }
  )
})

function numbered(count: number): { readonly key: string; readonly value: string }[] {
  return Array.from({ length: count }, (_, n) => ({ key: `k${n}`, value: JSON.stringify({ n }) }))
}

function keepLog(): { readonly log: Log; readonly lines: string[] } {
  const lines: string[] = []
  const write =
    (level: string) =>
    (facts: object, sentence: string): void =>
      void lines.push(`${level} ${sentence} ${JSON.stringify(facts)}`)
  return { log: { info: write('info'), warn: write('warn'), error: write('error') }, lines }
}
