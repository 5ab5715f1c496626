import { KeystampError } from '../errors/keystamp-error.ts'
import { type KeyComponent, maxComponentBytes, scratchFor, writeComponent } from './component-bytes.ts'
import { componentHashV1, hashV1, V1_STRING_UNITS } from './hash-v1.ts'
import { hexOfWords } from './hex.ts'
import { createHash128, murmur128 } from './murmur128.ts'

/** How a container hashes its partition key: the `partitionKey` of the container's JSON. */
export interface KeyDefinition {
  /** Default: Hash. */
  readonly kind?: 'Hash' | 'MultiHash'
  /** Default: 1, as in Cosmos DB. MultiHash always uses version 2. */
  readonly version?: 1 | 2
  readonly paths?: readonly string[]
}

const MAX_LEVELS = 3

/**
 * Effective partition key of the values of a partition key, in upper-case hex, bit for bit as Cosmos DB computes it.
 * For the first levels of a hierarchical key, it is the prefix of all keys that begin with these values.
 */
export function partitionHash(values: readonly KeyComponent[], definition: KeyDefinition): string {
  assertHashable(values, definition)
  if (definition.kind === 'MultiHash') return hashEach(values)
  if (definition.version !== 2) return hashV1(values[0])
  return values.length === 1 ? hashV2Of(values[0]) : hashV2(values)
}

/**
 * First eight digits of the effective partition key as a number, padded with 0. They nearly always suffice to find the
 * range of a key, and cost less than the whole key.
 */
export function partitionHashHead(values: readonly KeyComponent[], definition: KeyDefinition): number {
  assertHashable(values, definition)
  const isMultiHash = definition.kind === 'MultiHash'
  if (!isMultiHash && definition.version !== 2) return headOf(hashV1(values[0]))
  return isMultiHash || values.length === 1 ? headV2Of(values[0]) : headV2(values)
}

/**
 * The first eight digits of an effective partition key, or of the boundary of a range, as the number that
 * `partitionHashHead` returns.
 */
export function headOf(epk: string): number {
  return Number.parseInt(epk.slice(0, HEAD_DIGITS).padEnd(HEAD_DIGITS, '0'), 16)
}

const HEAD_DIGITS = 8

/**
 * Writes four words of 32 bits: where the values lie in the hash space (the head and the next 32 bits of the hash of
 * the first level; version 1 has a hash of 32 bits and no next ones), then 64 bits that are equal for equal keys.
 * Requires values that can be hashed.
 */
export function writeHashWords(
  words: Int32Array,
  values: readonly KeyComponent[],
  { kind, version }: KeyDefinition
): void {
  if (kind !== 'MultiHash' && version !== 2) return writeWordsV1(words, values[0])
  writeWordsV2(words, values[0])
  for (let level = 1; level < values.length; level++) {
    hashOne(values[level])
    addLevel(words, hash[2] & 0x3fffffff, hash[3])
  }
}

/** Adds the hash of a further level to the words that identify a key: its first two words. */
function addLevel(words: Int32Array, high: number, low: number): void {
  // odd factors keep all 64 bits; the added hash is as good as random
  words[2] = (Math.imul(words[2], 0x9e3779b1) + high) | 0
  words[3] = (Math.imul(words[3], 0x85ebca77) + low) | 0
}

/** Does the same as `writeHashWords` for one value and version 2. */
export function writeWordsV2(words: Int32Array, value: KeyComponent): void {
  hashOne(value)
  words[0] = words[2] = hash[2] & 0x3fffffff
  words[1] = words[3] = hash[3]
}

function writeWordsV1(words: Int32Array, value: KeyComponent): void {
  const hashed = typeof value === 'string' ? value.slice(0, V1_STRING_UNITS) : value
  writeWordsV2(words, hashed)
  words[0] = componentHashV1(hashed) | 0
  words[1] = 0
}

function assertHashable(values: readonly KeyComponent[], { paths, kind, version }: KeyDefinition): void {
  const levels = paths?.length ?? (kind === 'MultiHash' ? MAX_LEVELS : values.length)
  if (values.length === 0 || values.length > levels) throw wrongCount(values.length, levels)
  if (kind !== 'MultiHash' && version !== 2 && version !== undefined && version !== 1) throw wrongVersion(version)
}

function hashEach(values: readonly KeyComponent[]): string {
  let epk = ''
  for (const value of values) epk += hashV2Of(value)
  return epk
}

function wrongVersion(version: unknown): KeystampError {
  return new KeystampError(
    'HASH_INPUT_INVALID',
    `The version of a key definition is 1 or 2, not ${JSON.stringify(version)}.`
  )
}

function wrongCount(given: number, levels: number): KeystampError {
  return new KeystampError(
    'HASH_INPUT_INVALID',
    `${given} values were passed for a partition key of ${levels} levels: pass one for each level, or those of the first levels.`
  )
}

const hash = createHash128()

/** The effective partition key of version 2: all components hashed as one. */
function hashV2(values: readonly KeyComponent[]): string {
  hashAll(values)
  return hashedEpk()
}

/** The effective partition key of version 2 of a single component. */
export function hashV2Of(value: KeyComponent): string {
  hashOne(value)
  return hashedEpk()
}

/** First eight digits of the result of `hashV2`, as a number. */
function headV2(values: readonly KeyComponent[]): number {
  hashAll(values)
  return hashedHead()
}

/** First eight digits of the result of `hashV2Of`, as a number. */
function headV2Of(value: KeyComponent): number {
  hashOne(value)
  return hashedHead()
}

function hashAll(values: readonly KeyComponent[]): void {
  let maxBytes = 0
  for (const value of values) maxBytes += maxComponentBytes(value)
  const scratch = scratchFor(maxBytes)
  let end = 0
  for (const value of values) end = writeComponent(value, scratch, end, 2)
  murmur128(hash, scratch, end)
}

function hashOne(value: KeyComponent): void {
  const scratch = scratchFor(maxComponentBytes(value))
  murmur128(hash, scratch, writeComponent(value, scratch, 0, 2))
}

function hashedEpk(): string {
  return hexOfWords(hashedHead(), hash[3], hash[0], hash[1])
}

// without the two top bits, because the hash space of version 2 ends at 3FFF...
function hashedHead(): number {
  return hash[2] & 0x3fffffff
}
