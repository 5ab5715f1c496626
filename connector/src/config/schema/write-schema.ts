import * as z from 'zod'
import { TEMPLATE_VARIABLES, toIdPointer, unknownVariables } from '../id-definition.ts'
import type {
  CommitSettings,
  IdSettings,
  OperationSettings,
  PatchSettings,
  RehomeSettings,
  RejectSettings,
  WriteSettings
} from '../settings.ts'
import { bothNames, ID_STRATEGIES, PATCH_OPERATIONS, WRITE_STRATEGIES } from '../strategy-names.ts'
import { topicName } from './kafka-schema.ts'
import { newerBy } from './newer-by-schema.ts'
import { duration, never, pointer, wholeSeconds } from './units.ts'

const member = z.string().min(1)

const operation = z.enum(bothNames(PATCH_OPERATIONS)).transform((name) => PATCH_OPERATIONS[name] ?? name)

const patch: z.ZodType<PatchSettings> = z
  .strictObject({
    operation: operation
      .prefault('set')
      .meta({ description: 'Operation for each property of the record; `none` leaves it out.' }),
    properties: z
      .record(
        member,
        z.union([operation, z.strictObject({ operation: operation.optional(), path: pointer.optional() })])
      )
      .default({})
      .meta({
        description: 'Another operation or path for single properties: `{ operation: increment, path: /total }`.'
      }),
    condition: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Condition that a document must meet, such as `from c where c.state = "open"`.' })
  })
  .transform(({ operation: usual, properties, condition }) => ({
    operation: usual,
    members: new Map(
      Object.entries(properties).map(([name, given]) => [
        name,
        typeof given === 'string'
          ? { operation: given, path: undefined }
          : { operation: given.operation ?? usual, path: given.path }
      ])
    ),
    condition
  }))

const ttl = z
  .union(
    [never, wholeSeconds, z.strictObject({ field: pointer.meta({ description: 'Property that holds the seconds.' }) })],
    'must be a duration such as 30d, never, or { field: /ttl }'
  )
  .optional()

const NO_INDEX = 'must be { before: ... }, the place of the previous image: the sink keeps no index of keys'
const image: z.ZodType<RehomeSettings> = z.strictObject({
  before: z
    .union(
      [
        z.literal('envelope'),
        pointer.transform((field) => ({ field })),
        z.strictObject({ header: member.meta({ description: 'Kafka header that holds the image as JSON.' }) })
      ],
      'must be envelope, a JSON pointer such as /before, or { header: before }'
    )
    .meta({
      title: '`envelope`, JSON pointer, or a header',
      description:
        'Place of the previous image of the document, a JSON object: `envelope` for the `before` of change data, a JSON pointer in the record, or `{ header: name }` for a Kafka header. A new document has no image, or `null`. The sink keeps no index of keys: without the image it does not know the old key.'
    })
})
const rehome = z.union([image, z.literal(false)], NO_INDEX).default(false)

const effect = z.enum(['store', 'delete', 'ignore'])

const orReject = z.enum(['store', 'delete', 'ignore', 'reject']).default('reject')

const recordOperation: z.ZodType<OperationSettings> = z
  .strictObject({
    field: pointer.optional().meta({ description: 'JSON pointer to the name of the operation in the record.' }),
    header: member.optional().meta({ description: 'Kafka header with the name of the operation, instead of a field.' }),
    values: z
      .record(member, effect)
      .refine((values) => Object.keys(values).length > 0, 'must not be empty')
      .meta({
        description: 'Effect of each name: `store` (as `strategy` says), `delete` or `ignore`.',
        examples: [{ I: 'store', U: 'store', D: 'delete' }]
      }),
    other: orReject.meta({ description: 'Effect of names that `values` does not list.' }),
    missing: orReject.meta({ description: 'Effect of records without the field or the header, or with null.' })
  })
  .refine(({ field, header }) => (field === undefined) !== (header === undefined), 'must have either field or header')
  .transform(({ field, header, values, other, missing }) => ({
    from: field === undefined ? { header: header! } : { field },
    values: new Map(Object.entries(values)),
    other,
    missing
  }))

