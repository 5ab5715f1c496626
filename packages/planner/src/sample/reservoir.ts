/** A uniform sample of the records, in no particular order. */
export interface Reservoir {
  /** Number of records in the reservoir, and number of records from which they were chosen. */
  readonly size: number
  readonly records: number
  /** Times in milliseconds since 1970; NaN for a record without a time. Null without a time field. */
  readonly times: Float64Array | null
  readonly bytes: Uint32Array
  /** Keys of each candidate; null for a dropped candidate. */
  readonly keys: readonly (ReservoirKeys | null)[]
}

export interface ReservoirKeys {
  /** 32 bits of the hash of the whole key: equal for equal keys. The positions themselves if they are such bits. */
  readonly ids: Uint32Array
  /** Positions in the hash space, in units of 2^-32; `NO_KEY` for a record without a key. */
  readonly positions: Uint32Array
}

export const NO_KEY = 0xffff_ffff

/** Keeps a uniform sample of at most `capacity` records: a further record may replace a random one. */
export class ReservoirFiller {
  readonly #capacity: number
  readonly #random: () => number
  readonly #times: Float64Array | null
  readonly #bytes: Uint32Array
  readonly #keys: (ReservoirKeys | null)[]
  #records = 0
  /** Slot of the current record; `capacity` or more if the record is not kept. */
  #slot = -1

  /** `isWhole`: for each candidate, whether the position of a key is made from the hash of the whole key. */
  constructor(capacity: number, isWhole: readonly boolean[], hasTime: boolean, random: () => number) {
    this.#capacity = capacity
    this.#random = random
    this.#times = hasTime ? new Float64Array(capacity) : null
    this.#bytes = new Uint32Array(capacity)
    this.#keys = isWhole.map((isSame) => {
      const positions = new Uint32Array(capacity)
      return { ids: isSame ? positions : new Uint32Array(capacity), positions }
    })
  }

  /** Begins a record. Returns whether the record is kept; if so, the caller must set its time and its keys. */
  begin(bytes: number): boolean {
    const number = this.#records++
    this.#slot = number < this.#capacity ? number : Math.floor(this.#random() * this.#records)
    if (this.#slot >= this.#capacity) return false
    this.#bytes[this.#slot] = bytes
    return true
  }

  setTime(instant: number): void {
    if (this.#times !== null) this.#times[this.#slot] = instant
  }

  setKey(candidate: number, id: number, position: number): void {
    const keys = this.#keys[candidate]
    if (keys === null) return
    // before the position, which has the same place if it is the id
    keys.ids[this.#slot] = id
    keys.positions[this.#slot] = position
  }

  drop(candidate: number): void {
    this.#keys[candidate] = null
  }

  finish(): Reservoir {
    const size = Math.min(this.#records, this.#capacity)
    return {
      size,
      records: this.#records,
      times: this.#times?.subarray(0, size) ?? null,
      bytes: this.#bytes.subarray(0, size),
      keys: this.#keys.map((keys) =>
        keys === null ? null : { ids: keys.ids.subarray(0, size), positions: keys.positions.subarray(0, size) }
      )
    }
  }
}
