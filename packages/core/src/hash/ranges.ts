import { KeystampError } from '../errors/keystamp-error.ts'
import { hexOfBytes } from './hex.ts'
import type { KeyDefinition } from './partition-hash.ts'
import { writeOrderedNumber } from './hash-v1.ts'

/** A physical partition: all effective partition keys from `min` up to, but not including, `max`. */
export interface KeyRange {
  readonly id: string
  readonly min: string
  readonly max: string
}

/**
 * Ranges of a new container with `count` physical partitions, as Cosmos DB divides the hash space. Default definition:
 * version 2.
 */
export function rangesOf(count: number, definition: KeyDefinition = { version: 2 }): KeyRange[] {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new KeystampError('HASH_INPUT_INVALID', 'A container has at least one range: pass a whole number from 1 on.')
  const boundary = definition.kind === 'MultiHash' || definition.version === 2 ? boundaryV2 : boundaryV1
  const ranges: KeyRange[] = []
  let min = ''
  for (let index = 1; index <= count; index++) {
    const max = index === count ? 'FF' : boundary(index, count)
    ranges.push({ id: String(index - 1), min, max })
    min = max
  }
  return ranges
}

/**
 * Range that contains an effective partition key: the last range that does not begin after the key. The ranges must
 * ascend by `min`.
 */
export function ownerOf<Range extends { readonly min: string }>(
  ranges: readonly Range[],
  epk: string
): Range | undefined {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ranges[middle].min <= epk) low = middle + 1
    else high = middle
  }
  return ranges[low - 1]
}

const TOP_V1 = 0xffff_ffff
const TOP_V2 = (1n << 126n) - 1n

// Cosmos DB rounds the step down first, so boundaries are a little below the exact fractions
function boundaryV2(index: number, count: number): string {
  const bound = (TOP_V2 / BigInt(count)) * BigInt(index)
  return bound.toString(16).toUpperCase().padStart(32, '0')
}

function boundaryV1(index: number, count: number): string {
  const bytes = new Uint8Array(10)
  return hexOfBytes(bytes, writeOrderedNumber(Math.floor(TOP_V1 / count) * index, bytes, 0))
}
