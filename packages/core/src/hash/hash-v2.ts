import { componentRoom, writeComponent } from './component-bytes.ts'
import { hexOfWords } from './hex.ts'
import type { KeyComponent } from './key-definition.ts'
import { createHash128, murmur128 } from './murmur128.ts'
import { type Scratch, scratchFor } from './scratch.ts'

const hash = createHash128()

/** The effective partition key of version 2: all components hashed as one. */
export function hashV2(values: readonly KeyComponent[]): string {
  let room = 0
  for (const value of values) room += componentRoom(value)
  const scratch = scratchFor(room)
  let end = 0
  for (const value of values) end = writeComponent(value, scratch, end, 2)
  return epkOf(scratch, end)
}

/** The effective partition key of version 2 of a single component. */
export function hashV2Of(value: KeyComponent): string {
  const scratch = scratchFor(componentRoom(value))
  return epkOf(scratch, writeComponent(value, scratch, 0, 2))
}

// the two top bits are left out: the space of version 2 ends at 3FFF...
function epkOf(scratch: Scratch, length: number): string {
  murmur128(hash, scratch, length)
  return hexOfWords(hash[2] & 0x3fffffff, hash[3], hash[0], hash[1])
}
