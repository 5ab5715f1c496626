import { utf8Length } from '../text/utf8.ts'
import type { KeyValue } from '../key/field-value.ts'

/** Length of a value as JSON in UTF-8 bytes. */
export function jsonLength(value: KeyValue): number {
  if (typeof value !== 'string') return JSON.stringify(value).length
  let length = value.length + 2
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at)
    if (unit >= 0x80) {
      if (isSurrogate(unit)) return utf8Length(JSON.stringify(value))
      length += unit < 0x800 ? 1 : 2
    } else if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return utf8Length(JSON.stringify(value))
  }
  return length
}

/** Writes a value as JSON into `target` from `at` on. Returns the position after it. */
export function writeJson(value: KeyValue, target: Uint8Array, at: number): number {
  if (typeof value !== 'string') return writeUtf8(JSON.stringify(value), target, at)
  let to = at
  target[to++] = 0x22
  for (let from = 0; from < value.length; from++) {
    const unit = value.charCodeAt(from)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0x80) return writeUtf8(JSON.stringify(value), target, at)
    target[to++] = unit
  }
  target[to++] = 0x22
  return to
}

/** Writes `text` in UTF-8 into `target` from `at` on. Returns the position after it. `text` has no lone surrogates, since JSON.stringify escapes them. */
export function writeUtf8(text: string, target: Uint8Array, at: number): number {
  let to = at
  for (let from = 0; from < text.length; from++) {
    const unit = text.charCodeAt(from)
    if (unit < 0x80) target[to++] = unit
    else {
      const point = text.codePointAt(from) ?? 0
      if (point > 0xffff) from++
      to = writePoint(point, target, to)
    }
  }
  return to
}

function writePoint(point: number, target: Uint8Array, at: number): number {
  let to = at
  if (point < 0x800) target[to++] = 0xc0 | (point >> 6)
  else {
    if (point < 0x10000) target[to++] = 0xe0 | (point >> 12)
    else {
      target[to++] = 0xf0 | (point >> 18)
      target[to++] = 0x80 | ((point >> 12) & 0x3f)
    }
    target[to++] = 0x80 | ((point >> 6) & 0x3f)
  }
  target[to++] = 0x80 | (point & 0x3f)
  return to
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
