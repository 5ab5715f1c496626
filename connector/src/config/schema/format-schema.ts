import * as z from 'zod'
import type { ChangeDataSettings, FormatSettings, NumberPolicy, RegistrySettings, ValueSettings } from '../settings.ts'
import { secret } from '../secrets.ts'
import { duration } from './units.ts'

const NAMES = ['json', 'json-envelope', 'text', 'bytes', 'registry'] as const

const avroSchema: z.ZodType<object> = z
  .record(z.string(), z.unknown())
  .meta({ title: 'schema', description: 'Avro schema, inline or as the path of a file.' })

const plainAvro = z.strictObject({
  format: z.literal('avro').meta({ description: 'Avro without a registry: the bytes of one value without a header.' }),
  schema: avroSchema
})

/** Format of a key or a value: a name, or Avro with its schema. */
export function format(or: (typeof NAMES)[number], says: string): z.ZodType<FormatSettings> {
  return z
    .union([z.enum(NAMES), plainAvro], {
      error: `must be ${NAMES.join(', ')}, or { format: avro, schema: ... }`
    })
    .default(or)
    .transform((given) => (typeof given === 'string' ? { format: given } : given))
    .meta({ description: says })
}

/** Format of values: that of a document, or change data. */
export const valueFormat: z.ZodType<ValueSettings> = z
  .union(
    [
      z.enum([...NAMES, 'debezium']),
      z.discriminatedUnion('format', [
        plainAvro,
        z
          .strictObject({
            format: z
              .literal('debezium')
              .meta({ description: 'Change data of Debezium: envelopes with `op`, `before` and `after`.' }),
            encoding: z.enum(['json', 'registry', 'avro']).default('json').meta({
              description:
                'Encoding of the envelopes: JSON with or without a schema, Avro, JSON Schema or Protobuf of the registry, or Avro with the schema under `schema`.'
            }),
            schema: avroSchema.optional(),
            truncate: z.enum(['reject', 'ignore']).default('reject').meta({
              description:
                'Handling of changes with the `op` `t`, which say that a table was emptied: they name no documents.'
            }),
            message: z
              .enum(['reject', 'ignore'])
              .default('ignore')
              .meta({ description: 'Handling of changes with the `op` `m`, which are messages without a row.' }),
            unavailable: z.enum(['reject', 'store']).default('reject').meta({
              description:
                'Handling of updates whose row contains `__debezium_unavailable_value` in place of a large value that did not change.'
            })
          })
          .refine(({ encoding, schema }) => (encoding === 'avro') === (schema !== undefined), {
            path: ['schema'],
            error: 'must be given for the encoding avro, and for no other encoding'
          })
      ])
    ],
    { error: `must be ${NAMES.join(', ')}, debezium, or { format: avro, schema: ... }` }
  )
  .default('json')
  .transform((given) => toValueSettings(typeof given === 'string' ? { format: given } : given))
  .meta({ description: 'Format of record values.' })

type WrittenFormat =
  | FormatSettings
  | (Partial<Omit<ChangeDataSettings, 'encoding'>> & {
      readonly format: 'debezium'
      readonly encoding?: 'json' | 'registry' | 'avro'
      readonly schema?: object | undefined
    })

function toValueSettings(given: WrittenFormat): ValueSettings {
  if (given.format !== 'debezium') return given
  const { format: name, encoding = 'json', schema, truncate = 'reject', message = 'ignore' } = given
  const encoded =
    encoding === 'avro' ? ({ format: 'avro', schema: schema ?? {} } as const) : ({ format: encoding } as const)
  return { format: name, encoding: encoded, truncate, message, unavailable: given.unavailable ?? 'reject' }
}

/** Whether a format needs the schema registry. */
export function needsRegistry(settings: ValueSettings): boolean {
  return (settings.format === 'debezium' ? settings.encoding : settings).format === 'registry'
}

export const registrySchema: z.ZodType<RegistrySettings> = z
  .strictObject({
    url: z
      .string()
      .regex(
        /^https?:\/\/[^/@\s]+(?:\/[^@\s]*)?$/,
        'must be an http or https address, without user and password: those have their own keys'
      )
      .meta({ description: 'Address of the schema registry.', examples: ['http://localhost:8081'] }),
    username: z.string().min(1).optional().meta({ description: 'User name or API key.' }),
    password: secret('Password or API secret.'),
    token: secret('Bearer token, instead of `username` and `password`.'),
    unframed: z.enum(['reject', 'json']).default('reject').meta({
      description:
        'Handling of a key or value that does not begin with a schema id: `json` accepts a JSON object as is.'
    }),
    requestTimeout: duration({
      or: '10s',
      least: '100ms',
      most: '5m',
      says: 'Timeout for one request; the sink retries.'
    })
  })
  .transform(({ url, username, password, token, unframed, requestTimeout }) => ({
    url,
    username,
    password,
    token,
    unframed,
    timeoutMs: requestTimeout
  }))

const policy = z.enum(['string', 'number', 'reject']).default('string')

export const numbersSchema: z.ZodType<NumberPolicy> = z
  .strictObject({
    int64: policy.meta({
      description:
        'Conversion of integers beyond 2^53, which a JSON number would round: exact string, rounded number, or rejection. Smaller integers are always stored as numbers.'
    }),
    decimal: policy.meta({
      description: 'Conversion of decimals: exact string, nearest number, or rejection if a number would round them.'
    })
  })
  .prefault({})
