import { maxComponentBytes, type KeyComponent, writeComponent } from './component-bytes.ts'
import { hexOfWords } from './hex.ts'
import { createHash128, murmur128 } from './murmur128.ts'
import { scratchFor } from './scratch.ts'

const hash = createHash128()

/** The effective partition key of version 2: all components hashed as one. */
export function hashV2(values: readonly KeyComponent[]): string {
  hashAll(values)
  return hashedEpk()
}

/** The effective partition key of version 2 of a single component. */
export function hashV2Of(value: KeyComponent): string {
  hashOne(value)
  return hashedEpk()
}

/** First eight digits of the result of `hashV2`, as a number. */
export function headV2(values: readonly KeyComponent[]): number {
  hashAll(values)
  return hashedHead()
}

/** First eight digits of the result of `hashV2Of`, as a number. */
export function headV2Of(value: KeyComponent): number {
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

// without the two top bits, since the hash space of version 2 ends at 3FFF...
function hashedHead(): number {
  return hash[2] & 0x3fffffff
}
