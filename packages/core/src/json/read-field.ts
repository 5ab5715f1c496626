import { COMPOSITE, type FieldValue } from '../plan/compiled.ts'
import { decodeAscii, decodeString } from './decode-string.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const MINUS = 0x2d
const OPEN_BRACE = 0x7b
const OPEN_BRACKET = 0x5b
const QUOTE = 0x22

// An integer of more digits than a key has room for is beyond every double anyway: it becomes Infinity, which no key accepts.
const MAX_INTEGER_DIGITS = 2048

/** The value at `bytes[start, end)`, whose grammar is known to be sound. */
export function readField(bytes: Uint8Array, start: number, end: number): FieldValue {
  switch (bytes[start]) {
    case QUOTE:
      return decodeString(bytes, start + 1, end - 1)
    case OPEN_BRACE:
    case OPEN_BRACKET:
      return COMPOSITE
    case 0x74:
      return true
    case 0x66:
      return false
    case 0x6e:
      return null
    default:
      return readNumber(bytes, start, end)
  }
}

const SAFE_DIGITS = 15

function readNumber(bytes: Uint8Array, start: number, end: number): number | bigint {
  if (end - start <= SAFE_DIGITS && bytes[start] !== MINUS) {
    let value = 0
    for (let at = start; at < end; at++) {
      const digit = bytes[at] - 0x30
      if (digit < 0 || digit > 9) return Number(decodeAscii(bytes, start, end))
      value = value * 10 + digit
    }
    return value
  }
  return readLongNumber(decodeAscii(bytes, start, end))
}

function readLongNumber(text: string): number | bigint {
  const value = Number(text)
  if (Number.isSafeInteger(value) || text.length > MAX_INTEGER_DIGITS || !/^-?\d+$/.test(text)) return value
  return BigInt(text)
}
