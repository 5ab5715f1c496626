import * as z from 'zod'
import type { PlanDefinition } from '@keystamp/core'
import type { KafkaSettings, ServiceSettings, SinkSettings, ValueSettings, WriteSettings } from '../settings.ts'
import { cosmosSchema } from './cosmos-schema.ts'
import { format, numbersSchema, registrySchema, valueFormat } from './format-schema.ts'
import { commitSchema, idSchema, rejectsSchema, writeSchema } from './write-schema.ts'
import { kafkaSchema } from './kafka-schema.ts'
import { shapeSchema } from './shape-schema.ts'
import { moveSchema } from './move-schema.ts'
import { duration, size } from './units.ts'

/** Output of the schema: the settings without their warnings, which `readConfig` adds. */
export type CheckedService = Omit<ServiceSettings, 'warnings'>

const sink = {
  name: z
    .string()
    .regex(/^[\w.-]{1,100}$/, 'must be 1 to 100 letters, digits, `.`, `_` and `-`')
    .meta({ description: 'Name of the sink in metrics, logs and the consumer group.', examples: ['drives'] }),
  kafka: kafkaSchema.meta({ description: 'Kafka cluster and topics to read from.' }),
  key: format('text', 'Format of record keys.'),
  value: valueFormat,
  registry: registrySchema
    .optional()
    .meta({ description: 'Schema registry, for the format `registry`, and for change data with this encoding.' }),
  numbers: numbersSchema.meta({ description: 'Conversion of numbers that JSON cannot hold exactly.' }),
  cosmos: cosmosSchema.meta({ description: 'Account, database and container to write to.' }),
  shape: shapeSchema.optional().meta({
    description:
      'Steps that change each record before the key plan and the other settings read it, in this order. [Shape](shape.md) explains each step.'
  }),
  plan: z.record(z.string(), z.unknown()).optional().meta({
    title: 'key plan',
    description:
      'Key plan, inline or as the path of a file. Without a plan, records must contain their partition key at the partition key path of the container.'
  }),
  move: moveSchema.optional().meta({
    description:
      'Switch to another container while the sink runs: `keystamp rekey switch --sink` moves all processes of the group at one offset of each partition. Until then the sink writes to `cosmos`.'
  }),
  id: idSchema
    .optional()
    .meta({ description: 'Source of document ids, if the plan has none. Default: the `id` of the record.' }),
  write: writeSchema.meta({ description: 'How documents are written.' }),
  rejects: rejectsSchema.meta({ description: 'Handling of records that cannot be stored.' }),
  commit: commitSchema.meta({ description: 'Offset commits.' }),
  acceptPlanChange: z
    .boolean()
    .default(false)
    .meta({ description: 'Resume from offsets that were committed under another plan.' }),
  allowDuplicatesOnReplay: z.boolean().default(false).meta({
    description: 'Accept a plan with random suffixes, which stores a redelivered record as a second document.'
  }),
  maxInFlightBytes: size({
    or: '8MiB',
    least: '64KiB',
    most: '16GiB',
    says: 'Limit for the bytes of records without an outcome, decoded documents included. At the limit, partitions are paused.'
  }),
  stallTimeout: duration({
    or: '60s',
    least: '1s',
    most: '24h',
    says: 'Time after which the sink fails if no record makes progress and there is no known reason to wait.'
  }),
  shutdownTimeout: duration({ or: '30s', least: '0s', most: '1h', says: 'Time limit for draining after a signal.' }),
  authGracePeriod: duration({
    or: '15m',
    least: '0s',
    most: '24h',
    says: 'Time that the sink waits when a service rejects credentials that it accepted before. Secret files are read again meanwhile.'
  })
}

const service = {
  onSinkFailure: z.enum(['continue', 'exit']).default('continue').meta({
    description:
      'When one of several sinks fails: `continue` leaves the others running; `exit` drains them and ends the process.'
  }),
  http: z
    .strictObject({
      host: z.string().min(1).default('127.0.0.1').meta({
        description: 'Address to listen on; `0.0.0.0` for all interfaces, which is necessary inside a Docker container.'
      }),
      port: z
        .int()
        .min(0)
        .max(65_535)
        .meta({ description: 'Port; 0 takes a free port.', examples: [8080] })
    })
    .optional()
    .meta({ description: 'Server for `/livez`, `/readyz` and `/metrics`, for all sinks of the file.' }),
  log: z
    .strictObject({
      level: z
        .enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
        .default('info')
        .meta({ description: 'Lowest level that is logged.' })
    })
    .prefault({})
    .meta({ description: 'Log: JSON lines on standard output.' })
}

/** A file with one sink, whose keys are at the top level. */
export const oneSinkSchema: z.ZodType<CheckedService> = z
  .strictObject({ ...sink, ...service })
  .transform(({ onSinkFailure, http, log, ...only }) => ({ sinks: [toSink(only)], onSinkFailure, http, log }))

/** A file with several sinks. */
export const manySinksSchema: z.ZodType<CheckedService> = z
  .strictObject({
    sinks: z
      .array(z.strictObject(sink).transform(toSink))
      .min(1)
      .meta({ description: 'List of sinks, each with its own settings.' }),
    ...service
  })
  .transform(({ sinks, onSinkFailure, http, log }) => ({ sinks, onSinkFailure, http, log }))

/** Chooses the schema for the content of a file. */
export function schemaOf(value: unknown): z.ZodType<CheckedService> {
  return typeof value === 'object' && value !== null && 'sinks' in value ? manySinksSchema : oneSinkSchema
}

/** Debezium writes a tombstone after each delete, so that Kafka can compact a topic. */
function usualTombstones({ format: name }: ValueSettings): WriteSettings['tombstones'] {
  return name === 'debezium' ? 'repeated' : 'reject'
}

type WrittenSink = z.output<z.ZodObject<typeof sink>>

function toSink({
  kafka,
  plan,
  maxInFlightBytes,
  stallTimeout,
  shutdownTimeout,
  authGracePeriod,
  ...rest
}: WrittenSink): SinkSettings {
  const named: KafkaSettings = {
    ...kafka,
    clientId: kafka.clientId ?? `keystamp-${rest.name}`,
    group: kafka.group ?? `keystamp-${rest.name}`
  }
  return {
    ...rest,
    registry: rest.registry,
    shape: rest.shape,
    id: rest.id,
    move: rest.move,
    kafka: named,
    plan: plan as PlanDefinition | undefined,
    write: { ...rest.write, tombstones: rest.write.tombstones ?? usualTombstones(rest.value) },
    maxBytes: maxInFlightBytes,
    stallMs: stallTimeout,
    shutdownMs: shutdownTimeout,
    authGraceMs: authGracePeriod
  }
}
