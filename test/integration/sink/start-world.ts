import { createSink, readConfig, type Sink, type SinkSettings } from '@keystamp/connector'
import { type Emulator, startEmulator, type EmulatorOptions } from '@keystamp/emulator'
import { connectKafka, type KafkaClient } from '@keystamp/lab'
import { randomUUID } from 'node:crypto'
import { stringify } from 'yaml'
import { createContainer, storedDocuments } from './documents.ts'

/** A local Cosmos DB with one container, a topic of its own, and sinks between them. */
export interface World {
  readonly kafka: KafkaClient
  readonly emulator: Emulator
  readonly topic: string
  readonly group: string
  /** Makes a sink of the configuration, filled up with where everything is. */
  readonly createSink: (config: object) => Promise<Sink>
  readonly settingsOf: (config: object) => Promise<SinkSettings>
  readonly documents: () => Promise<readonly StoredDocument[]>
  /** Resolves when this many records are committed, over all partitions of the topic. */
  readonly committed: (count: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export type StoredDocument = Readonly<Record<string, unknown>> & { readonly id: string }

export interface WorldOptions {
  readonly brokers: string
  readonly partitions?: number
  readonly keyPaths?: readonly string[]
  readonly emulator?: EmulatorOptions
  readonly ruPerSecond?: number
  readonly defaultTtl?: number
}

/** Everything has names of its own, so that tests share a broker and nothing else. */
export async function startWorld({
  brokers,
  partitions = 4,
  keyPaths = ['/partitionKey'],
  emulator: options,
  ruPerSecond,
  defaultTtl
}: WorldOptions): Promise<World> {
  const emulator = await startEmulator({ auth: 'off', ranges: 4, ...options })
  await createContainer(emulator.endpoint, { keyPaths, ruPerSecond, defaultTtl })
  const kafka = await connectKafka(brokers)
  const topic = `things-${randomUUID()}`
  const group = `group-${topic}`
  await kafka.createTopic(topic, { partitions })
  const sinks: Sink[] = []

  async function settingsOf(config: object): Promise<SinkSettings> {
    const { kafka: kafkaConfig, cosmos, ...rest } = config as Record<string, object>
    const whole = {
      name: 'things',
      kafka: { brokers: [brokers], topics: [topic], group, sessionTimeout: '6s', heartbeat: '1s', metadataMaxAge: '2s', ...kafkaConfig },
      cosmos: { endpoint: emulator.endpoint, key: emulator.key, database: 'db', container: 'things', requestTimeout: '3s', ...cosmos },
      ...rest
    }
    const service = await readConfig(
      { text: stringify(whole), name: 'sink.yaml' },
      { env: {}, readFile: () => Promise.reject(new Error('No file.')) }
    )
    return service.sinks[0]
  }

  async function create(config: object): Promise<Sink> {
    const sink = createSink(await settingsOf(config), { log: SILENT })
    sinks.push(sink)
    return sink
  }

  async function committed(count: number): Promise<void> {
    for (;;) {
      const offsets = await kafka.committed(group, [topic])
      const sum = offsets.reduce((total, { offset = '0' }) => total + Math.max(0, Number(offset)), 0)
      if (sum >= count) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function stop(): Promise<void> {
    await Promise.all(sinks.map((sink) => sink.stop()))
    await kafka.close()
    await emulator.stop()
  }

  return {
    kafka,
    emulator,
    topic,
    group,
    createSink: create,
    settingsOf,
    documents: () => storedDocuments(emulator.endpoint),
    committed,
    stop
  }
}

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined }
