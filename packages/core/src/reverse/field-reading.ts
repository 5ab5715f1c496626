import { reject, type Rejection } from '../errors/rejection.ts'
import { refusalOf } from '../key/canonical.ts'
import { type CompiledVersions, boundaryValueOf } from '../key/compile-plan.ts'
import { compileComponent, FieldTable } from '../key/component.ts'
import type { FieldValue, KeyValue, MakeText } from '../key/field-value.ts'
import { compileIdParts, type Version } from '../key/version.ts'
import { type BucketRules, type ComponentRules, type FieldRules, passThroughField } from '../plan/rules.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import type { TimeInterval } from './interval.ts'

/** Use of one field of a document by one component of a plan. */
export interface FieldReading {
  /** Number of the field among the fields of the plan. */
  readonly field: number
  /** Result of the component for the field: equal for all values that the plan treats as equal. */
  readonly make: (values: readonly FieldValue[]) => KeyValue | Rejection
  readonly rules: FieldRules | BucketRules | undefined
  /** Whether the key contains the result, not only a hash of it. */
  readonly isInKey: boolean
  /** Whether `make` can return the same result for two different strings, as for an id with underscores. */
  readonly isLossy: boolean
}

/** Condition that a field of every matching document meets. */
export type FieldCondition =
  /** One of these values, with its type: 7 is not "7". */
  | { readonly kind: 'oneOf'; readonly field: Pointer; readonly values: readonly KeyValue[] }
  /** A number within these bounds, both included, or a value that is not a number. */
  | { readonly kind: 'numberBetween'; readonly field: Pointer; readonly from: number; readonly to: number }

/** Readings of one version of a plan: of its key, its suffixes and its id. */
export function readingsOf(version: Version, fields: readonly Pointer[]): readonly FieldReading[] {
  const table = new FieldTable()
  for (const field of fields) table.indexOf(field)
  const { rules } = version
  const raw = (component: ComponentRules, purpose: 'key' | 'id' = 'key'): MakeText =>
    compileComponent(component, { purpose, first: true, reserved: '' }, table)
  const inKey = version.levels.flatMap((level) => {
    const own = passThroughField(level.rules)
    if (own === undefined)
      return level.rules.from.map((component) => toReading(component, raw(component), table, { isInKey: true }))
    return [toReading(own, (values) => level.value(values, undefined, undefined), table, { isInKey: true })]
  })
  const bySuffix = version.levels.flatMap(({ rules: { suffix } }) =>
    suffix === undefined || typeof suffix.by === 'string'
      ? []
      : suffix.by.map((field) => toReading(field, raw(field), table))
  )
  const isLossy = rules.id?.escape === 'underscore'
  const texts =
    rules.id === undefined
      ? []
      : isLossy
        ? compileIdParts(rules.id, table)
        : rules.id.from.map((component) => raw(component, 'id'))
  const inId = texts.map((make, index) => toReading(rules.id!.from[index], make, table, { isLossy }))
  return [...inKey, ...bySuffix, ...inId].filter((reading) => reading !== undefined)
}

/** Reading of a field that selects the version, or of a property that the plan writes. */
export function readingOfOther(plan: CompiledVersions, field: number): FieldReading {
  const until = plan.versions.map(({ rules }) => rules.until).find((rules) => rules !== undefined)
  const isBoundary = until !== undefined && formatPointer(until.field) === formatPointer(plan.fields[field])
  const path = formatPointer(plan.fields[field])
  const make: FieldReading['make'] = (values) => {
    const value = values[field]
    if (isBoundary) return boundaryValueOf(value, until.isTime) ?? reject('BOUNDARY_MISSING', path)
    const refused = value === null ? undefined : refusalOf(value, 'any')
    return refused === undefined
      ? typeof value === 'bigint'
        ? Number(value)
        : (value as KeyValue)
      : reject(refused, path)
  }
  return { field, make, rules: undefined, isInKey: false, isLossy: false }
}

function toReading(
  rules: ComponentRules,
  make: (values: readonly FieldValue[], source: undefined, id: undefined) => KeyValue | Rejection,
  table: FieldTable,
  facts: Partial<Pick<FieldReading, 'isInKey' | 'isLossy'>> = {}
): FieldReading | undefined {
  if (rules.kind !== 'field' && rules.kind !== 'bucket') return undefined
  const pointer = rules.kind === 'field' ? rules.pointer : rules.of
  if (pointer === 'timestamp') return undefined
  const field = table.indexOf(pointer)
  return {
    field,
    make: (values) => make(values, undefined, undefined),
    rules,
    isInKey: false,
    isLossy: false,
    ...facts
  }
}

/**
 * Lists the values that the plan treats as equal to the requested value. Returns undefined if there is no such list, or
 * if the key already determines the values.
 */
export function valueCondition(
  field: Pointer,
  readings: readonly FieldReading[],
  values: readonly FieldValue[]
): FieldCondition | undefined {
  const lists = readings.map(({ make, rules, isInKey, isLossy }) => {
    const requested = make(values)
    return isInKey || isLossy || rules?.kind !== 'field' || typeof requested !== 'string'
      ? undefined
      : valuesWithText(rules, requested)
  })
  return lists.every((list) => list !== undefined)
    ? { kind: 'oneOf', field, values: [...new Set(lists.flat())] }
    : undefined
}

/** Bounds for numbers that are times in the interval. Strings have too many forms. */
export function timeCondition(
  field: Pointer,
  requested: readonly { readonly rules: BucketRules; readonly interval: TimeInterval }[]
): FieldCondition | undefined {
  const bounds = requested.map(({ rules: { epoch }, interval }) => {
    const unit = epoch === 'seconds' ? 1000 : epoch === 'microseconds' ? 0.001 : 1
    // local times differ from UTC by less than a day; one unit more because of fractions
    return { epoch, from: (interval.first - DAY) / unit - 1, to: (interval.last + DAY) / unit + 1 }
  })
  if (bounds.some(({ epoch }) => epoch === undefined)) return undefined
  const from = Math.floor(Math.min(...bounds.map((bound) => bound.from)))
  return { kind: 'numberBetween', field, from, to: Math.ceil(Math.max(...bounds.map((bound) => bound.to))) }
}

const DAY = 86_400_000

function valuesWithText(
  { type, normalize, coerce, orKey, use }: FieldRules,
  text: string
): readonly KeyValue[] | undefined {
  // if the text is a substitute, normalized, coerced or read from the Kafka key, the document can have any value
  if (normalize || coerce || orKey !== undefined || Object.values(use).includes(text)) return undefined
  const isInexact = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))
  if (isInexact) return undefined
  const numbers = text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? [Number(text)] : []
  const booleans = text === 'true' || text === 'false' ? [text === 'true'] : []
  if (type === 'boolean') return booleans
  if (type === 'integer' || type === 'number') return numbers
  return type === 'any' ? [text, ...numbers, ...booleans] : [text]
}
