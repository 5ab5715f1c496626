import type { KeyDefinition } from '../hash/key-definition.ts'
import { KeystampError } from '../errors/keystamp-error.ts'
import { hexOfBytes } from '../hash/hex.ts'
import { writeOrderedNumber } from '../hash/ordered-number.ts'

/** A physical partition: all effective partition keys from `min` up to, but not including, `max`. */
export interface KeyRange {
  readonly id: string
  readonly min: string
  readonly max: string
}

const TOP_V1 = 0xffff_ffff
const TOP_V2 = (1n << 126n) - 1n

/** The ranges of a new container with so many physical partitions, as Cosmos DB cuts them. Without a definition: version 2. */
export function rangesOf(count: number, definition: KeyDefinition = { version: 2 }): KeyRange[] {
  if (!Number.isSafeInteger(count) || count < 1)
    throw new KeystampError('HASH_INPUT_INVALID', 'A container has at least one range: give a whole number from 1 on.')
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

// the step is rounded down first, so boundaries lie a little below the exact fractions
function boundaryV2(index: number, count: number): string {
  const bound = (TOP_V2 / BigInt(count)) * BigInt(index)
  return bound.toString(16).toUpperCase().padStart(32, '0')
}

function boundaryV1(index: number, count: number): string {
  const bytes = new Uint8Array(10)
  return hexOfBytes(bytes, writeOrderedNumber(Math.floor(TOP_V1 / count) * index, bytes, 0))
}
