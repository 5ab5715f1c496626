import type { KeyComponent } from '@keystamp/core'
import { QUOTE } from '@keystamp/core/internal'
import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { HashState, hexOf, type Words128 } from './hash-state.ts'

/** Number of buckets into which the hashes of identities divide the documents of a container. */
export const BUCKETS = 65_536

const SEED = 0x1de47177
const ID = 1
const STRING = 2
const NUMBER = 3
const TRUE = 4
const FALSE = 5
const NULL = 6
const ABSENT = 7

const state = new HashState()
const double = new DataView(new ArrayBuffer(8))

/**
 * Writes the 128-bit hash of an identity into `into`. It is equal for equal identities, and differs between 1, "1",
 * true, null and an absent value. Files contain these hashes, so they never change.
 */
export function hashIdentity({ key, id }: Identity, into: Words128): void {
  state.begin(SEED, key.length)
  for (const value of key) mixComponent(value)
  state.text(id)
  state.finish(ID, id.length)
  state.save(into, 0)
}

/**
 * Writes the hash of the place of a document, as `hashIdentity` does with its identity, and reads it from the bytes
 * where it can: strings for the values would cost more than the hash. Returns whether the document has a value for any
 * key path.
 */
export function hashPlace(document: StoredDocument, into: Words128): boolean {
  const { bytes, idStart = -1, idEnd = -1, keyStart = -1, keyEnd = -1 } = document
  if (hashPlaceAt(bytes, idStart, idEnd, keyStart, keyEnd, into, 0)) return true
  const { identity } = document
  hashIdentity(identity, into)
  return identity.key.some((value) => value !== undefined)
}

/**
 * Writes the hash of a place whose id and key are JSON strings in `bytes`, and whose key has one level. False if it cannot
 * be read there: if a position is negative, or a string is not plain.
 */
export function hashPlaceAt(
  bytes: Uint8Array,
  idStart: number,
  idEnd: number,
  keyStart: number,
  keyEnd: number,
  into: Int32Array,
  at: number
): boolean {
  if (idStart < 0 || keyStart < 0 || bytes[keyStart] !== QUOTE || bytes[idStart] !== QUOTE) return false
  state.begin(SEED, 1)
  if (!state.asciiText(bytes, keyStart + 1, keyEnd - 1)) return false
  state.finish(STRING, keyEnd - keyStart - 2)
  if (!state.asciiText(bytes, idStart + 1, idEnd - 1)) return false
  state.finish(ID, idEnd - idStart - 2)
  state.save(into, at)
  return true
}

/** The hash of an identity as 32 hexadecimal digits, for reports: ids and keys are often personal data. */
export function hashOfIdentity(identity: Identity): string {
  const words = new Int32Array(4)
  hashIdentity(identity, words)
  return hexOf(words)
}

/** Number of the bucket of an identity, from 0 to 65,535, by its hash, which begins at `at`. */
export function bucketOf(identityHash: Words128, at: number = 0): number {
  return identityHash[at] >>> 16
}

function mixComponent(value: KeyComponent): void {
  if (typeof value === 'string') {
    state.text(value)
    state.finish(STRING, value.length)
  } else if (typeof value === 'number') {
    // -0 and 0 are the same key
    double.setFloat64(0, value + 0, true)
    state.block(double.getInt32(0, true), double.getInt32(4, true), 0, 0)
    state.finish(NUMBER, 8)
  } else state.finish(kindOf(value), 0)
}

function kindOf(value: boolean | null | undefined): number {
  if (value === undefined) return ABSENT
  if (value === null) return NULL
  return value ? TRUE : FALSE
}
