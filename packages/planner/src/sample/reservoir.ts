/** A uniform sample of the records, in no particular order. */
export interface Reservoir {
  /** Records here, and records that they stand for. */
  readonly size: number
  readonly records: number
  /** Milliseconds since 1970; NaN where the record has no time. Null without a time field. */
  readonly times: Float64Array | null
  readonly bytes: Uint32Array
  /** One for each candidate; null if it was dropped. */
  readonly keys: readonly (ReservoirKeys | null)[]
}

export interface ReservoirKeys {
  /** 32 bits of the hash of the whole key: equal for equal keys. */
  readonly ids: Uint32Array
  /** Position in the hash space, in units of 2^-32; `NO_KEY` where the record has no key. */
  readonly positions: Uint32Array
}

export const NO_KEY = 0xffff_ffff

/** Keeps a uniform sample of at most `capacity` records: each record replaces a random one with the right probability. */
export class ReservoirFiller {
  readonly #capacity: number
  readonly #random: () => number
  readonly #times: Float64Array | null
  readonly #bytes: Uint32Array
  readonly #keys: (ReservoirKeys | null)[]
  #records = 0
  /** Slot of the record that is being added; -1 if it is not kept. */
  #slot = -1

  constructor(capacity: number, candidates: number, hasTime: boolean, random: () => number) {
    this.#capacity = capacity
    this.#random = random
    this.#times = hasTime ? new Float64Array(capacity) : null
    this.#bytes = new Uint32Array(capacity)
    this.#keys = Array.from({ length: candidates }, () => ({
      ids: new Uint32Array(capacity),
      positions: new Uint32Array(capacity)
    }))
  }

  /** Begins a record. Returns whether it is kept: then its time and its keys must be set. */
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
