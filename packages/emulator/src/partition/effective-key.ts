import type { KeyScheme, KeyValue } from './key-value.ts'
import { murmur3X64 } from './murmur3-x64-128.ts'
import { murmur3X86 } from './murmur3-x86-32.ts'
import { sortableNumber } from './sortable-number.ts'

/** The effective partition key of key values, in upper-case hex: what ranges are made of. */
export function effectiveKey(values: readonly KeyValue[], scheme: KeyScheme): string {
  if (scheme.kind === 'MultiHash') return values.map((value) => hashV2([value])).join('')
  return scheme.version === 1 ? hashV1(values[0]) : hashV2(values)
}

// V1 containers hash only this many UTF-16 units of a text
const V1_HASHED_UNITS = 100

const V1_STORED_BYTES = 100
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'))

let scratch = Buffer.alloc(8192)
const words = new Uint32Array(4)

function hashV2(values: readonly KeyValue[]): string {
  let length = 0
  for (const value of values) length = appendComponent(value, 0xff, length)
  murmur3X64(scratch, length, words)
  return hexWord(words[2] & 0x3fffffff) + hexWord(words[3]) + hexWord(words[0]) + hexWord(words[1])
}

function hashV1(value: KeyValue): string {
  const cut = typeof value === 'string' ? value.slice(0, V1_HASHED_UNITS) : value
  const hash = murmur3X86(scratch, appendComponent(cut, 0, 0))
  return hexBytes(sortableNumber(hash)) + hexBytes(storedComponent(cut))
}

function appendComponent(value: KeyValue, terminator: number, at: number): number {
  if (typeof value === 'string') {
    const room = at + value.length * 3 + 16
    if (room > scratch.length) grow(room)
    scratch[at] = 0x08
    const end = at + 1 + scratch.write(value, at + 1)
    scratch[end] = terminator
    return end + 1
  }
  if (at + 16 > scratch.length) grow(at + 16)
  if (typeof value === 'number') {
    scratch[at] = 0x05
    return scratch.writeDoubleLE(value, at + 1)
  }
  scratch[at] = marker(value)
  return at + 1
}

function grow(room: number): void {
  scratch = Buffer.concat([scratch, Buffer.alloc(room)])
}

function marker(value: boolean | null | undefined): number {
  if (value === undefined) return 0x00
  if (value === null) return 0x01
  return value ? 0x03 : 0x02
}

function storedComponent(value: KeyValue): number[] {
  if (typeof value === 'number') return sortableNumber(value)
  if (typeof value !== 'string') return [marker(value)]
  const bytes = Buffer.from(value)
  const kept = [...bytes.subarray(0, V1_STORED_BYTES + 1)].map((byte) => (byte < 255 ? byte + 1 : byte))
  return bytes.length > V1_STORED_BYTES ? [0x08, ...kept] : [0x08, ...kept, 0]
}

function hexWord(word: number): string {
  return HEX[word >>> 24] + HEX[(word >>> 16) & 255] + HEX[(word >>> 8) & 255] + HEX[word & 255]
}

function hexBytes(bytes: readonly number[]): string {
  return bytes.map((byte) => HEX[byte]).join('')
}
