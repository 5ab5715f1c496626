import * as z from 'zod'
import { createSecret, secret } from '../secrets.ts'
import type { KafkaSettings, SaslSettings, TlsSettings } from '../settings.ts'
import { TopicPattern } from '../topic-pattern.ts'
import { duration, size } from './units.ts'

/** What the name of the sink still has to complete. */
export type KafkaConfig = Omit<KafkaSettings, 'clientId' | 'group'> & {
  readonly clientId: string | undefined
  readonly group: string | undefined
}

const TOPIC = /^[\w.-]{1,249}$/

export const topicName: z.ZodType<string, string> = z
  .string()
  .regex(TOPIC, 'must be the name of a topic: letters, digits, `.`, `_` and `-`')

const pem = z
  .string()
  .regex(/-----BEGIN /, 'must be PEM text: write ${file:ca.pem} to read it from a file')
  .optional()

const tlsSchema: z.ZodType<TlsSettings> = z
  .strictObject({
    ca: pem.meta({ title: 'PEM', description: 'Certificates of the authorities that are trusted. Default: those of Node.' }),
    cert: pem.meta({ title: 'PEM', description: 'The certificate that this client shows.' }),
    key: secret('The private key of that certificate, as PEM.'),
    passphrase: secret('What the private key is encrypted with.'),
    rejectUnauthorized: z.boolean().default(true).meta({ description: 'Refuse a broker whose certificate cannot be verified.' })
  })
  .transform(({ ca, cert, key, passphrase, rejectUnauthorized }) => ({ ca, cert, key, passphrase, rejectUnauthorized }))

const saslSchema: z.ZodType<SaslSettings> = z
  .discriminatedUnion('mechanism', [
    z.strictObject({
      mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).meta({ description: 'How this client says who it is.' }),
      username: z
        .string()
        .min(1)
        .meta({ description: 'At Event Hubs `$ConnectionString`, which is the default there.', examples: ['user'] }),
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
          description: 'What the token is for. At Event Hubs the namespace, which is the default there.',
          examples: ['https://my-namespace.servicebus.windows.net/.default']
        })
    })
  ])
  .transform((sasl) => (sasl.mechanism === 'oauthbearer' ? sasl : { ...sasl, password: createSecret(sasl.password) }))

export const kafkaSchema: z.ZodType<KafkaConfig> = z
  .strictObject({
    brokers: z
      .array(z.string().regex(/^(?:\[[^\]\s]+\]|[^\s:/@,[\]]+):\d{1,5}$/, 'must be a host and a port, such as broker-1:9092'))
      .min(1)
      .meta({ description: 'Where to begin; the others are found from there.', examples: [['localhost:9092']] }),
    topics: z
      .array(topicName)
      .min(1)
      .refine((topics) => new Set(topics).size === topics.length, 'must name each topic once')
      .optional()
      .meta({ description: 'The topics to read. Either this or `topicPattern`.' }),
    topicPattern: z.string().min(1).check(checkPattern).optional().meta({
      description: 'A regular expression in RE2 syntax that the whole name of a topic has to match; new topics are found while running.'
    }),
    group: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .meta({ description: 'The consumer group. Default: `keystamp-` and the name of the sink.' }),
    clientId: z.string().min(1).max(255).optional().meta({
      description: 'What brokers call this client in logs and quotas. Default: `keystamp-` and the name of the sink.'
    }),
    from: z.enum(['earliest', 'latest']).default('earliest').meta({
      description:
        'Where a group without a stored offset begins. A partition that is added to a topic later begins at its earliest record, whatever this says.'
    }),
    lostOffsets: z
      .enum(['stop', 'earliest', 'latest'])
      .default('stop')
      .meta({ description: 'What to do when the position of the group lies where the topic has no records any more.' }),
    tls: z
      .union([z.boolean(), tlsSchema], { error: 'must be true, false, or keys such as ca, cert and key' })
      .prefault(false)
      .meta({ description: 'Encrypt, with `true` or with certificates of one’s own.' }),
    sasl: saslSchema.optional().meta({ description: 'Who this client is.' }),
    sessionTimeout: duration({ or: '30s', least: '6s', most: '30m', says: 'How long the group waits for a sign of life.' }),
    heartbeatInterval: duration({ or: '3s', least: '500ms', most: '60s', says: 'Heartbeat interval.' }),
    rebalanceTimeout: duration({
      or: '60s',
      least: '5s',
      most: '30m',
      says: 'How long members may take to join again. A sink without a heartbeat for that long writes nothing.'
    }),
    metadataMaxAge: duration({ or: '60s', least: '1s', most: '1h', says: 'How soon new partitions, topics and leaders are noticed.' }),
    connectionTimeout: duration({ or: '10s', least: '100ms', most: '5m', says: 'How long connecting to a broker may take.' }),
    requestTimeout: duration({ or: '30s', least: '1s', most: '5m', says: 'How long a broker may take to answer.' }),
    fetchMaxWait: duration({
      or: '100ms',
      least: '10ms',
      most: '5s',
      says: 'How long a broker holds a fetch back that finds nothing; a paused partition resumes within it.'
    }),
    maxBytesPerPartition: size({
      or: '128KiB',
      least: '16KiB',
      most: '256MiB',
      says: 'How much one fetch brings of a partition; of all, it brings four times as much.'
    }),
    maxDecompressedBytes: size({
      or: '64MiB',
      least: '1MiB',
      most: '2GiB',
      says: 'Memory that the batches of one fetch may take: what they inflate to, 256 bytes for each record and 160 for each header. The same for all sinks of a file.'
    }),
    onOversizedBatch: z.enum(['stop', 'skip']).default('stop').meta({
      description:
        'What to do with a batch that takes more: `stop` the sink, or `skip` its records, none of which can be read. Where rejected records are copied, a skipped batch leaves one entry with its topic, partition and offsets.'
    }),
    handoverPeriod: duration({
      or: '1s',
      least: '0ms',
      most: '5m',
      says: 'How long a partition that came from another member is left alone, so that what its former owner sent has landed.'
    })
  })
  .transform(({ topics, topicPattern, ...kafka }) => ({
    brokers: kafka.brokers,
    clientId: kafka.clientId,
    group: kafka.group,
    topics: topicPattern === undefined ? (topics ?? []) : new TopicPattern(topicPattern),
    from: kafka.from,
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
