import * as z from 'zod'
import type { PatchSettings, WriteSettings } from '../settings.ts'
import { bothNames, PATCH_OPERATIONS, WRITE_STRATEGIES } from '../strategy-names.ts'
import { toMs } from './units.ts'

const member = z.string().min(1)

const pointer = z.string().regex(/^(?:\/(?:[^~/]|~[01])+)+$/, 'must be a JSON pointer such as /expiry')

const operation = z.enum(bothNames(PATCH_OPERATIONS)).transform((name) => PATCH_OPERATIONS[name] ?? name)

const patch: z.ZodType<PatchSettings> = z
  .strictObject({
    operation: operation.prefault('set').meta({ description: 'What is done with each member of the record; `none` leaves it out.' }),
    members: z
      .record(member, z.union([operation, z.strictObject({ operation: operation.optional(), path: pointer.optional() })]))
      .default({})
      .meta({ description: 'By member: another operation, or another place in the document: `{ operation: increment, path: /total }`.' }),
    condition: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Patch only documents that fulfil this, such as `from c where c.state = "open"`.' })
  })
  .transform(({ operation: usual, members, condition }) => ({
    operation: usual,
    members: new Map(
      Object.entries(members).map(([name, given]) => [
        name,
        typeof given === 'string' ? { operation: given, path: undefined } : { operation: given.operation ?? usual, path: given.path }
      ])
    ),
    condition
  }))

const ttl = z
  .union(
    [
      z.literal('never').transform(() => -1),
      z
        .string()
        .regex(/^\d+(?:s|m|h|d)$/, 'must be a duration in whole seconds such as 30d, never, or { field: /ttl }')
        .transform((text) => toMs(text) / 1000)
        .refine((seconds) => seconds >= 1 && seconds <= 2 ** 31 - 1, 'must last 1s to 24855d'),
      z.strictObject({ field: pointer.meta({ description: 'The member that holds the seconds.' }) })
    ],
    'must be a duration such as 30d, never, or { field: /ttl }'
  )
  .optional()

export const writeSchema: z.ZodType<WriteSettings> = z
  .strictObject({
    strategy: z
      .enum(bothNames(WRITE_STRATEGIES))
      .default('overwrite')
      .transform((name) => WRITE_STRATEGIES[name] ?? name)
      .meta({ description: 'What is done with a document; Microsoft’s names are taken as well.' }),
    patch: patch.optional().meta({ description: 'How documents are patched.' }),
    tombstones: z
      .enum(['delete', 'ignore', 'reject'])
      .default('reject')
      .meta({ description: 'What a record without a value does. `delete` needs a key and an id that the Kafka key alone gives.' }),
    ttl: ttl.meta({
      title: 'duration, `never`, or a field',
      description:
        'When the document expires: a duration, `never`, or `{ field: /ttl }` for seconds in the record. Default: the record’s own `ttl`, if it has one.'
    }),
    metadata: z
      .strictObject({
        into: member.default('_kafka').meta({ description: 'The member that holds them.' }),
        fields: z
          .array(z.enum(['topic', 'partition', 'offset', 'timestamp', 'key', 'headers']))
          .min(1)
          .default(['topic', 'partition', 'offset', 'timestamp'])
          .meta({ description: 'Which of them.' })
      })
      .optional()
      .meta({ description: 'Store where in Kafka the record came from.' }),
    drop: z.array(member).default([]).meta({ description: 'Members at the top of the record that are not stored.' }),
    atomic: z
      .boolean()
      .default(false)
      .meta({ description: 'Apply consecutive records of one key from one partition all or none, up to 100 of them.' })
  })
  .prefault({})
  .transform((write) => ({
    strategy: write.strategy,
    patch: write.patch ?? (write.strategy === 'patch' ? { operation: 'set', members: new Map(), condition: undefined } : undefined),
    tombstones: write.tombstones,
    ttl: write.ttl,
    metadata: write.metadata,
    drop: write.drop,
    atomic: write.atomic
  }))
