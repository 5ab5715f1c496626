// node finds `ConfigResourceTypes` only on the default export: kafkajs is a CommonJS module
import kafkajs, { type Admin, type Kafka, Partitioners, type Producer } from 'kafkajs'
import { type Connections, createConnections } from '../kafka/kafka-client.ts'
import { type DeadLetterRecord, deadLetterBytes } from './dead-letter-record.ts'
import { type FailureKind, type DeadLetterProducer, SendFailure } from './dead-letter-topic.ts'

/**
 * Sends dead-letter records through kafkajs: acknowledged by all in-sync replicas, and without creating topics. Each
 * producer is closed with its connections: kafkajs leaves them open if the producer could not start, and the process
 * would not end.
 */
export function createKafkajsProducer(
  createClient: (connections: Connections) => Kafka,
  topic: string
): DeadLetterProducer {
  let held: Held | undefined

  async function send(deadLetters: readonly DeadLetterRecord[]): Promise<void> {
    await attempt(async ({ producer, partitionOf, maxDeadLetterBytes }) => {
      // a request far above its limit can crash a broker
      if (deadLetters.some((deadLetter) => deadLetterBytes(deadLetter) > maxDeadLetterBytes))
        throw new SendFailure('tooLarge', 'max.message.bytes')
      const messages = deadLetters.map(({ key, value, headers, timestamp, from }) => ({
        key,
        value,
        headers,
        timestamp,
        partition: partitionOf(key, from)
      }))
      await producer.send({ topic, messages, acks: -1 })
    })
  }

  async function attempt(work: (opened: Opened) => Promise<void>): Promise<void> {
    held ??= open()
    try {
      await work(await held.opened)
    } catch (error) {
      if (error instanceof SendFailure) throw error
      // the next request needs a new producer: the sequence numbers of this one may now differ from those of the
      // brokers, and the brokers would treat the next dead-letter records as duplicates
      await release()
      throw toFailure(error)
    }
  }

  function open(): Held {
    const connections = createConnections()
    return { connections, opened: openProducer(createClient(connections), topic) }
  }

  async function release(): Promise<void> {
    const former = held
    held = undefined
    await former?.opened.then(({ producer }) => producer.disconnect()).catch(() => {})
    former?.connections.close()
  }

  return { send, check: () => attempt(async () => {}), close: release }
}

interface Held {
  readonly connections: Connections
  readonly opened: Promise<Opened>
}

interface Opened {
  readonly producer: Producer
  /**
   * Chooses the partition: by the key, or without a key by the partition the record came from. Always the same, also
   * for a retry.
   */
  readonly partitionOf: (key: Buffer | null, from: number) => number
  /** Batch size limit of the topic. */
  readonly maxDeadLetterBytes: number
}

async function openProducer(kafka: Kafka, topic: string): Promise<Opened> {
  const { partitions, maxDeadLetterBytes } = await describeTopic(kafka, topic)
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: RETRY
  })
  await producer.connect()
  const byKey = Partitioners.DefaultPartitioner()
  const partitionMetadata = Array.from({ length: partitions }, (_, partitionId) => ({
    partitionId,
    leader: 0,
    replicas: [],
    isr: [],
    partitionErrorCode: 0
  }))
  const partitionOf: Opened['partitionOf'] = (key, from) =>
    key === null ? from % partitions : byKey({ topic, partitionMetadata, message: { key, value: null } })
  return { producer, partitionOf, maxDeadLetterBytes }
}

async function describeTopic(
  kafka: Kafka,
  topic: string
): Promise<{ readonly partitions: number; readonly maxDeadLetterBytes: number }> {
  const admin = kafka.admin({ retry: RETRY })
  await admin.connect()
  try {
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] })
    return { partitions: topics[0].partitions.length, maxDeadLetterBytes: await readMaxMessageBytes(admin, topic) }
  } finally {
    await admin.disconnect()
  }
}

async function readMaxMessageBytes(admin: Admin, topic: string): Promise<number> {
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configNames: ['max.message.bytes'] }]
    })
    const bytes = Number(resources[0]?.configEntries[0]?.configValue)
    return bytes > 0 ? bytes : UNKNOWN_MAX_BYTES
  } catch {
    // the permission to read the topic's configuration is optional: the broker itself refuses records that are too
    // large
    return UNKNOWN_MAX_BYTES
  }
}

const UNKNOWN_MAX_BYTES = 16 * 1_048_576

// Explicit, since kafkajs has other defaults if NODE_ENV is "test". The caller of `send` retries for longer.
const RETRY = { retries: 2, initialRetryTime: 100, factor: 0.2, multiplier: 2, maxRetryTime: 1000 }

/** Classifies an error of kafkajs; in the chain of causes the innermost known type decides. */
function toFailure(error: unknown): SendFailure {
  let type = 'UNKNOWN'
  let kind: FailureKind = 'temporary'
  for (
    let each = error as KafkaError | undefined;
    each !== undefined && each !== null;
    each = each.cause as KafkaError | undefined
  ) {
    type = each.type ?? each.code?.toString() ?? each.name
    if (FATAL_NAMES.has(each.name)) kind = 'refused'
    if (each.name === 'KafkaJSSASLAuthenticationError') kind = 'unauthorized'
    kind = KINDS.get(each.type ?? '') ?? kind
  }
  return new SendFailure(kind, type, { cause: error })
}

interface KafkaError extends Error {
  /** Name in the Kafka protocol. */
  readonly type?: string
  readonly code?: string | number
}

const KINDS: ReadonlyMap<string, FailureKind> = new Map([
  ['MESSAGE_TOO_LARGE', 'tooLarge'],
  ['RECORD_LIST_TOO_LARGE', 'tooLarge'],
  ['UNKNOWN_TOPIC_OR_PARTITION', 'unknown'],
  ...[
    'INVALID_TOPIC_EXCEPTION',
    'TOPIC_AUTHORIZATION_FAILED',
    'CLUSTER_AUTHORIZATION_FAILED',
    'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
    'INVALID_REQUIRED_ACKS',
    'INVALID_TIMESTAMP',
    'INVALID_RECORD',
    'POLICY_VIOLATION',
    'SECURITY_DISABLED',
    'UNSUPPORTED_FOR_MESSAGE_FORMAT',
    'UNSUPPORTED_VERSION'
  ].map((type) => [type, 'refused'] as const),
  ...['SASL_AUTHENTICATION_FAILED', 'UNSUPPORTED_SASL_MECHANISM', 'ILLEGAL_SASL_STATE'].map(
    (type) => [type, 'unauthorized'] as const
  )
])

// errors of JavaScript itself: their cause is a defect in the program
const FATAL_NAMES: ReadonlySet<string> = new Set(['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'])
