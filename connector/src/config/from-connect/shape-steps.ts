import { escapePointerToken } from '@keystamp/core/internal'
import { CAST_TYPES, TIME_UNITS } from '../shape-settings.ts'
import { TIME_LETTERS, unreadTimePart } from '../time-pattern.ts'
import { listOf } from './kafka-keys.ts'

/** A step of `shape` as a configuration has it, or a part of one. */
type Written = Readonly<Record<string, unknown>>

type Options = ReadonlyMap<string, string>

/** The steps that replace one transform, with a note about their differences. `why`: the reason why there are none. */
type Translation = { readonly steps: readonly Written[]; readonly note?: string } | { readonly why: string }

/** A predicate of Kafka Connect. */
export interface Predicate {
  /** Name of the class without its package. */
  readonly type: string
  readonly negate: boolean
  readonly options: Options
}

/** Translates a transform of Apache Kafka to steps of a shape. Undefined for other transforms. */
export function toShapeSteps(
  type: string,
  options: Options,
  predicate: Predicate | undefined
): Translation | undefined {
  const [name, side] = type.split('$')
  const translate = Object.hasOwn(TRANSLATIONS, name) ? TRANSLATIONS[name] : undefined
  if (translate === undefined) return undefined
  const when = predicate === undefined ? undefined : toCondition(predicate)
  if (typeof when === 'string') return { why: when }
  if (name === 'Filter') {
    return when === undefined ? { why: 'without a predicate it drops every record' } : { steps: [{ filter: when }] }
  }
  const translation = translate(options)
  if ('why' in translation) return translation
  const more = { ...(side === 'Key' ? { of: 'key' } : {}), ...(when === undefined ? {} : { when }) }
  return { ...translation, steps: translation.steps.map((step) => ({ ...step, ...more })) }
}

/** Condition with the meaning of a predicate; a reason if there is none. */
function toCondition({ type, negate, options }: Predicate): Written | string {
  const reversed = negate ? { negate } : {}
  switch (type) {
    case 'RecordIsTombstone':
      return { tombstone: true, ...reversed }
    case 'HasHeaderKey':
      return { header: options.get('name') ?? '', ...reversed }
    case 'TopicNameMatches':
      return { topic: options.get('pattern') ?? '', ...reversed }
    default:
      return `${type} is not one of the predicates of Kafka`
  }
}

const TRANSLATIONS: Readonly<Record<string, (options: Options) => Translation>> = {
  Cast: (options) => {
    const casts = pairsOf(options.get('spec'))
    if (casts === undefined || casts.length === 0) return { why: 'a whole value is not cast, only its fields' }
    const wrong = casts.find(([, type]) => !CAST_TYPES.includes(type.toLowerCase() as (typeof CAST_TYPES)[number]))
    if (wrong !== undefined) return { why: `${wrong[1]} is no type that the step casts to` }
    return {
      steps: [{ cast: Object.fromEntries(casts.map(([field, type]) => [pointer(field), type.toLowerCase()])) }],
      note: 'dropped the high bits of numbers that did not fit; the sink rejects such a record'
    }
  },
  ExtractField: (options) => {
    const field = options.get('field') ?? ''
    const isPath = options.get('field.syntax.version')?.toUpperCase() === 'V2'
    if (field === '') return { why: 'it names no field' }
    if (isPath && field.includes('`')) return { why: 'its field has quoted names; write the JSON pointer under shape' }
    return {
      steps: [{ extract: isPath ? field.split('.').map(pointer).join('') : pointer(field) }],
      note: 'gave null if the field was missing; the sink rejects such a record'
    }
  },
  Filter: () => ({ steps: [] }),
  Flatten: (options) => ({
    steps: [{ flatten: { delimiter: options.get('delimiter') ?? '.' } }],
    note: 'overwrote a field if two got the same name, and dropped empty objects; the sink rejects the first, and keeps the second'
  }),
  HeaderFrom: (options) => {
    const moved = listOf(options.get('fields'))
    if (options.get('operation') !== 'move' || moved.length === 0) return { steps: [] }
    return {
      steps: [{ exclude: moved.map(pointer) }],
      note: 'moved fields to headers, which are not stored; the sink drops the fields'
    }
  },
  HoistField: (options) => {
    const field = options.get('field') ?? ''
    return field === '' ? { why: 'it names no field' } : { steps: [{ hoist: field }] }
  },
  InsertField: insertField,
  MaskField: (options) => {
    const fields = listOf(options.get('fields')).map(pointer)
    const replacement = options.get('replacement') ?? ''
    if (fields.length === 0) return { why: 'it names no fields' }
    return { steps: [{ mask: { fields, ...(replacement === '' ? {} : { replacement }) } }] }
  },
  ReplaceField: replaceField,
  TimestampConverter: timestampConverter,
  ValueToKey: (options) => {
    const fields = listOf(options.get('fields')).map(pointer)
    return fields.length === 0 ? { why: 'it names no fields' } : { steps: [{ key: fields }] }
  }
}

