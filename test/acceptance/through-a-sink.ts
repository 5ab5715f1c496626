import { type Consumer, createSink, readConfig, type SinkRecord } from '@keystamp/connector'
import { toPosition } from '@keystamp/core'
import { JOINED } from './article-data.ts'
import { newContainer } from './containers.ts'
import { emulated } from './emulated.ts'
import type { Shown } from './row.ts'

/** A record that comes from a topic, and gets its key on the way into the container. */
export function stampedInTheSink(): Promise<Shown[]> {
  return throughASink(
    '/partitionKey',
    { plan: JOINED },
    { id: '1', deviceId: 'abc-123', date: 2018 },
    ({ partitionKey }) => `stored with the key "${String(partitionKey)}"`
  )
}

/** A container keyed by the id, which needs no plan. */
export function idThroughASink(): Promise<Shown[]> {
  return throughASink(
    '/id',
    {},
    { id: 'abc-123', date: 2018 },
    ({ date }) => `stored under its id, date ${String(date)}`
  )
}

type Document = Readonly<Record<string, unknown>>

function throughASink(
  keyPath: string,
  config: object,
  record: Document,
  outputOf: (stored: Document) => string
): Promise<Shown[]> {
  return emulated({}, async (client, { endpoint, key }) => {
    const container = await newContainer(client, {}, keyPath)
    const cosmos = { endpoint, key, database: container.database.id, container: container.id }
    const whole = { name: 'shown', kafka: { brokers: ['none:9092'], topics: [TOPIC] }, cosmos, ...config }
    const { sinks } = await readConfig(
      { text: JSON.stringify(whole), name: 'sink.yaml' },
      { env: {}, readFile: () => Promise.reject(new Error('There are no files.')) }
    )
    const sink = createSink(sinks[0], { log: SILENT, createConsumer: () => topicOf(record) })
    await sink.start()
    while (sink.stats().written === 0) {
      await new Promise((resolve) => {
        setTimeout(resolve, 5)
      })
    }
    await sink.stop()
    const { resources } = await container.items.readAll<Document>().fetchAll()
    return [{ input: `through a sink: ${JSON.stringify(record)}`, output: outputOf(resources[0]) }]
  })
}

const TOPIC = 'readings'
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A topic of one record. */
function topicOf(value: object): Consumer {
  const topicPartition = { topic: TOPIC, partition: 0 }
  const record: SinkRecord = {
    ...topicPartition,
    offset: toPosition(0),
    timestamp: '1533772800000',
    key: null,
    value: Buffer.from(JSON.stringify(value)),
    headers: {}
  }
  return {
    start: (listener) => {
      listener.assigned([topicPartition])
      listener.received({
        ...topicPartition,
        records: [record],
        from: toPosition(0),
        next: toPosition(1),
        highWatermark: toPosition(1)
      })
      return Promise.resolve()
    },
    pause: () => undefined,
    resume: () => undefined,
    deliverFrom: () => undefined,
    resumeDelayMs: 0,
    sessionTimeoutMs: 30_000,
    get lastHeartbeatMs() {
      return performance.now()
    },
    commit: (commits) => Promise.resolve(commits),
    committed: () => Promise.resolve([{ ...topicPartition, position: undefined, metadata: '' }]),
    countPartitions: () => Promise.resolve(1),
    ends: () => Promise.resolve(new Map()),
    stop: () => Promise.resolve()
  }
}
