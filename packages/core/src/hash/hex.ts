const digits: number[] = []

/** The upper-case hex digits of the first `length` bytes. */
export function hexOfBytes(bytes: Uint8Array, length: number): string {
  digits.length = length * 2
  for (let at = 0; at < length; at++) {
    digits[2 * at] = digitOf(bytes[at] >> 4)
    digits[2 * at + 1] = digitOf(bytes[at] & 0xf)
  }
  return String.fromCharCode(...digits)
}

function digitOf(value: number): number {
  return value < 10 ? 0x30 + value : 0x37 + value
}

/** The 32 upper-case hex digits of four words of 32 bits. */
export function hexOfWords(first: number, second: number, third: number, fourth: number): string {
  const a = digitsOf(first >>> 16)
  const b = digitsOf(first)
  const c = digitsOf(second >>> 16)
  const d = digitsOf(second)
  const e = digitsOf(third >>> 16)
  const f = digitsOf(third)
  const g = digitsOf(fourth >>> 16)
  const h = digitsOf(fourth)
  // one call with all digits creates a flat string; joining parts would create a rope, which V8 flattens at the first
  // comparison
  // oxfmt-ignore
  return String.fromCharCode(
    a >>> 24, (a >>> 16) & 0xff, (a >>> 8) & 0xff, a & 0xff, b >>> 24, (b >>> 16) & 0xff, (b >>> 8) & 0xff, b & 0xff,
    c >>> 24, (c >>> 16) & 0xff, (c >>> 8) & 0xff, c & 0xff, d >>> 24, (d >>> 16) & 0xff, (d >>> 8) & 0xff, d & 0xff,
    e >>> 24, (e >>> 16) & 0xff, (e >>> 8) & 0xff, e & 0xff, f >>> 24, (f >>> 16) & 0xff, (f >>> 8) & 0xff, f & 0xff,
    g >>> 24, (g >>> 16) & 0xff, (g >>> 8) & 0xff, g & 0xff, h >>> 24, (h >>> 16) & 0xff, (h >>> 8) & 0xff, h & 0xff
  )
}

/** Computes the four hex digits of the lower 16 bits at once, as the four bytes of a word. */
function digitsOf(half: number): number {
  const pairs = ((half & 0xff00) << 8) | (half & 0xff)
  const nibbles = ((pairs & 0xf000f0) << 4) | (pairs & 0xf000f)
  const letters = ((nibbles + 0x06060606) >>> 4) & 0x01010101
  return nibbles + 0x30303030 + letters * 7
}