/** Write settings as written: whether tombstones have a default depends on the format of the values. */
type WrittenWrite = Omit<WriteSettings, 'tombstones'> & {
  readonly tombstones: Exclude<WriteSettings['tombstones'], 'repeated'> | undefined
}

export const writeSchema: z.ZodType<WrittenWrite> = z
  .strictObject({
    strategy: z
      .enum(bothNames(WRITE_STRATEGIES))
      .default('overwrite')
      .transform((name) => WRITE_STRATEGIES[name] ?? name)
      .meta({ description: 'Write strategy; the names of Microsoft’s connectors are accepted, too.' }),
    patch: patch.optional().meta({ description: 'Patch operations.' }),
    tombstones: z.enum(['delete', 'ignore', 'reject']).optional().meta({
      description:
        'Handling of records without a value. `delete` needs a partition key and an id that come only from the Kafka key, the topic and the partition. Default: `reject`; for change data, where a tombstone follows each delete, `delete` if the Kafka key allows it, else `ignore`.'
    }),
    ttl: ttl.meta({
      title: 'duration, `never`, or a field',
      description:
        'Time to live: a duration, `never`, or `{ field: /ttl }` for seconds in the record. Default: the `ttl` of the record, if it has one.'
    }),
    metadata: z
      .strictObject({
        into: member.default('_kafka').meta({ description: 'Property that holds the metadata.' }),
        fields: z
          .array(z.enum(['topic', 'partition', 'offset', 'timestamp', 'key', 'headers']))
          .min(1)
          .default(['topic', 'partition', 'offset', 'timestamp'])
          .meta({ description: 'Metadata to store.' })
      })
      .optional()
      .meta({ description: 'Store Kafka metadata of the record in the document.' }),
    dropProperties: z
      .array(member)
      .default([])
      .meta({ description: 'Top-level properties of the record that are not stored.' }),
    atomic: z
      .boolean()
      .default(false)
      .meta({ description: 'Write up to 100 consecutive records of one partition key atomically.' }),
    rehome: rehome.meta({
      description: 'When the key or id of a document changes: delete the former document, once the new one is stored.'
    }),
    operation: recordOperation.optional().meta({
      description: 'Read from each record whether its document is stored or deleted. Default: every record is stored.'
    }),
    newerBy: newerBy.optional().meta({
      description:
        'Store a document only if it is newer than the stored one. The container needs a default TTL (`-1` suffices), and no unique keys.'
    })
  })
  .prefault({})
  .transform((write) => ({
    strategy: write.strategy,
    patch:
      write.patch ??
      (write.strategy === 'patch' ? { operation: 'set', members: new Map(), condition: undefined } : undefined),
    tombstones: write.tombstones,
    ttl: write.ttl,
    metadata: write.metadata,
    drop: write.dropProperties,
    atomic: write.atomic,
    rehome: write.rehome === false ? undefined : write.rehome,
    operation: write.operation,
    newerBy: write.newerBy
  }))

const escape = z.enum(['lossless', 'underscore']).default('lossless').meta({
  description:
    'Handling of characters that an id cannot contain: escaped reversibly, or replaced by `_` as Microsoft’s connectors do.'
})

function path(mayBeRoot: boolean): z.ZodDefault<z.ZodString> {
  return z
    .string()
    .refine(
      (text) => isPath(text, mayBeRoot),
      'must be a JSON pointer such as /vehicle/vin, or a path such as $.vehicle.vin'
    )
    .default('/id')
    .meta({
      description: `Path of the id: \`/vehicle/vin\`, or \`$.vehicle.vin\`${mayBeRoot ? '; `$` for the whole key' : ''}.`
    })
}

