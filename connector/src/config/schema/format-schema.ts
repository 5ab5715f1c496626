import * as z from 'zod'
import type { FormatSettings, NumberPolicy, RegistrySettings } from '../settings.ts'
import { secret } from '../secrets.ts'
import { duration } from './units.ts'

const NAMES = ['json', 'json-envelope', 'text', 'bytes', 'registry'] as const

/** How the bytes of a key or a value are read: a name, or Avro with its schema. */
export function format(or: (typeof NAMES)[number], says: string): z.ZodType<FormatSettings> {
  return z
    .union(
      [
        z.enum(NAMES),
        z.strictObject({
          format: z.literal('avro').meta({ description: 'Avro without a registry: the bytes of one value, nothing before them.' }),
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
  .meta({ title: 'schema', description: 'An Avro schema: as it is, or the path of its file.' })

export const registrySchema: z.ZodType<RegistrySettings> = z
  .strictObject({
    url: z
      .string()
      .regex(
        /^https?:\/\/[^/@\s]+(?:\/[^@\s]*)?$/,
        'must be an http or https address, without user and password: those have their own keys'
      )
      .meta({ description: 'Where the schema registry is.', examples: ['http://localhost:8081'] }),
    username: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'For registries that ask for a user and a password, or an API key and its secret.' }),
    password: secret('What belongs to `username`.'),
    token: secret('A bearer token, instead of user and password.'),
    unframed: z.enum(['reject', 'json']).default('reject').meta({
      description: 'What becomes of a key or value without the frame that names its schema: `json` takes an object in JSON as it is.'
    }),
    requestTimeout: duration({
      or: '10s',
      least: '100ms',
      most: '5m',
      says: 'How long one answer may take; the sink is patient and asks again.'
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
        'What becomes of integers beyond 2^53, which a number of JSON would round: text, the rounded number, or a rejection. All others are numbers.'
    }),
    decimal: policy.meta({
      description: 'What becomes of decimals: exact text, the nearest number, or a rejection where a number would round them.'
    })
  })
  .prefault({})
