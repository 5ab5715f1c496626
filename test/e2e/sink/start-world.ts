import {
  createSink,
  type Log,
  readConfig,
  type Sink,
  type SinkSettings,
  type SinkDependencies
} from '@keystamp/connector'
import { type Emulator, startEmulator, type EmulatorOptions } from '@keystamp/emulator'
import { connectKafka, type KafkaClient, type TopicRecord } from '@keystamp/testkit'
import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import {
  type ContainerShape,
  createContainer,
  createDatabase,
  storedDocuments,
  type StoredDocument
} from './documents.ts'

/** An emulator with the container `things`, a new topic, and sinks between them. */
export interface World {
  readonly kafka: KafkaClient
  readonly emulator: Emulator
  readonly topic: string
  readonly group: string
  /** Adds the addresses of Kafka and the emulator to a configuration. */
  readonly settingsOf: (config: object) => Promise<SinkSettings>
  /** Creates a sink with the configuration, which is stopped when the test ends. */
  readonly createSink: (config: object, changes?: Partial<SinkDependencies>) => Promise<Sink>
  readonly addContainer: (name: string, shape: ContainerShape) => Promise<void>
  readonly documents: (container?: string) => Promise<readonly StoredDocument[]>
  /** Resolves when the sum of the committed offsets of these topics has reached `sum`; rejects when a sink fails. */
  readonly committed: (sum: number, topics?: readonly string[]) => Promise<void>
  /**
   * Produces the records, runs a sink with the configuration until all are committed, and returns the stored documents.
   */
  readonly play: (config: object, records: readonly TopicRecord[]) => Promise<readonly StoredDocument[]>
}

export interface WorldOptions {
  readonly brokers: string
  readonly partitions?: number
  readonly keyPaths?: readonly string[]
  readonly emulator?: EmulatorOptions
  readonly ruPerSecond?: number
  readonly defaultTtl?: number
}

/**
 * Starts a world for one test, which ends with the test. Topic and group have new names: tests share only the broker.
 */
export async function startWorld({
  brokers,
  partitions = 4,
  keyPaths = ['/partitionKey'],
  emulator: options,
  ruPerSecond,
  defaultTtl
}: WorldOptions): Promise<World> {
  const emulator = await startEmulator({ auth: 'off', ranges: 4, ...options })
  await createDatabase(emulator.endpoint)
  await addContainer('things', { keyPaths, ruPerSecond, defaultTtl })
  const kafka = await connectKafka(brokers)
  const topic = `things-${randomUUID()}`
  const group = `group-${topic}`
  await kafka.createTopic(topic, { partitions })
  const sinks: Sink[] = []
  onTestFinished(stop)
  return { kafka, emulator, topic, group, settingsOf, createSink: create, addContainer, documents, committed, play }

  async function addContainer(name: string, shape: ContainerShape): Promise<void> {
    await createContainer(emulator.endpoint, name, shape)
  }

  async function documents(container: string = 'things'): Promise<readonly StoredDocument[]> {
    return storedDocuments(emulator.endpoint, container)
  }

  async function settingsOf(config: object): Promise<SinkSettings> {
    const { kafka: kafkaConfig, cosmos, ...rest } = config as Record<string, object>
    const whole = {
      name: 'things',
      kafka: { brokers: brokers.split(','), topics: [topic], group, ...QUICK_KAFKA, ...kafkaConfig },
      cosmos: {
        endpoint: emulator.endpoint,
        key: emulator.key,
        database: 'db',
        container: 'things',
        requestTimeout: '3s',
        ...cosmos
      },
      commit: { every: '200ms' },
      ...rest
    }
    const service = await readConfig(
      { text: stringify(whole), name: 'sink.yaml' },
      { env: {}, readFile: () => Promise.reject(new Error('No file.')) }
    )
    return service.sinks[0]
  }

  async function create(config: object, changes: Partial<SinkDependencies> = {}): Promise<Sink> {
    const sink = createSink(await settingsOf(config), { log: SILENT, ...changes })
    sinks.push(sink)
    return sink
  }

  async function committed(sum: number, topics: readonly string[] = [topic]): Promise<void> {
    while ((await committedSum(topics)) < sum) {
      const [failed] = await Promise.all(sinks.filter(({ state }) => state === 'failed').map(({ ended }) => ended))
      if (failed?.error !== undefined) throw failed.error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function committedSum(topics: readonly string[]): Promise<number> {
    const offsets = await kafka.committed(group, topics)
    return offsets.reduce((total, { offset = '0' }) => total + Number(offset), 0)
  }

  async function play(config: object, records: readonly TopicRecord[]): Promise<readonly StoredDocument[]> {
    await kafka.produce(topic, records)
    const ends = await kafka.ends(topic)
    const sink = await create(config)
    await sink.start()
    await committed([...ends.values()].reduce((sum, end) => sum + Number(end), 0))
    await sink.stop()
    return documents()
  }

  async function stop(): Promise<void> {
    await Promise.all(sinks.map((sink) => sink.stop()))
    await kafka.close()
    await emulator.stop()
  }
}

const QUICK_KAFKA = { sessionTimeout: '6s', heartbeatInterval: '1s', metadataMaxAge: '2s', handoverPeriod: '500ms' }

const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined }
