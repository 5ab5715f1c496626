import * as z from 'zod'
import { createSecret, secret } from '../secrets.ts'
import type { KafkaSettings, SaslSettings, TlsSettings } from '../settings.ts'
import { TopicPattern } from '../topic-pattern.ts'
import { duration, size } from './units.ts'

/** Settings before the defaults that depend on the name of the sink are added. */
export type KafkaConfig = Omit<KafkaSettings, 'clientId' | 'group'> & {
  readonly clientId: string | undefined
  readonly group: string | undefined
}

const TOPIC = /^[\w.-]{1,249}$/

const START = 'must be earliest, latest, or a time with its offset from UTC, such as 2026-11-01T00:00:00Z'

export const topicName: z.ZodType<string, string> = z
  .string()
  .regex(TOPIC, 'must be the name of a topic: letters, digits, `.`, `_` and `-`')

const pem = z
  .string()
  .regex(/-----BEGIN /, 'must be PEM text: write ${file:ca.pem} to read it from a file')
  .optional()

const tlsSchema: z.ZodType<TlsSettings> = z
  .strictObject({
    ca: pem.meta({ title: 'PEM', description: 'Certificates of trusted authorities. Default: those of Node.' }),
    cert: pem.meta({ title: 'PEM', description: 'Client certificate.' }),
    key: secret('Private key of the client certificate, as PEM.'),
    passphrase: secret('Passphrase of the private key.'),
    rejectUnauthorized: z
      .boolean()
      .default(true)
      .meta({ description: 'Reject brokers whose certificate cannot be verified.' })
  })
  .transform(({ ca, cert, key, passphrase, rejectUnauthorized }) => ({ ca, cert, key, passphrase, rejectUnauthorized }))

const saslSchema: z.ZodType<SaslSettings> = z
  .discriminatedUnion('mechanism', [
    z.strictObject({
      mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).meta({ description: 'SASL mechanism.' }),
      username: z
        .string()
        .min(1)
        .meta({ description: 'User name. Default at Event Hubs: `$ConnectionString`.', examples: ['user'] }),
      password: z
        .string()
        .min(1)
        .meta({
          title: 'secret',
          writeOnly: true,
          description: 'Best as a reference: `${env:NAME}` or `${file:path}`. At Event Hubs the connection string.',
          examples: ['password']
        })
    }),
    z.strictObject({
      mechanism: z.literal('oauthbearer').meta({ description: 'A token of Entra, by `@azure/identity`.' }),
      scope: z
        .string()
        .min(1)
        .meta({
          description: 'OAuth scope. Default at Event Hubs: the namespace.',
          examples: ['https://my-namespace.servicebus.windows.net/.default']
        })
    })
  ])
  .transform((sasl) => (sasl.mechanism === 'oauthbearer' ? sasl : { ...sasl, password: createSecret(sasl.password) }))

export const kafkaSchema: z.ZodType<KafkaConfig> = z
  .strictObject({
    brokers: z
      .array(
        z.string().regex(/^(?:\[[^\]\s]+\]|[^\s:/@,[\]]+):\d{1,5}$/, 'must be a host and a port, such as broker-1:9092')
      )
      .min(1)
      .meta({ description: 'Bootstrap servers.', examples: [['localhost:9092']] }),
    topics: z
      .array(topicName)
      .min(1)
      .refine((topics) => new Set(topics).size === topics.length, 'must name each topic once')
      .optional()
      .meta({ description: 'Topics to read. Either this or `topicPattern`.' }),
    topicPattern: z.string().min(1).check(checkPattern).optional().meta({
      description:
        'Regular expression in RE2 syntax that matches whole topic names; new topics are found while running.'
    }),
    group: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'Consumer group. Default: `keystamp-` and the name of the sink.' }),
    clientId: z.string().min(1).max(255).optional().meta({
      description: 'Client id, for the logs and quotas of brokers. Default: `keystamp-` and the name of the sink.'
    }),
    from: z
      .union([z.enum(['earliest', 'latest']), z.iso.datetime({ offset: true, error: START })], { error: START })
      .default('earliest')
      .meta({
        description:
          'Where a group without stored offsets starts to read. A time selects the first record with this Kafka timestamp or a later one. A partition that is added to a topic later always starts at its earliest record.'
      }),
    until: z.literal('end').optional().meta({
      description:
        'With `end`, the sink stops, and the process ends with exit code 0, when all records have an outcome that its partitions had when it got them. Default: the sink goes on.'
    }),
    lostOffsets: z
      .enum(['stop', 'earliest', 'latest'])
      .default('stop')
      .meta({ description: 'Action when the stored offset is out of range because Kafka has deleted the records.' }),
    tls: z
      .union([z.boolean(), tlsSchema], { error: 'must be true, false, or keys such as ca, cert and key' })
      .prefault(false)
      .meta({ description: 'TLS: `true`, or your own certificates.' }),
    sasl: saslSchema.optional().meta({ description: 'SASL authentication.' }),
    sessionTimeout: duration({
      or: '30s',
      least: '6s',
      most: '30m',
      says: 'Session timeout: a member without heartbeats for that long leaves the group.'
    }),
    heartbeatInterval: duration({ or: '3s', least: '500ms', most: '60s', says: 'Heartbeat interval.' }),
    rebalanceTimeout: duration({
      or: '60s',
      least: '5s',
      most: '30m',
      says: 'Time that members have to join again in a rebalance. A sink without an acknowledged heartbeat for that long writes nothing.'
    }),
    metadataMaxAge: duration({
      or: '60s',
      least: '1s',
      most: '1h',
      says: 'Interval at which the sink looks for new partitions, topics and leaders.'
    }),
    connectionTimeout: duration({ or: '10s', least: '100ms', most: '5m', says: 'Timeout for connecting to a broker.' }),
    requestTimeout: duration({ or: '30s', least: '1s', most: '5m', says: 'Timeout for a request to a broker.' }),
    fetchMaxWait: duration({
      or: '100ms',
      least: '10ms',
      most: '5s',
      says: 'Time that a broker waits for records before it answers a fetch; a paused partition resumes within that time.'
    }),
    maxBytesPerPartition: size({
      or: '128KiB',
      least: '16KiB',
      most: '256MiB',
      says: 'Limit for the bytes of one fetch from each partition; the limit for all partitions together is four times as much.'
    }),
    maxDecompressedBytes: size({
      or: '64MiB',
      least: '1MiB',
      most: '2GiB',
      says: 'Memory limit for the decompressed batches of one fetch, counting 256 bytes for each record and 160 for each header. All sinks of a file must have the same limit.'
    }),
    onOversizedBatch: z.enum(['stop', 'skip']).default('stop').meta({
      description:
        'Handling of a batch that exceeds `maxDecompressedBytes`: `stop` the sink, or `skip` all records of the batch. If rejected records are copied, a skipped batch leaves one dead-letter record with its topic, partition and offsets.'
    }),
    handoverPeriod: duration({
      or: '1s',
      least: '0ms',
      most: '5m',
      says: 'Time that a new owner of a partition waits before its first write, so that requests of the former owner can arrive.'
    })
  })
  .transform(({ topics, topicPattern, ...kafka }) => ({
    brokers: kafka.brokers,
    clientId: kafka.clientId,
    group: kafka.group,
    topics: topicPattern === undefined ? (topics ?? []) : new TopicPattern(topicPattern),
    from: kafka.from === 'earliest' || kafka.from === 'latest' ? kafka.from : Math.max(0, Date.parse(kafka.from)),
    until: kafka.until,
    lostOffsets: kafka.lostOffsets,
    tls: kafka.tls,
    sasl: kafka.sasl,
    sessionTimeoutMs: kafka.sessionTimeout,
    heartbeatMs: kafka.heartbeatInterval,
    rebalanceTimeoutMs: kafka.rebalanceTimeout,
    metadataMaxAgeMs: kafka.metadataMaxAge,
    connectionTimeoutMs: kafka.connectionTimeout,
    requestTimeoutMs: kafka.requestTimeout,
    maxWaitMs: kafka.fetchMaxWait,
    maxBytesPerPartition: kafka.maxBytesPerPartition,
    maxInflatedBatchBytes: kafka.maxDecompressedBytes,
    onOversizedBatch: kafka.onOversizedBatch,
    handoverMs: kafka.handoverPeriod
  }))

function checkPattern({ value, issues }: z.core.ParsePayload<string>): void {
  try {
    new TopicPattern(value).matches('')
  } catch (error) {
    issues.push({ code: 'custom', input: value, message: (error as Error).message })
  }
}
