import { compareValues, type OrderValue, orderValue } from './order-value.ts'

/** Place of a record in Kafka. The id of a topic changes when a topic is deleted and created again. */
export interface RecordPlace {
  readonly topic: string
  readonly partition: number
  readonly offset: OrderValue
}

/** Position of a change in the order of the changes of its document. It has a value, a place, or both. */
export interface Position {
  readonly value: OrderValue | undefined
  readonly place: RecordPlace | undefined
}

/** `unknown`: nothing tells which of two changes is newer. */
export type Order = 'older' | 'same' | 'newer' | 'unknown'

/** The property of a document that contains its position. */
export const POSITION = '_keystampPosition'
/** The property that is `true` in the marker of a deleted document. */
export const DELETED = '_keystampDeleted'

/** Whether `one` is older or newer than `other`. Offsets are compared within one partition of one topic only. */
export function comparePositions(one: Position, other: Position): Order {
  const byValue = valueOrder(one.value, other.value)
  return byValue === 'same' ? placeOrder(one.place, other.place) : byValue
}

function valueOrder(one: OrderValue | undefined, other: OrderValue | undefined): Order {
  if (one === undefined || other === undefined) return one === other ? 'same' : 'unknown'
  return orderOf(compareValues(one, other))
}

function placeOrder(one: RecordPlace | undefined, other: RecordPlace | undefined): Order {
  if (one === undefined || other === undefined) return 'unknown'
  if (one.topic !== other.topic || one.partition !== other.partition) return 'unknown'
  return orderOf(compareValues(one.offset, other.offset))
}

function orderOf(difference: number | undefined): Order {
  if (difference === undefined) return 'unknown'
  return difference < 0 ? 'older' : difference > 0 ? 'newer' : 'same'
}

/** The JSON of a position, as a document contains it. */
export function positionJson({ value, place }: Position): string {
  return JSON.stringify({ value, ...place })
}

/**
 * Reads the position of a stored document. With `field`, the value of this field counts: a document that another
 * program has changed since has another value than its position, which then says nothing.
 */
export function readPosition(document: object, field: readonly string[] | undefined): Position {
  const stored = toPosition(propertyOf(document, POSITION))
  if (field === undefined || propertyOf(document, DELETED) === true) return stored
  const value = orderValue(field.reduce(propertyOf, document as unknown))
  return value === stored.value ? stored : { value, place: undefined }
}

function toPosition(stored: unknown): Position {
  const [value, topic, partition, offset] = ['value', 'topic', 'partition', 'offset'].map((name) =>
    propertyOf(stored, name)
  )
  const canonical = orderValue(offset)
  const isPlace = typeof topic === 'string' && typeof partition === 'number' && canonical !== undefined
  return { value: orderValue(value), place: isPlace ? { topic, partition, offset: canonical } : undefined }
}

/** A property of a value; undefined if the value has none of this name. */
export function propertyOf(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  return (holder as Record<string, unknown>)[name]
}
