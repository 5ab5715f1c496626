import type { CompiledVersions } from '../key/compile-plan.ts'
import { coerceNumber } from '../key/canonical.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import type { FieldValue, KeyValue } from '../key/field-value.ts'
import type { BucketRules } from '../plan/rules.ts'
import { createRecordReader } from '../key/record-reader.ts'
import { createInterval, readTime, type TimeInterval } from './interval.ts'
import { zoneOffset } from '../time/zone.ts'
import {
  type FieldCondition,
  type FieldReading,
  readingOfOther,
  readingsOf,
  timeCondition,
  valueCondition
} from './field-reading.ts'
import { checkParts, createPartsReader, type KnownParts, type PartitionKey, toPartitionKey } from './known-parts.ts'
import type { KeysForOptions } from './keys-for.ts'

/** Filter for the stored documents that have the requested parts. */
export interface PartsFilter {
  /**
   * Returns true if the plan treats the fields of the document as equal to the parts, and the document's time is in the
   * interval.
   */
  readonly matches: (document: object) => boolean
  /** JSON pointers of the fields that `matches` reads. */
  readonly fields: readonly string[]
  /** Conditions that all matching documents meet, for a query. A document that meets them does not always match. */
  readonly conditions: readonly FieldCondition[]
  /**
   * The key, if the parts contain the properties into which the plan writes it; of a hierarchical key, the known
   * levels. Undefined if the parts contain none of these properties.
   */
  readonly key: PartitionKey | undefined
  /** The id of all matching documents; undefined if the parts do not determine it. */
  readonly id: string | undefined
}

type Test = (values: readonly FieldValue[]) => boolean

/**
 * Creates a function that makes filters for the documents under the keys of `keysFor`. It throws OPTION_INVALID for
 * parts that the plan does not read.
 */
export function createFilterFor(plan: CompiledVersions): (parts: object, options?: KeysForOptions) => PartsFilter {
  const read = createPartsReader(plan)
  const readDocument = createRecordReader(plan.fields, [])
  const readings = plan.versions.map((version) => readingsOf(version, plan.fields))
  const idField = plan.fields.findIndex((pointer) => formatPointer(pointer) === '/id')

  function isBoundary(field: number): boolean {
    return plan.versions.some(
      ({ rules: { until } }) => until !== undefined && formatPointer(until.field) === formatPointer(plan.fields[field])
    )
  }

  /**
   * Returns the readings of a field by a version. If the version does not read the field, returns those of another
   * version.
   */
  function readingsFor(field: number, version: number): readonly FieldReading[] {
    // a bucket of another version would treat two times as equal that this version distinguishes
    const lists = isBoundary(field) ? [readings[version]] : [readings[version], ...readings]
    for (const list of lists) {
      const found = list.filter((reading) => reading.field === field)
      if (found.length > 0) return found
    }
    return [readingOfOther(plan, field)]
  }

  return (parts, { between, source } = {}) => {
    checkParts(parts, plan.fields)
    const known = read(parts, source)
    const given = plan.fields.flatMap((_, field) => (known.values[field] === undefined ? [] : field))
    const times = between === undefined ? [] : requestedTimes(plan, known, between)
    const carried = 'id' in parts && typeof parts.id === 'string' ? parts.id : undefined

    const tests = plan.versions.map((_, number): Test => {
      const ofParts = given
        .filter((field) => field !== idField)
        .flatMap((field) => readingsFor(field, number).map((reading) => testOf(reading, known)))
      const own = times.filter(({ version }) => version === number)
      const ofTimes = (own.length > 0 ? own : times).map(
        ({ field, holds }): Test =>
          (values) =>
            holds(values[field])
      )
      const all = [...ofParts, ...ofTimes]
      return (values) => all.every((test) => test(values))
    })

    const conditions = given
      .filter((field) => field !== idField)
      .flatMap((field) => {
        const asked = known.versions.flatMap((number) => readingsFor(field, number))
        return valueCondition(plan.fields[field], asked, known.values) ?? []
      })
    const carriedField: Pointer[] = carried === undefined ? [] : [['id']]
    const boundary = plan.versions.flatMap(({ rules }) => (rules.until === undefined ? [] : [rules.until.field]))
    const needed = [...given, ...times.map(({ field }) => field)].map((field) => plan.fields[field])
    return {
      matches: (document) => {
        if (carried !== undefined && (document as { id?: unknown }).id !== carried) return false
        const { values } = readDocument(document)
        const chosen = plan.select(values)
        return typeof chosen === 'number' ? tests[chosen](values) : tests.some((test) => test(values))
      },
      fields: [...new Set([...needed, ...boundary, ...carriedField].map(formatPointer))],
      conditions: [...conditions, ...timeConditions(plan, times)],
      key: keyInParts(plan, known, carried),
      id: carried ?? madeId(plan, known)
    }
  }
}

