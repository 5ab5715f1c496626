import * as z from 'zod'
import { secret } from '../secrets.ts'
import {
  CAST_TYPES,
  type Condition,
  type ConditionTest,
  type ShapeChange,
  type ShapeStep,
  TIME_UNITS
} from '../shape-settings.ts'
import { TIME_LETTERS, unreadTimePart } from '../time-pattern.ts'
import { TopicPattern } from '../topic-pattern.ts'
import { pointer } from './units.ts'

const fields = z.array(pointer).min(1)
const places = z.record(pointer, pointer).refine((given) => Object.keys(given).length > 0, 'must not be empty')
const scalar = z.union(
  [z.string(), z.number(), z.boolean(), z.null()],
  'must be a string, a number, true, false or null'
)

const pattern = z
  .string()
  .min(1)
  .refine((text) => unreadTimePart(text) === undefined, {
    error: ({ input }) =>
      `has a part that is not read: ${unreadTimePart(input as string)}. Parts are ${TIME_LETTERS}, each once; other words need quotes, such as 'T'`
  })
  .meta({ description: 'Pattern of SimpleDateFormat, such as `yyyy-MM-dd HH:mm:ss`.' })

const unit = z.enum(TIME_UNITS)

const topicPattern = z
  .string()
  .min(1)
  .superRefine((source, context) => {
    try {
      return void new TopicPattern(source)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
    }
  })

const condition: z.ZodType<Condition> = z
  .strictObject({
    topic: topicPattern
      .optional()
      .meta({ description: 'Regular expression that matches the whole name of the topic.' }),
    header: z.string().min(1).optional().meta({ description: 'Name of a Kafka header that the record has.' }),
    tombstone: z.literal(true).optional().meta({ description: 'The record has no value.' }),
    field: pointer.optional().meta({ description: 'Field that the record has, or whose value `in` lists.' }),
    in: z.array(scalar).min(1).optional().meta({ description: 'Values of the field.' }),
    negate: z.boolean().default(false).meta({ description: 'Reverses the condition.' })
  })
  .refine(({ topic, header, tombstone, field }) => countOf([topic, header, tombstone, field]) === 1, {
    error: 'must have one of topic, header, tombstone and field'
  })
  .refine(({ field, in: values }) => values === undefined || field !== undefined, {
    path: ['in'],
    error: 'must be given together with field'
  })
  .transform(({ negate, ...test }) => ({ ...toTest(test), negate }))

interface WrittenTest {
  readonly topic?: string | undefined
  readonly header?: string | undefined
  readonly field?: string | undefined
  readonly in?: readonly (string | number | boolean | null)[] | undefined
}

function toTest({ topic, header, field, in: values }: WrittenTest): ConditionTest {
  if (topic !== undefined) return { kind: 'topic', pattern: topic }
  if (header !== undefined) return { kind: 'header', name: header }
  if (field === undefined) return { kind: 'tombstone' }
  return values === undefined ? { kind: 'exists', field } : { kind: 'in', field, values }
}

const inserted = z.union(
  [
    z.strictObject({ literal: scalar }),
    z.strictObject({ kafka: z.enum(['topic', 'partition', 'offset', 'timestamp']) })
  ],
  'must be { literal: ... } or { kafka: topic }, with topic, partition, offset or timestamp'
)

const mask = z
  .strictObject({
    fields: fields.meta({ description: 'Fields to mask.' }),
    replacement: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'Text instead of each value; for numbers, it must be a number.' }),
    hash: z
      .literal('sha256')
      .optional()
      .meta({ description: 'Replaces each value by its hash, so that equal values stay equal.' }),
    secret: secret('Key of the hash, without which values that are easy to guess can be found by trying.')
  })
  .refine(
    ({ replacement, hash }) => replacement === undefined || hash === undefined,
    'must not have replacement and hash'
  )
  .refine(({ hash, secret: key }) => key === undefined || hash !== undefined, {
    path: ['secret'],
    error: 'must be given together with hash'
  })

const timestamp = z.strictObject({
  fields: fields.meta({ description: 'Fields to convert.' }),
  from: z
    .strictObject({
      unix: unit.default('milliseconds').meta({ description: 'Unit of times that are numbers since 1970.' }),
      pattern: pattern.optional()
    })
    .prefault({})
    .meta({ description: 'Form of times in the record. Text in ISO 8601 is always read.' }),
  to: z
    .union(
      [z.enum(['iso', 'date', 'time']), z.strictObject({ unix: unit }), z.strictObject({ pattern })],
      'must be iso, date, time, { unix: milliseconds } or { pattern: ... }'
    )
    .meta({ title: '`iso`, `date`, `time`, a unit or a pattern', description: 'Form of times in the document.' })
})

