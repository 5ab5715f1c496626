import { hashHex } from '../hash/murmur128.ts'
import { utf8Length } from '../text/utf8.ts'

const MARK = '~~'
const TAIL_BYTES = MARK.length + 32

/** Shortens a key to `limit` bytes: its beginning, cut between two code points, and a 128-bit hash of the whole key. */
export function cutKey(key: string, limit: number): string {
  return headOf(key, limit - TAIL_BYTES) + MARK + hashHex(key)
}

/**
 * Whether a key of at most `limit` bytes has the form of a result of `cutKey`. A key that has this form by chance is cut as well,
 * so that every key of this form is a cut one.
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
