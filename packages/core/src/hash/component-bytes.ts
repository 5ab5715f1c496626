import { KeystampError } from '../errors/keystamp-error.ts'
import { writeUtf8 } from '../text/utf8.ts'

/** Buffer with bytes to hash, and a DataView of the same bytes. */
export interface Scratch {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** Number of bytes after a component that hashing may overwrite. */
const PADDING = 32
const KEPT_BYTES = 8192

const kept = createScratch(KEPT_BYTES)

/** Buffer for `size` bytes. Its content is valid until the next call: hashing is synchronous and never keeps it. */
export function scratchFor(size: number): Scratch {
  // a huge string gets its own buffer, which is not kept
  return size + PADDING <= KEPT_BYTES ? kept : createScratch(size + PADDING)
}

function createScratch(size: number): Scratch {
  const buffer = new ArrayBuffer(size)
  return { bytes: new Uint8Array(buffer), view: new DataView(buffer) }
}

/** One component of a partition key; `undefined` if the document does not have the property. */
export type KeyComponent = string | number | boolean | null | undefined

/** Last byte of a string, by version of the hash. */
export const STRING_END = { 1: 0x00, 2: 0xff } as const

/** First byte of a string. */
export const STRING_TAG = 0x08

const TAG = { absent: 0x00, null: 0x01, false: 0x02, true: 0x03, number: 0x05 } as const

/** Upper bound for the bytes of a component. */
export function maxComponentBytes(value: KeyComponent): number {
  return typeof value === 'string' ? value.length * 3 + 2 : 9
}

/** Writes the bytes that Cosmos DB hashes for one component, from `at` on. Returns the end. */
export function writeComponent(value: KeyComponent, { bytes, view }: Scratch, at: number, version: 1 | 2): number {
  if (typeof value === 'string') {
    bytes[at] = STRING_TAG
    const end = writeUtf8(value, bytes, at + 1)
    bytes[end] = STRING_END[version]
    return end + 1
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw unhashable('NaN or an infinite number')
    bytes[at] = TAG.number
    view.setFloat64(at + 1, value, true)
    return at + 9
  }
  bytes[at] = tagOf(value)
  return at + 1
}

function tagOf(value: boolean | null | undefined): number {
  if (value === undefined) return TAG.absent
  if (value === null) return TAG.null
  if (typeof value !== 'boolean') throw unhashable(`a value of type ${typeof value}`)
  return value ? TAG.true : TAG.false
}

function unhashable(what: string): KeystampError {
  const message = `A partition key cannot contain ${what}: pass a string, a finite number, true, false or null, or undefined if the document does not have the property.`
  return new KeystampError('HASH_INPUT_INVALID', message)
}
