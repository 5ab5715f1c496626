import type { KeyValue } from '../key/field-value.ts'
import { utf8Length } from '../text/utf8.ts'
import { decodeAscii16 } from './read-value.ts'

/** Longer strings take the general path. */
export const MAX_MEMBER_BYTES = 512

/** Reusable buffer with a property as it is inserted into a record: `,"name":"value"`. The property of the next record overwrites it. */
export class EncodedMember {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Position of the value, after its quote. */
  readonly valueStart: number
  /** Position after the closing quote. */
  end = 0
  /** The value as a string. */
  value = ''
  /** Increases with each value, so that a splice can check that its value is still here. */
  generation = 0
  readonly #written: (Uint8Array | undefined)[] = []

  constructor(name: string) {
    // a UTF-16 unit takes at most six bytes as JSON
    this.bytes = new Uint8Array(name.length * 6 + MAX_MEMBER_BYTES + PADDING)
    this.view = new DataView(this.bytes.buffer)
    const colon = writeJson(name, this.bytes, writeJsonText(',', this.bytes, 0))
    this.valueStart = writeJsonText(':"', this.bytes, colon)
  }

  /** Begins another value and returns its position. Invalidates the previous content, even if encoding is abandoned. */
  open(): number {
    this.generation++
    return this.valueStart
  }

  /** Ends the value at a position. `value` is decoded from the bytes unless it is passed. */
  close(at: number, value?: string): void {
    this.value = value ?? this.#read(at)
    this.bytes[at] = QUOTE
    this.end = at + 1
  }

  /** The whole property as bytes. Creates one view for each length, since a new view costs more than copying its bytes. */
  get written(): Uint8Array {
    const { end } = this
    return (this.#written[end] ??= this.bytes.subarray(0, end))
  }

  #read(end: number): string {
    let value = ''
    let at = this.valueStart
    for (; at + 16 < end; at += 16) value += decodeAscii16(this.bytes, at)
    const last = decodeAscii16(this.bytes, at)
    return value + (at + 16 === end ? last : last.slice(0, end - at))
  }
}

const QUOTE = 0x22
// quotes, comma and colon, and the bytes after the end that decoding reads
const PADDING = 32

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
  if (typeof value !== 'string') return writeJsonText(JSON.stringify(value), target, at)
  let to = at
  target[to++] = 0x22
  for (let from = 0; from < value.length; from++) {
    const unit = value.charCodeAt(from)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0x80) return writeJsonText(JSON.stringify(value), target, at)
    target[to++] = unit
  }
  target[to++] = 0x22
  return to
}

// Not `writeUtf8` of text/utf8.ts: hashing, which calls that one for each record, gets a sixth slower where JSON is written by it too (Node 20).
/** Writes `text` in UTF-8 into `target` from `at` on. Returns the position after it. `text` has no lone surrogates, since JSON.stringify escapes them. */
export function writeJsonText(text: string, target: Uint8Array, at: number): number {
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
