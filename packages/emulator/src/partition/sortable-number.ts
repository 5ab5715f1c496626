const scratch = new DataView(new ArrayBuffer(8))

/** The bytes of a number that sort as the number does: used by V1 keys and by V1 boundaries. */
export function sortableNumber(value: number): number[] {
  let rest = orderedBits(value)
  const bytes = [0x05, Number(rest >> 56n)]
  rest = (rest << 8n) & MASK
  let first = true

  // seven bits a byte, most significant first; the low bit says that another byte follows
  while (first || rest !== 0n) {
    const group = Number(rest >> 57n) << 1
    rest = (rest << 7n) & MASK
    bytes.push(rest === 0n ? group : group | 1)
    first = false
    if (rest === 0n) break
  }
  return bytes[2] === 0 ? bytes.slice(0, 2) : bytes
}

const MASK = 0xffffffffffffffffn

function orderedBits(value: number): bigint {
  scratch.setFloat64(0, value)
  const bits = scratch.getBigUint64(0)
  return bits >> 63n === 1n ? -bits & MASK : bits ^ (1n << 63n)
}
