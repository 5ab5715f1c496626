const scratch = new DataView(new ArrayBuffer(8))

/** The bytes of a number that sort as the number does: used by V1 keys and by V1 boundaries. */
export function sortableNumber(value: number): number[] {
  const bits = orderedBits(value)
  const bytes = [0x05, Number(bits >> 56n)]
  // then seven bits a byte, most significant first, as long as any are left; the low bit says that another byte follows
  for (let rest = (bits << 8n) & MASK; rest !== 0n; rest = (rest << 7n) & MASK) {
    const group = Number(rest >> 57n) << 1
    const isLast = ((rest << 7n) & MASK) === 0n
    bytes.push(isLast ? group : group | 1)
  }
  return bytes
}

const MASK = 0xffffffffffffffffn

function orderedBits(value: number): bigint {
  scratch.setFloat64(0, value)
  const bits = scratch.getBigUint64(0)
  return bits >> 63n === 1n ? -bits & MASK : bits ^ (1n << 63n)
}
