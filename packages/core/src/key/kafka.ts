import { type FieldValue, type MakeText, scalarAt, type Source } from './field-value.ts'
import { reject, type Rejection } from '../errors/rejection.ts'
import type { KafkaRules } from '../plan/rules.ts'
import { type Pointer, formatPointer } from '../text/pointer.ts'
import { decodeUtf8 } from '../text/utf8.ts'
import { canonicalText, refusalOf } from './canonical.ts'

/** Compiles a component that reads the Kafka record: coordinates, a header or the key. */
export function compileKafka(rules: KafkaRules, escape: (text: string) => string): MakeText {
  switch (rules.what) {
    case 'topic':
      return cached(
        (source) => source?.topic,
        (topic) => (topic === '' ? undefined : escape(topic)),
        'topic'
      )
    case 'partition':
      return cached((source) => source?.partition, wholeNumber, 'partition')
    case 'offset':
      return (_values, source) => wholeNumber(source?.offset) ?? missing('offset')
    case 'timestamp':
      return (_values, source) => wholeNumber(source?.timestamp) ?? missing('timestamp')
    case 'header': {
      const { name, empty } = rules
      return (_values, source) => {
        const text = headerText(source, name)
        if (text === undefined) return missing(`header "${name}"`)
        return text === '' ? emptyText(empty, `header "${name}"`, escape) : escape(text)
      }
    }
    case 'key': {
      const { pointer, empty } = rules
      const make = compileKey(pointer)
      const what = pointer === undefined ? 'key' : `key's property ${formatPointer(pointer)}`
      return (values, source, id) => {
        const text = make(values, source, id)
        if (text === '') return emptyText(empty, what, escape)
        return typeof text === 'string' ? escape(text) : text
      }
    }
  }
}

// caches the last text, because the records of a batch have the same topic and partition
function cached<T>(
  read: (source: Source | undefined) => T | undefined,
  toText: (value: T) => string | undefined,
  what: string
): MakeText {
  let last: T | undefined
  let text: string | undefined
  return (_values, source) => {
    const value = read(source)
    if (value === undefined) return missing(what)
    if (value !== last) {
      text = toText(value)
      last = value
    }
    return text ?? missing(what)
  }
}

/** Topic, partition and offset with zero bytes between them: the input of a suffix `by: "offset"`. */
export function coordinates(source: Source | undefined): string | Rejection {
  const partition = wholeNumber(source?.partition)
  const offset = wholeNumber(source?.offset)
  if (!source?.topic || partition === undefined || offset === undefined) return missing('topic, partition or offset')
  return `${source.topic}\0${partition}\0${offset}`
}

export function sourceTimestamp(source: Source | undefined): number | undefined {
  const text = wholeNumber(source?.timestamp)
  return text === undefined ? undefined : Number(text)
}

/** Reads a field of the Kafka key, which must be JSON. */
export function keyField(source: Source | undefined, pointer: Pointer): FieldValue {
  const text = keyText(source)
  if (text === undefined) return undefined
  const parsed = parseJson(text)
  return typeof parsed === 'object' && parsed !== null ? scalarAt(parsed, pointer) : undefined
}

function compileKey(pointer: Pointer | undefined): MakeText {
  if (pointer === undefined) {
    return (_values, source) => {
      const text = keyText(source)
      return text?.isWellFormed() ? text : missing('key (as UTF-8)')
    }
  }
  return (_values, source) => {
    const value = keyField(source, pointer)
    const refused = refusalOf(value, 'any')
    if (refused === undefined) return canonicalText(value as string | number | boolean)
    return refused === 'FIELD_MISSING'
      ? missing(`key's property ${formatPointer(pointer)}`)
      : reject(refused, formatPointer(pointer))
  }
}

function keyText(source: Source | undefined): string | undefined {
  const key = source?.key
  return key instanceof Uint8Array ? decodeUtf8(key) : (key ?? undefined)
}

function headerText(source: Source | undefined, name: string): string | undefined {
  const headers = source?.headers
  const header = headers !== undefined && Object.hasOwn(headers, name) ? headers[name] : undefined
  // Kafka allows several headers with the same name; this uses the last one
  const last = typeof header === 'string' || header instanceof Uint8Array ? header : header?.at(-1)
  const text = last instanceof Uint8Array ? decodeUtf8(last) : last
  return text?.isWellFormed() ? text : undefined
}

// digits need no escape, neither in a key nor in an id
function wholeNumber(value: bigint | number | string | undefined): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined
  if (typeof value === 'bigint') return value >= 0n ? String(value) : undefined
  return value !== undefined && isWholeNumber(value) ? value : undefined
}

function isWholeNumber(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x30 || code > 0x39) return false
  }
  return text === '0' || (text !== '' && text.charCodeAt(0) !== 0x30)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function emptyText(use: string | undefined, what: string, escape: (text: string) => string): string | Rejection {
  return use === undefined
    ? reject('FIELD_EMPTY', '', `The plan reads the ${what} of the Kafka record, which is an empty string.`)
    : escape(use)
}

function missing(what: string): Rejection {
  return reject('SOURCE_MISSING', '', `The plan reads the ${what} of the Kafka record, which is missing.`)
}
