import { hashHex } from '../hash/murmur128.ts'
import { utf8Length } from '../text/utf8.ts'

const MARK = '~~'
const TAIL_BYTES = MARK.length + 32

/** Brings an over-long key down to `limit` bytes: its head, cut on a code point, and a 128-bit hash of the whole. */
export function cutKey(key: string, limit: number): string {
  return headOf(key, limit - TAIL_BYTES) + MARK + hashHex(key)
}

/**
 * Whether a key of at most `limit` bytes has the form that `cutKey` gives. A key that looks like that by chance is cut as well,
 * so that every such key is a cut one and none can be mistaken for the other.
 */
export function looksCut(key: string, limit: number): boolean {
  if (!/~~[0-9a-f]{32}$/.test(key)) return false
  const bytes = utf8Length(key)
  return bytes > limit - 4 && bytes <= limit
}

function headOf(text: string, bytes: number): string {
  let left = bytes
  let end = 0
  for (const character of text) {
    left -= utf8Length(character)
    if (left < 0) break
    end += character.length
  }
  return text.slice(0, end)
}
