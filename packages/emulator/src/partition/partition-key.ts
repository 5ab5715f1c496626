import { ServiceError } from '../service-error.ts'
import type { KeyValue } from './effective-key.ts'

/** The values of a partition key, and a string that is unique for each key that Cosmos DB distinguishes. */
export interface PartitionKey {
  readonly values: readonly KeyValue[]
  readonly text: string
}

/** A key from its values; `-0` and `0` are different keys, and so are absent and null. */
export function toPartitionKey(values: readonly KeyValue[]): PartitionKey {
  return { values, text: values.length === 1 ? keyText(values[0]) : values.map(keyText).join(',') }
}

/** A key from the JSON array of the header or of a bulk operation. */
export function parsePartitionKey(json: string): PartitionKey {
  if (ONE_PLAIN_TEXT.test(json)) return toPartitionKey([json.slice(2, -2)])
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    parsed = undefined
  }
  if (!Array.isArray(parsed))
    throw new ServiceError(400, 'Partition key is invalid: it must be a JSON array with one element per level.')
  return toPartitionKey(parsed.map(toKeyValue))
}

// most keys are one string without escapes, which is the same in JSON
const ONE_PLAIN_TEXT = /^\["[^"\\\p{Cc}\p{Cs}]*"\]$/u

/** The key of a document at the container's key paths. An object or an array at a key path counts as absent. */
export function keyOfDocument(document: unknown, paths: readonly (readonly string[])[]): PartitionKey {
  const values: KeyValue[] = []
  for (const path of paths) {
    const value = path.length === 1 ? (document as Record<string, unknown>)[path[0]] : valueAt(document, path)
    values.push(typeof value === 'object' && value !== null ? undefined : (value as KeyValue))
  }
  return toPartitionKey(values)
}

function toKeyValue(value: unknown): KeyValue {
  if (value === null || typeof value !== 'object') return value as KeyValue
  if (!Array.isArray(value) && Object.keys(value).length === 0) return undefined
  throw new ServiceError(400, 'Partition key is invalid: an element must be a string, a number, a boolean, null or {}.')
}

function keyText(value: KeyValue): string {
  if (value === undefined) return '{}'
  return Object.is(value, -0) ? '-0' : JSON.stringify(value)
}

/** The property names of a path such as `/a/b` or `/"a b"/c`, or undefined when it is not a path. */
export function parsePropertyPath(path: string): string[] | undefined {
  const names = readPropertyPath(path)
  return typeof names === 'number' ? undefined : names
}

/** The property names of a path, or the position of its first invalid character. */
export function readPropertyPath(path: string): string[] | number {
  const names: string[] = []
  let at = 0
  do {
    if (path[at] !== '/') return at
    SEGMENT.lastIndex = at + 1
    const match = SEGMENT.exec(path)
    if (match === null) return at + 1
    names.push(match[1] ?? unescape(match[2] ?? match[3]))
    at = SEGMENT.lastIndex
    const rest = path.slice(at)
    if (rest !== '' && !rest.startsWith('/')) return path.length - rest.trimStart().length
  } while (at < path.length)
  return names
}

// names with other characters than letters, digits and underscores must be in quotes
const SEGMENT = /([\p{L}\p{N}_]+)|"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)'/uy

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}

/** The value under a path of property names; undefined when any of them is missing. */
export function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
