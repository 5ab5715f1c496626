import type { KeyValue } from '../plan/compiled.ts'

/** A scalar as JSON text. */
export function toJsonText(value: KeyValue): string {
  return JSON.stringify(value)
}

/** How many bytes a text takes in UTF-8 that can stand between quotes as it is; -1 for one that cannot, or that holds surrogates. */
export function plainLength(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit >= 0x80) {
      if (unit >= 0xd800 && unit <= 0xdfff) return -1
      length += unit < 0x800 ? 1 : 2
    } else if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return -1
  }
  return length
}

/** How many bytes `text` takes in UTF-8; it holds no lone surrogates. */
export function utf8Length(text: string): number {
  let length = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    // Each half of a surrogate pair stands for two of its four bytes.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2
  }
  return length
}

/** Writes `text` in UTF-8 into `target` from `at` on; gives the position behind it. */
export function writeUtf8(text: string, target: Uint8Array, at: number): number {
  let to = at
  for (let from = 0; from < text.length; from++) {
    const unit = text.charCodeAt(from)
    if (unit < 0x80) target[to++] = unit
    else if (unit < 0x800) {
      target[to++] = 0xc0 | (unit >> 6)
      target[to++] = 0x80 | (unit & 0x3f)
    } else if (unit < 0xd800 || unit > 0xdfff) {
      target[to++] = 0xe0 | (unit >> 12)
      target[to++] = 0x80 | ((unit >> 6) & 0x3f)
      target[to++] = 0x80 | (unit & 0x3f)
    } else {
      const point = text.codePointAt(from++) ?? 0
      target[to++] = 0xf0 | (point >> 18)
      target[to++] = 0x80 | ((point >> 12) & 0x3f)
      target[to++] = 0x80 | ((point >> 6) & 0x3f)
      target[to++] = 0x80 | (point & 0x3f)
    }
  }
  return to
}
