/**
 * A map for values of JSON that stays quick while it grows to millions of entries. A Map copies all its entries to
 * grow, which takes 30 ms for a million. This map consists of many small ones once it is large.
 */
export class LargeMap<Value> {
  #whole: Map<unknown, Value> | undefined = new Map()
  #parts: readonly Map<unknown, Value>[] = []

  /** The value of a key, which is a scalar or undefined. */
  get(key: unknown): Value | undefined {
    return this.#mapOf(key).get(key)
  }

  set(key: unknown, value: Value): void {
    this.#mapOf(key).set(key, value)
    if (this.#whole !== undefined && this.#whole.size >= MAX_WHOLE) this.#split(this.#whole)
  }

  #mapOf(key: unknown): Map<unknown, Value> {
    return this.#whole ?? this.#parts[partOf(key)]
  }

  #split(whole: ReadonlyMap<unknown, Value>): void {
    this.#parts = Array.from({ length: PARTS }, () => new Map<unknown, Value>())
    this.#whole = undefined
    for (const [key, value] of whole) this.#parts[partOf(key)].set(key, value)
  }
}

// distributed at once: takes about a millisecond
const MAX_WHOLE = 8192
const PARTS = 32

/** The number of the part that holds a key. */
export function partOf(key: unknown): number {
  const hash = typeof key === 'string' ? hashOfText(key) : typeof key === 'number' ? hashOfNumber(key) : 0
  // the highest bits of the product depend on all bits of the hash
  return Math.imul(hash, 0x9e_37_79_b1) >>> (32 - Math.log2(PARTS))
}

// the ends of a long text suffice: these maps only have to be of similar size
const HASHED_END = 16

function hashOfText(text: string): number {
  const { length } = text
  let hash = length
  const headEnd = Math.min(length, HASHED_END)
  for (let at = 0; at < headEnd; at++) hash = Math.imul(hash, 31) + text.charCodeAt(at)
  for (let at = Math.max(headEnd, length - HASHED_END); at < length; at++)
    hash = Math.imul(hash, 31) + text.charCodeAt(at)
  return hash | 0
}

const DOUBLE = new Float64Array(1)
const BITS = new Int32Array(DOUBLE.buffer)

function hashOfNumber(value: number): number {
  // a map has one entry for 0 and -0; the sum of both is 0
  DOUBLE[0] = value + 0
  return BITS[0] ^ Math.imul(BITS[1], 0x85_eb_ca_6b)
}
