import { murmur3X64, murmur3X86 } from './murmur3.ts'

/** One component of a partition key; `undefined` stands for a property that is absent (None on the wire). */
export type KeyValue = string | number | boolean | null | undefined

/** How a container computes effective keys: one hash of all values (V1, V2), or one hash for each level. */
export interface KeyScheme {
  readonly kind: 'Hash' | 'MultiHash'
  readonly version: 1 | 2
}

/** The effective partition key of key values, in upper-case hex, as in the bounds of ranges. */
export function effectiveKey(values: readonly KeyValue[], scheme: KeyScheme): string {
  if (scheme.kind === 'MultiHash') return values.map((value) => hashV2([value])).join('')
  return scheme.version === 1 ? hashV1(values[0]) : hashV2(values)
}

// V1 containers hash only this many UTF-16 units of a string
const V1_HASHED_UNITS = 100

const V1_STORED_BYTES = 100
const HEX: readonly string[] = Array.from({ length: 256 }, (_, byte) =>
  byte.toString(16).toUpperCase().padStart(2, '0')
)

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

const float64 = new DataView(new ArrayBuffer(8))

/** The bytes of a number in a form that sorts like the number, for V1 keys and V1 boundaries. */
export function sortableNumber(value: number): number[] {
  const bits = orderedBits(value)
  const bytes = [0x05, Number(bits >> 56n)]
  // seven bits per byte, most significant first, until the rest is zero; the low bit marks that another byte follows
  for (let rest = (bits << 8n) & MASK; rest !== 0n; rest = (rest << 7n) & MASK) {
    const group = Number(rest >> 57n) << 1
    const isLast = ((rest << 7n) & MASK) === 0n
    bytes.push(isLast ? group : group | 1)
  }
  return bytes
}

const MASK = 0xffffffffffffffffn

function orderedBits(value: number): bigint {
  float64.setFloat64(0, value)
  const bits = float64.getBigUint64(0)
  return bits >> 63n === 1n ? -bits & MASK : bits ^ (1n << 63n)
}