const changes = {
  exclude: fields.optional().meta({ description: 'Removes fields.' }),
  include: fields.optional().meta({ description: 'Removes all fields but these.' }),
  rename: places
    .optional()
    .meta({ description: 'Moves fields: the new place of each.', examples: [{ '/vin': '/vehicle/id' }] }),
  copy: places.optional().meta({ description: 'Copies fields: the place of the copy of each.' }),
  insert: z
    .record(pointer, inserted)
    .optional()
    .meta({
      description: 'Sets fields to a constant, or to the topic, partition, offset or timestamp of the record.',
      examples: [{ '/source': { literal: 'fleet' }, '/topic': { kafka: 'topic' } }]
    }),
  flatten: z
    .strictObject({ delimiter: z.string().min(1).default('.').meta({ description: 'Text between joined names.' }) })
    .optional()
    .meta({ description: 'Moves the fields of nested objects to the top, with joined names.' }),
  hoist: z.string().min(1).optional().meta({ description: 'Puts the whole value into a field with this name.' }),
  extract: pointer.optional().meta({ description: 'Replaces the whole value by the value of this field.' }),
  mask: mask.optional().meta({ description: 'Replaces values by a hash, a string, or the empty value of their type.' }),
  cast: z
    .record(pointer, z.enum(CAST_TYPES))
    .optional()
    .meta({ description: 'Converts fields to types of Kafka Connect.', examples: [{ '/speed': 'float64' }] }),
  timestamp: timestamp.optional().meta({ description: 'Converts times.' }),
  key: fields.optional().meta({ description: 'Makes the key of the record an object with these fields of the value.' }),
  filter: condition.optional().meta({ description: 'Drops the records that meet the condition.' })
}

const NAMES = Object.keys(changes) as readonly (keyof typeof changes)[]

const written = z
  .strictObject({
    ...changes,
    of: z.enum(['value', 'key']).default('value').meta({ description: 'Side of the record that the step changes.' }),
    when: condition.optional().meta({ description: 'Applies the step only to records that meet the condition.' })
  })
  .refine((step) => countOf(NAMES.map((name) => step[name])) === 1, { error: `must have one of ${NAMES.join(', ')}` })
  .refine(({ of, key, filter }) => of === 'value' || (key === undefined && filter === undefined), {
    path: ['of'],
    error: 'must not be given for key and filter'
  })

/** The key `shape`: a list of steps. */
export const shapeSchema: z.ZodType<readonly ShapeStep[]> = z.array(
  written.transform(({ of, when, ...step }): ShapeStep => ({ ...toChange(step), of, when }))
)

function toChange(step: Omit<z.output<typeof written>, 'of' | 'when'>): ShapeChange {
  if (step.exclude !== undefined) return { kind: 'exclude', fields: step.exclude }
  if (step.include !== undefined) return { kind: 'include', fields: step.include }
  if (step.rename !== undefined) return { kind: 'rename', fields: new Map(Object.entries(step.rename)) }
  if (step.copy !== undefined) return { kind: 'copy', fields: new Map(Object.entries(step.copy)) }
  if (step.insert !== undefined) return { kind: 'insert', fields: new Map(Object.entries(step.insert)) }
  if (step.flatten !== undefined) return { kind: 'flatten', ...step.flatten }
  if (step.hoist !== undefined) return { kind: 'hoist', name: step.hoist }
  if (step.extract !== undefined) return { kind: 'extract', field: step.extract }
  if (step.mask !== undefined) {
    const { fields: masked, replacement, hash, secret: key } = step.mask
    return { kind: 'mask', fields: masked, replacement, hash, secret: key }
  }
  if (step.cast !== undefined) return { kind: 'cast', types: new Map(Object.entries(step.cast)) }
  if (step.timestamp !== undefined) {
    const { fields: times, from, to } = step.timestamp
    return {
      kind: 'timestamp',
      fields: times,
      from: { unix: from.unix, pattern: from.pattern },
      to
    }
  }
  if (step.key !== undefined) return { kind: 'key', fields: step.key }
  return { kind: 'filter', condition: step.filter! }
}

function countOf(values: readonly unknown[]): number {
  return values.filter((value) => value !== undefined).length
}
