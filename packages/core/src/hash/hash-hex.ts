import { hexOfWords } from './hex.ts'
import { createHash128, murmur128 } from './murmur128.ts'
import { scratchFor } from './scratch.ts'
import { writeUtf8 } from './utf8.ts'

const hash = createHash128()

/** MurmurHash3 x64-128 of the UTF-8 of a text as 32 lower-case hex digits, in the byte order of effective partition keys (h2, then h1). */
export function hashHex(text: string): string {
  const scratch = scratchFor(text.length * 3)
  murmur128(hash, scratch, writeUtf8(text, scratch.bytes, 0))
  return hexOfWords(hash[2], hash[3], hash[0], hash[1]).toLowerCase()
}