// names are literal, dots included
function pointer(field: string): string {
  return `/${escapePointerToken(field)}`
}

/** Parses `a:b,c:d`; undefined if an entry has another form. */
function pairsOf(text: string | undefined): readonly (readonly [string, string])[] | undefined {
  const pairs = listOf(text).map((entry) => entry.split(':').map((part) => part.trim()))
  return pairs.every((pair) => pair.length === 2 && !pair.includes('')) ? (pairs as [string, string][]) : undefined
}

function insertField(options: Options): Translation {
  const insert: Record<string, unknown> = {}
  for (const what of ['topic', 'partition', 'offset', 'timestamp']) {
    const field = fieldOf(options.get(`${what}.field`))
    if (field !== undefined) insert[field] = { kafka: what }
  }
  const field = fieldOf(options.get('static.field'))
  const value = options.get('static.value')
  if (field !== undefined && value !== undefined) insert[field] = { literal: value }
  return Object.keys(insert).length === 0 ? { why: 'it names no field' } : { steps: [{ insert }] }
}

/** A field without the mark `!` or `?`, which says whether the field of a schema is required. */
function fieldOf(text = ''): string | undefined {
  const field = text.replace(/[!?]$/, '')
  return field === '' ? undefined : pointer(field)
}

function replaceField(options: Options): Translation {
  const include = listOf(options.get('include') ?? options.get('whitelist'))
  const exclude = listOf(options.get('exclude') ?? options.get('blacklist'))
  const renames = pairsOf(options.get('renames'))
  if (renames === undefined) return { why: 'its renames cannot be read; they are pairs such as a:b' }
  const steps: Written[] = []
  if (include.length > 0) steps.push({ include: include.map(pointer) })
  if (exclude.length > 0) steps.push({ exclude: exclude.map(pointer) })
  if (renames.length > 0)
    steps.push({ rename: Object.fromEntries(renames.map(([from, to]) => [pointer(from), pointer(to)])) })
  const note = 'overwrote a field that has the new name already; the sink rejects such a record'
  return renames.length > 0 ? { steps, note } : { steps }
}

function timestampConverter(options: Options): Translation {
  const field = options.get('field') ?? ''
  if (field === '') return { why: 'a whole value is not converted, only its fields' }
  const pattern = options.get('format') ?? ''
  const unix = options.get('unix.precision') ?? 'milliseconds'
  if (!TIME_UNITS.includes(unix as (typeof TIME_UNITS)[number])) return { why: `${unix} is no unit of time` }
  const unread = unreadTimePart(pattern)
  if (unread !== undefined)
    return { why: `its format has a part that is not read (${unread}); parts are ${TIME_LETTERS}, each once` }
  const type = options.get('target.type') ?? ''
  const to = timeForm(type, unix, pattern)
  if (to === undefined) return { why: `${type === '' ? 'nothing' : type} is no type that it converts to` }
  const from = { ...(unix === 'milliseconds' ? {} : { unix }), ...(pattern === '' ? {} : { pattern }) }
  const steps = [{ timestamp: { fields: [pointer(field)], ...(Object.keys(from).length === 0 ? {} : { from }), to } }]
  return typeof to === 'string'
    ? { steps, note: `made a ${type} of Kafka Connect; the sink stores text, as for all such types` }
    : { steps }
}

function timeForm(type: string, unix: string, pattern: string): unknown {
  if (type === 'unix') return { unix }
  if (type === 'string') return pattern === '' ? undefined : { pattern }
  return { Timestamp: 'iso', Date: 'date', Time: 'time' }[type]
}
