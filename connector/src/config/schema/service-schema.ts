import * as z from 'zod'
import type { PlanDefinition } from '@keystamp/core'
import type { KafkaSettings, ServiceSettings, SinkSettings } from '../settings.ts'
import { cosmosSchema } from './cosmos-schema.ts'
import { format, numbersSchema, registrySchema } from './format-schema.ts'
import { commitSchema, idSchema, rejectsSchema, writeSchema } from './write-schema.ts'
import { kafkaSchema } from './kafka-schema.ts'
import { duration, size } from './units.ts'

/** What the schema gives; warnings come from what it cannot see. */
export type CheckedService = Omit<ServiceSettings, 'warnings'>

const sink = {
  name: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, `.`, `_` and `-`')
    .meta({ description: 'Names the sink in metrics, logs and the consumer group.', examples: ['drives'] }),
  kafka: kafkaSchema.meta({ description: 'Where records come from.' }),
  key: format('text', 'How the keys of records are read.'),
  value: format('json', 'How the values of records are read.'),
  registry: registrySchema.optional().meta({ description: 'The schema registry, for the format `registry`.' }),
  numbers: numbersSchema.meta({ description: 'What numbers become that JSON cannot hold exactly.' }),
  cosmos: cosmosSchema.meta({ description: 'Where documents go.' }),
  plan: z.record(z.string(), z.unknown()).optional().meta({
    title: 'key plan',
    description:
      'The key plan: as it is, or the path of its file. Without one records carry their partition key where the container looks for it.'
  }),
  id: idSchema.optional().meta({ description: 'How ids are made, where the plan does not say. Default: the record carries its own.' }),
  write: writeSchema.meta({ description: 'What is done with a document.' }),
  rejects: rejectsSchema.meta({ description: 'What becomes of records that cannot be stored.' }),
  commit: commitSchema.meta({ description: 'When positions are committed.' }),
  acceptPlanChange: z.boolean().default(false).meta({ description: 'Go on from a position that was committed under another plan.' }),
  allowDuplicatesOnReplay: z
    .boolean()
    .default(false)
    .meta({ description: 'Take a plan with random suffixes, which stores a record a second time when it is read again.' }),
  maxInFlightBytes: size({
    or: '8MiB',
    least: '64KiB',
    most: '16GiB',
    says: 'Bytes of records that may be open at once, and of what they are while they are worked on; then reading pauses.'
  }),
  stallTimeout: duration({
    or: '60s',
    least: '1s',
    most: '24h',
    says: 'How long a record may be open without a reason before the sink gives up.'
  }),
  shutdownTimeout: duration({ or: '30s', least: '0s', most: '1h', says: 'How long draining may take after a signal.' }),
  authGracePeriod: duration({
    or: '15m',
    least: '0s',
    most: '24h',
    says: 'How long the sink waits for credentials to be accepted again that a service accepted before. Secret files are read again meanwhile.'
  })
}

const service = {
  onSinkFailure: z.enum(['continue', 'exit']).default('continue').meta({
    description: 'When one of several sinks fails: `continue` leaves the others running; `exit` drains them and ends the process.'
  }),
  http: z
    .strictObject({
      host: z
        .string()
        .min(1)
        .default('127.0.0.1')
        .meta({ description: 'The address to listen on; `0.0.0.0` for every one, as a container needs it.' }),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .meta({ description: 'The port; 0 takes a free one.', examples: [8080] })
    })
    .optional()
    .meta({ description: 'Serve `/livez`, `/readyz` and `/metrics`, for all sinks of the file.' }),
  log: z
    .strictObject({
      level: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info').meta({ description: 'What is said.' })
    })
    .prefault({})
    .meta({ description: 'Lines of JSON on standard output.' })
}

/** A file of one sink, whose keys stand at the top. */
export const oneSinkSchema: z.ZodType<CheckedService> = z
  .strictObject({ ...sink, ...service })
  .transform(({ onSinkFailure, http, log, ...only }) => ({ sinks: [toSink(only)], onSinkFailure, http, log }))

/** A file of several sinks. */
export const manySinksSchema: z.ZodType<CheckedService> = z
  .strictObject({
    sinks: z.array(z.strictObject(sink).transform(toSink)).min(1).meta({ description: 'The sinks; each has its own keys.' }),
    ...service
  })
  .transform(({ sinks, onSinkFailure, http, log }) => ({ sinks, onSinkFailure, http, log }))

/** The schema for what a file holds. */
export function schemaOf(value: unknown): z.ZodType<CheckedService> {
  return typeof value === 'object' && value !== null && 'sinks' in value ? manySinksSchema : oneSinkSchema
}

type WrittenSink = z.output<z.ZodObject<typeof sink>>

function toSink({ kafka, plan, maxInFlightBytes, stallTimeout, shutdownTimeout, authGracePeriod, ...rest }: WrittenSink): SinkSettings {
  const named: KafkaSettings = {
    ...kafka,
    clientId: kafka.clientId ?? `keystamp-${rest.name}`,
    group: kafka.group ?? `keystamp-${rest.name}`
  }
  return {
    ...rest,
    registry: rest.registry,
    id: rest.id,
    kafka: named,
    plan: plan as PlanDefinition | undefined,
    maxBytes: maxInFlightBytes,
    stallMs: stallTimeout,
    shutdownMs: shutdownTimeout,
    authGraceMs: authGracePeriod
  }
}