export const idSchema: z.ZodType<IdSettings> = z
  .discriminatedUnion('strategy', [
    z.strictObject({
      strategy: z
        .enum(['inValue', 'ProvidedInValueStrategy'])
        .meta({ description: 'Source of the id; the names of Microsoft’s connectors are accepted, too.' }),
      path: path(false),
      escape
    }),
    z.strictObject({ strategy: z.enum(['inKey', 'ProvidedInKeyStrategy']), path: path(true), escape }),
    z.strictObject({ strategy: z.enum(['fullKey', 'FullKeyStrategy']), escape }),
    z.strictObject({
      strategy: z.enum(['metadata', 'KafkaMetadataStrategy']),
      delimiter: z
        .string()
        .min(1)
        .max(16)
        .default('-')
        .meta({ description: 'Separator between topic, partition and offset.' }),
      escape
    }),
    z.strictObject({
      strategy: z.enum(['template', 'TemplateStrategy']),
      template: z
        .string()
        .min(1)
        .refine(hasKnownVariables, 'must be made of ${topic}, ${partition}, ${offset}, ${key} and text between them')
        .meta({
          description: 'String with `${topic}`, `${partition}`, `${offset}` and `${key}` in it.',
          examples: ['${topic}-${key}']
        }),
      escape
    })
  ])
  .transform((id) => ({ ...id, strategy: ID_STRATEGIES[id.strategy] ?? id.strategy }) as IdSettings)

function isPath(text: string, mayBeRoot: boolean): boolean {
  const found = toIdPointer(text)
  return found !== undefined && (found !== '' || mayBeRoot)
}

// without a variable all records would get the same id
function hasKnownVariables(template: string): boolean {
  return unknownVariables(template).length === 0 && TEMPLATE_VARIABLES.some((name) => template.includes(`\${${name}}`))
}

export const rejectsSchema: z.ZodType<RejectSettings> = z
  .strictObject({
    policy: z.enum(['copy', 'skip', 'stop']).optional().meta({
      description:
        'Handling of rejected records: `copy` to the dead-letter topic or file and continue, `skip` without a copy, or `stop` the sink. Default: `copy` with a topic or file, else `stop`.'
    }),
    topic: topicName.optional().meta({
      description:
        'Dead-letter topic. It must exist. A dead-letter record has the timestamp of the rejected record, so time-based retention may delete it at once, unless the topic has `message.timestamp.type=LogAppendTime`. A compacted topic rejects records without a key.'
    }),
    file: z.string().min(1).optional().meta({
      description:
        'Dead-letter file, instead of a topic: a line of JSON for each record, with key and value in base64. The file contains payloads; only its owner may read it. A relative path starts at the folder of the configuration.'
    }),
    tooLarge: z.enum(['stop', 'withoutValue', 'skip']).default('stop').meta({
      description: 'Handling of a dead-letter record that is too large for the topic.'
    }),
    tolerance: z
      .strictObject({
        percent: z.number().min(0).max(100).default(50).meta({ description: 'Limit in percent; 100 means no limit.' }),
        window: z
          .int()
          .min(10)
          .max(10_000_000)
          .default(1000)
          .meta({ description: 'How many of the most recent records the limit covers.' })
      })
      .prefault({})
      .meta({
        description:
          'Limit for the proportion of rejected records. Above this limit the sink stops, since the cause is then the configuration and not single records.'
      })
  })
  .prefault({})
  .transform(({ policy, topic, file, tooLarge, tolerance }) => {
    const chosen = policy ?? (topic === undefined && file === undefined ? 'stop' : 'copy')
    return {
      policy: chosen,
      topic,
      file,
      tooLarge,
      tolerance: chosen === 'stop' || tolerance.percent === 100 ? undefined : tolerance
    }
  })

export const commitSchema: z.ZodType<CommitSettings> = z
  .strictObject({
    every: duration({ or: '5s', least: '100ms', most: '10m', says: 'Commit interval.' }),
    everyRecords: z
      .int()
      .min(1)
      .max(10_000_000)
      .default(10_000)
      .meta({ description: 'Number of records after which the sink commits before the interval ends.' })
  })
  .prefault({} as never)
  .transform(({ every, everyRecords }) => ({ everyRecords, everyMs: every }))
