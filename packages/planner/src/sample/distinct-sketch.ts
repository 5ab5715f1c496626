/**
 * HyperLogLog with 2^14 registers: estimates the number of distinct hashes with a standard error of 0.81 %. The formula
 * is from Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017), and has no bias at any size.
 */
export class DistinctSketch {
  readonly #registers = new Uint8Array(REGISTERS)

  /** Adds a key, given as the two halves of its hash. Uses 30 bits of the first half and 14 bits of the second one. */
  add(high: number, low: number): void {
    const register = low >>> (32 - REGISTER_BITS)
    const rank = Math.min(Math.clz32(high << 2), RANK_BITS) + 1
    if (rank > this.#registers[register]) this.#registers[register] = rank
  }

  estimate(): number {
    const counts = new Float64Array(RANK_BITS + 2)
    for (const rank of this.#registers) counts[rank]++
    let sum = REGISTERS * tau(1 - counts[RANK_BITS + 1] / REGISTERS)
    for (let rank = RANK_BITS; rank >= 1; rank--) sum = 0.5 * (sum + counts[rank])
    sum += REGISTERS * sigma(counts[0] / REGISTERS)
    return (REGISTERS * REGISTERS) / (2 * Math.LN2 * sum)
  }
}

const REGISTER_BITS = 14
const REGISTERS = 1 << REGISTER_BITS
const RANK_BITS = 30

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let x = share
  let y = 1
  let z = share
  for (let before = -1; before !== z;) {
    x *= x
    before = z
    z += x * y
    y += y
  }
  return z
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let x = share
  let y = 1
  let z = 1 - share
  for (let before = -1; before !== z;) {
    x = Math.sqrt(x)
    before = z
    y *= 0.5
    z -= (1 - x) ** 2 * y
  }
  return z / 3
}
