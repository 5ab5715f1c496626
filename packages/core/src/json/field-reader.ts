import type { KeyComponent } from '../hash/component-bytes.ts'
import { COMPOSITE } from '../key/field-value.ts'
import { QUOTE } from '../text/characters.ts'
import type { Pointer } from '../text/pointer.ts'
import { decodeString, readField } from './read-value.ts'
import { ABSENT, Scanner } from './scanner.ts'
import { createWatchList } from './watch-list.ts'

/**
 * Reads some fields of JSON values that follow each other in one buffer. Results are valid until the next value.
 * Finding the end of a value and its fields takes one pass.
 */
export interface FieldReader {
  /**
   * Scans the value that begins at `start`, which must not be whitespace. Returns the position after it; a negative
   * number if it is invalid, or has no end before `limit`. Requires that `bytes[limit - 1]` is a closing brace.
   */
  readonly scan: (bytes: Uint8Array, start: number, limit: number) => number
  /** Whether the value has the field, by its number. */
  readonly has: (field: number) => boolean
  /** Value of a field as Cosmos DB hashes it: an object or an array counts as missing, and a number is a double. */
  readonly component: (field: number) => KeyComponent
  /** Value of a string; undefined for any other value. */
  readonly text: (field: number) => string | undefined
  /** Value of a number; undefined for any other value. */
  readonly number: (field: number) => number | undefined
  /** Positions of the value in the scanned bytes, only for a field that the value has. */
  readonly startOf: (field: number) => number
  readonly endOf: (field: number) => number
}

/** Creates a reader of the fields at these pointers, which have their positions in the list as numbers. */
export function createFieldReader(pointers: readonly Pointer[]): FieldReader {
  const watch = createWatchList({ fields: pointers, managed: [] })
  const scanner = new Scanner(watch)
  const paths = Int32Array.from(watch.fields)
  const { valueStarts, valueEnds } = scanner

  return {
    scan: (bytes, start, limit) => {
      const end = scanner.scan(bytes, start, limit)
      // other bytes of the buffer may complete the value
      return end > limit ? ~limit : end
    },
    has: (field) => valueStarts[paths[field]] !== ABSENT,
    component,
    text,
    number: (field) => {
      const value = component(field)
      return typeof value === 'number' ? value : undefined
    },
    startOf: (field) => valueStarts[paths[field]] - scanner.base,
    endOf: (field) => valueEnds[paths[field]] - scanner.base
  }

  function component(field: number): KeyComponent {
    const path = paths[field]
    const start = valueStarts[path]
    if (start === ABSENT) return undefined
    return componentAt(scanner.whole, start, valueEnds[path])
  }

  function text(field: number): string | undefined {
    const path = paths[field]
    const start = valueStarts[path]
    if (start === ABSENT || scanner.whole[start] !== QUOTE) return undefined
    return decodeString(scanner.whole, start + 1, valueEnds[path] - 1)
  }
}

/** The valid JSON value in `bytes[start, end)` as Cosmos DB hashes it, as `component` of a reader. */
export function componentAt(bytes: Uint8Array, start: number, end: number): KeyComponent {
  const value = readField(bytes, start, end)
  if (typeof value === 'bigint') return Number(value)
  return value === COMPOSITE ? undefined : value
}
