import * as z from 'zod'
import type { FormatSettings, NumberPolicy, RegistrySettings } from '../settings.ts'
import { secret } from '../secrets.ts'
import { duration } from './units.ts'

const NAMES = ['json', 'json-envelope', 'text', 'bytes', 'registry'] as const

/** Format of a key or a value: a name, or Avro with its schema. */
export function format(or: (typeof NAMES)[number], says: string): z.ZodType<FormatSettings> {
  return z
    .union(
      [
        z.enum(NAMES),
        z.strictObject({
          format: z
            .literal('avro')
            .meta({ description: 'Avro without a registry: the bytes of one value without a header.' }),
          schema: avroSchema
        })
      ],
      {
        error: `must be ${NAMES.join(', ')}, or { format: avro, schema: ... }`
      }
    )
    .default(or)
    .transform((given) => (typeof given === 'string' ? { format: given } : given))
    .meta({ description: says })
}

const avroSchema: z.ZodType<object> = z
  .record(z.string(), z.unknown())
  .meta({ title: 'schema', description: 'Avro schema, inline or as the path of a file.' })

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