function testOf(reading: FieldReading, known: KnownParts): Test {
  const asked = requestedValue(reading, known.values)
  const { make, field, rules } = reading
  return (values) => {
    // the value may have been in the Kafka key instead of the document, so only the partition key decides
    if (values[field] === undefined && rules?.orKey !== undefined) return true
    const made = make(values)
    if (typeof made !== 'object' || made === null) return made === asked
    // Cosmos DB stores doubles, and the record may have had more digits
    return made.code === 'NUMBER_INEXACT' && /^-?\d+$/.test(String(asked)) && Number(asked) === Number(values[field])
  }
}

function requestedValue({ make }: FieldReading, values: readonly FieldValue[]): KeyValue {
  const asked = make(values)
  if (typeof asked !== 'object' || asked === null) return asked
  throw new KeystampError('OPTION_INVALID', `A part has a value that the plan does not accept. ${asked.message}`)
}

interface RequestedTime {
  readonly version: number
  readonly field: number
  readonly rules: BucketRules
  readonly interval: TimeInterval
  readonly holds: (value: FieldValue) => boolean
}

/**
 * Buckets of the key to which `between` applies: those whose field is not in the parts; all buckets if the parts
 * contain the fields of all of them.
 */
function requestedTimes(
  plan: CompiledVersions,
  known: KnownParts,
  between: NonNullable<KeysForOptions['between']>
): readonly RequestedTime[] {
  const buckets = plan.versions.flatMap((version, number) =>
    version.levels.flatMap(({ rules }) =>
      rules.from.flatMap((component) => (component.kind === 'bucket' ? { version: number, rules: component } : []))
    )
  )
  if (buckets.length === 0) {
    throw new KeystampError('OPTION_INVALID', '`between` needs a time bucket in the key, and this plan has none.')
  }
  const pointers = plan.fields.map(formatPointer)
  const times = buckets.flatMap(({ version, rules }) => {
    // the time of a Kafka record is not in the document
    if (rules.of === 'timestamp') return []
    const offset = zoneOffset(rules.zone)
    const interval = createInterval(between, rules.zone)
    const holds = (value: FieldValue): boolean => {
      const time = readTime(rules.coerce ? coerceNumber(value) : value, rules.epoch, offset)
      if (time === undefined) return value === undefined && rules.orKey !== undefined
      return interval.holds(time)
    }
    return { version, field: pointers.indexOf(formatPointer(rules.of)), rules, interval, holds }
  })
  const open = times.filter(({ field }) => known.values[field] === undefined)
  return open.length > 0 ? open : times
}

function timeConditions(plan: CompiledVersions, times: readonly RequestedTime[]): readonly FieldCondition[] {
  return [...new Set(times.map(({ field }) => field))].flatMap((field) => {
    const same = times.filter((time) => time.field === field)
    return (
      timeCondition(
        plan.fields[field],
        same.map(({ rules, interval }) => ({ rules, interval }))
      ) ?? []
    )
  })
}

function keyInParts(
  { managed, versions: [newest] }: CompiledVersions,
  { values, source }: KnownParts,
  id: string | undefined
): PartitionKey | undefined {
  const key: KeyValue[] = []
  let isHeld = false
  for (const [index, level] of newest.levels.entries()) {
    const isWritten = !level.isId && !level.passesThrough
    const value = isWritten ? values[managed[index].field] : level.value(values, source, id)
    if (value === undefined || typeof value === 'bigint' || (typeof value === 'object' && value !== null)) break
    key.push(value as KeyValue)
    isHeld ||= isWritten
  }
  return isHeld ? toPartitionKey(key, 0, newest.levels.length) : undefined
}

/** Id that the plan makes of the parts; undefined unless all documents with these parts have this id. */
function madeId(plan: CompiledVersions, { values, held, source, versions }: KnownParts): string | undefined {
  const ids = versions.map((number) => {
    const { rules, idOf } = plan.versions[number]
    const isKnown =
      rules.id !== undefined &&
      rules.id.existing !== 'keep' &&
      rules.id.from.every((component) =>
        component.kind === 'field'
          ? held(component.pointer)
          : component.kind === 'bucket'
            ? component.of !== 'timestamp' && held(component.of)
            : true
      )
    const made = isKnown ? idOf(values, source) : undefined
    return typeof made === 'string' ? made : undefined
  })
  return ids.every((id) => id === ids[0]) ? ids[0] : undefined
}
