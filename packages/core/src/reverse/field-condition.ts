import type { FieldValue, KeyValue, Pointer } from '../plan/compiled.ts'
import type { BucketRules, FieldRules } from '../plan/rules.ts'
import type { TimeInterval } from '../time/interval.ts'
import type { FieldReading } from './field-reading.ts'

/** What a field of every matching document is like. */
export type FieldCondition =
  /** One of these values, type by type: 7 is not "7". */
  | { readonly kind: 'oneOf'; readonly field: Pointer; readonly values: readonly KeyValue[] }
  /** A number in these bounds, both included, or no number at all. */
  | { readonly kind: 'numberBetween'; readonly field: Pointer; readonly from: number; readonly to: number }

/** The values that the plan takes for the one that was asked for; undefined where they cannot be listed, or the key lists them already. */
export function valueCondition(
  field: Pointer,
  readings: readonly FieldReading[],
  values: readonly FieldValue[]
): FieldCondition | undefined {
  const lists = readings.map(({ make, rules, isInKey, isLossy }) => {
    const asked = make(values)
    return isInKey || isLossy || rules?.kind !== 'field' || typeof asked !== 'string' ? undefined : valuesWithText(rules, asked)
  })
  return lists.every((list) => list !== undefined) ? { kind: 'oneOf', field, values: [...new Set(lists.flat())] } : undefined
}

/** The numbers that name a time in the interval: texts have too many forms. */
export function timeCondition(
  field: Pointer,
  asked: readonly { readonly rules: BucketRules; readonly interval: TimeInterval }[]
): FieldCondition | undefined {
  const bounds = asked.map(({ rules: { epoch }, interval }) => {
    const unit = epoch === 'seconds' ? 1000 : epoch === 'microseconds' ? 0.001 : 1
    // the readings of any clocks lie within a day of UTC; a second more for fractions
    return { epoch, from: (interval.first - DAY) / unit - 1, to: (interval.last + DAY) / unit + 1 }
  })
  if (bounds.some(({ epoch }) => epoch === undefined)) return undefined
  const from = Math.floor(Math.min(...bounds.map((bound) => bound.from)))
  return { kind: 'numberBetween', field, from, to: Math.ceil(Math.max(...bounds.map((bound) => bound.to))) }
}

const DAY = 86_400_000

function valuesWithText({ type, normalize, coerce, orKey, use }: FieldRules, text: string): readonly KeyValue[] | undefined {
  // what stands in for other values, what is normalized or coerced, and what only Kafka had: the document may hold anything
  if (normalize || coerce || orKey !== undefined || Object.values(use).includes(text)) return undefined
  const isInexact = /^-?\d+$/.test(text) && !Number.isSafeInteger(Number(text))
  if (isInexact) return undefined
  const numbers = text !== '' && String(Number(text)) === text && Number.isFinite(Number(text)) ? [Number(text)] : []
  const booleans = text === 'true' || text === 'false' ? [text === 'true'] : []
  if (type === 'boolean') return booleans
  if (type === 'integer' || type === 'number') return numbers
  return type === 'any' ? [text, ...numbers, ...booleans] : [text]
}
