import { compareValues, type OrderValue, orderValue } from './order-value.ts'

/**
 * Place of a record in Kafka. `topic` is an id that changes when the topic is created again; for `newest.placeIn`, its
 * name.
 */
export interface RecordPlace {
  readonly topic: string
  readonly partition: number
  readonly offset: OrderValue
  /**
   * For `newest.placeIn`: timestamp of the record in milliseconds. Offsets that contradict timestamps are of a topic that was created again,
   * and say nothing.
   */
  readonly timestamp?: number | undefined
}

/** Position of a change in the order of the changes of its document. It has a value, a place, or both. */
export interface Position {
  readonly value: OrderValue | undefined
  readonly place: RecordPlace | undefined
}

/** A stored document, as far as this process knows. */
export interface KnownDocument {
  readonly etag: string
  readonly position: Position
  /** Whether it is the marker of a deleted document. */
  readonly isMarker: boolean
}

/** Where documents contain their positions. */
export interface PositionSource {
  /** Names on the way to the field whose value orders the changes; undefined: the positions of the changes. */
  readonly field: readonly string[] | undefined
  /** Property of the documents that contains the places of their records; undefined: the one that the writer adds. */
  readonly placeIn?: string | undefined
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
  const order = orderOf(compareValues(one.offset, other.offset))
  const byTime = orderOf((one.timestamp ?? Number.NaN) - (other.timestamp ?? Number.NaN))
  const isContradiction = order === 'same' ? byTime === 'newer' || byTime === 'older' : byTime === OPPOSITE[order]
  return isContradiction ? 'unknown' : order
}

const OPPOSITE: Readonly<Partial<Record<Order, Order>>> = { newer: 'older', older: 'newer' }

function orderOf(difference: number | undefined): Order {
  if (difference === undefined || Number.isNaN(difference)) return 'unknown'
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
export function readPosition(document: object, { field, placeIn = POSITION }: PositionSource): Position {
  const stored = toPosition(propertyOf(document, placeIn))
  if (field === undefined || propertyOf(document, DELETED) === true) return stored
  const value = orderValue(field.reduce(propertyOf, document as unknown))
  return value === stored.value ? stored : { value, place: undefined }
}

function toPosition(stored: unknown): Position {
  const [value, topic, partition, offset, time] = ['value', 'topic', 'partition', 'offset', 'timestamp'].map((name) =>
    propertyOf(stored, name)
  )
  const canonical = orderValue(offset)
  const isPlace = typeof topic === 'string' && typeof partition === 'number' && canonical !== undefined
  // Kafka has -1 for no timestamp
  const timestamp = typeof time === 'number' && time >= 0 ? { timestamp: time } : {}
  return {
    value: orderValue(value),
    place: isPlace ? { topic, partition, offset: canonical, ...timestamp } : undefined
  }
}

/** A property of a value; undefined if the value has none of this name. */
export function propertyOf(holder: unknown, name: string): unknown {
  if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined
  return (holder as Record<string, unknown>)[name]
}

export function isMarker(document: object): boolean {
  return propertyOf(document, DELETED) === true
}

/**
 * Condition of a patch that only documents with an older position meet; undefined if no condition can tell, because
 * the value is text in one of several forms. A document that does not meet it may be older, too.
 */
export function olderThan({ value, place }: Position, field: readonly string[] | undefined): string | undefined {
  if (typeof value === 'string' || typeof place?.offset !== 'number' || place.timestamp !== undefined) return undefined
  const stored = pathOf([POSITION, 'value'])
  const own = field === undefined ? stored : pathOf(field)
  const isBefore = [
    value === undefined ? `NOT IS_DEFINED(${stored})` : `${stored} = ${value} AND ${own} = ${value}`,
    `${pathOf([POSITION, 'topic'])} = ${JSON.stringify(place.topic)}`,
    `${pathOf([POSITION, 'partition'])} = ${place.partition}`,
    `${pathOf([POSITION, 'offset'])} < ${place.offset}`
  ].join(' AND ')
  const isLower = value === undefined ? '' : `(${own} < ${value} AND ${own} >= ${-Number.MAX_SAFE_INTEGER}) OR `
  return `from c where NOT IS_DEFINED(${pathOf([DELETED])}) AND (${isLower}(${isBefore}))`
}

function pathOf(names: readonly string[]): string {
  return `c${names.map((name) => `[${JSON.stringify(name)}]`).join('')}`
}
