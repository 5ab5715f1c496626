import { KeystampError } from '../errors/keystamp-error.ts'

declare const POSITION: unique symbol

/**
 * Number of a record in a sequence: a Kafka offset or a line number. A whole number that a double holds exactly, so
 * that tracking it is cheap.
 */
export type Position = number & { readonly [POSITION]: true }

const WHOLE = /^\d{1,16}$/

/**
 * Converts the offset of a Kafka client (string or bigint) or a count. Throws INVARIANT_BROKEN beyond 2^53 - 2, which
 * no topic reaches.
 */
export function toPosition(value: bigint | number | string): Position {
  const position = typeof value === 'string' ? parseWhole(value) : Number(value)
  if (!isPosition(position))
    throw new KeystampError('INVARIANT_BROKEN', 'A position must be a whole number from 0 to 2^53 - 2.')
  return position
}

// the position after this one must be exact too
function isPosition(value: number): value is Position {
  return Number.isSafeInteger(value) && value >= 0 && value < Number.MAX_SAFE_INTEGER
}

/** Converts a number that is known to be a position, because it was stored as a position. */
function asPosition(known: number): Position {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only an assertion adds a brand, and a check would cost time for each record
  return known as Position
}

function parseWhole(text: string): number {
  return WHOLE.test(text) ? Number(text) : Number.NaN
}

/** Tracks the records of one sequence that have an outcome, and the position up to which all of them have one. */
export interface SettledPrefix {
  /** Adds a record without an outcome. Positions must ascend; gaps between them are normal. */
  readonly open: (position: Position) => void
  /** Marks an open record as settled: it has an outcome. Records may be settled in any order, each only once. */
  readonly settle: (position: Position) => void
  /** Position that may be committed: no record before it is open. Never decreases. */
  readonly committable: Position
  /** Number of open records. */
  readonly openCount: number
  /** Oldest open record, which limits `committable`; `undefined` while none is open. */
  readonly oldestOpen: Position | undefined
}

/**
 * Starts at `first`, which is committable before any record is settled. Memory is bounded by the highest number of open
 * records.
 */
export function createSettledPrefix({ first }: { readonly first: Position }): SettledPrefix {
  const window = new OpenWindow(first)

  function open(position: Position): void {
    if (!(position >= window.next))
      throw broken(`Record ${position} was opened, but the next one is ${window.next} or later.`)
    window.push(position)
  }

  function settle(position: Position): void {
    if (!window.remove(position)) throw broken(`Record ${position} was settled, but it is not open.`)
  }

  return {
    open,
    settle,
    get committable() {
      return asPosition(window.count === 0 ? window.next : window.oldestPrevious)
    },
    get openCount() {
      return window.count
    },
    get oldestOpen() {
      return window.count === 0 ? undefined : asPosition(window.oldest)
    }
  }
}

function broken(message: string): KeystampError {
  return new KeystampError('INVARIANT_BROKEN', message)
}

const INITIAL_SIZE = 64

/**
 * The open positions in ascending order, each with the position that was committable before it was opened.
 * Memory grows only with the number of open positions: a full window drops the removed ones, which costs O(1) on
 * average.
 */
export class OpenWindow {
  /** Number of open positions. */
  count = 0
  #positions = new Float64Array(INITIAL_SIZE)
  #previous = new Float64Array(INITIAL_SIZE)
  #removed = new Uint8Array(INITIAL_SIZE)
  #head = 0
  #tail = 0
  // in an array, because a field would allocate a new object for each number beyond 2^31
  readonly #next = new Float64Array(1)

  /** `next` is the lowest position that can be pushed. */
  constructor(next: number) {
    this.#next[0] = next
  }

  /** Position after the last one that was pushed. */
  get next(): number {
    return this.#next[0]
  }

  /** Oldest open position; undefined behavior while there is none. */
  get oldest(): number {
    return this.#positions[this.#head]
  }

  /** Position that was committable before the oldest open position was opened. */
  get oldestPrevious(): number {
    return this.#previous[this.#head]
  }

  /** Number of positions that fit without growing. */
  get capacity(): number {
    return this.#positions.length
  }

  /** Adds a position that is higher than all earlier ones. */
  push(position: number): void {
    if (this.#tail === this.#positions.length) this.#makeRoom()
    const tail = this.#tail
    this.#positions[tail] = position
    this.#previous[tail] = this.#next[0]
    this.#removed[tail] = 0
    this.#next[0] = position + 1
    this.#tail = tail + 1
    this.count++
  }

  /** Removes a position; returns false if it is not open. */
  remove(position: number): boolean {
    const index = this.#find(position)
    const removed = this.#removed
    if (index < 0 || removed[index] === 1) return false
    removed[index] = 1
    this.count--
    if (index === this.#head) this.#passRemoved(index)
    return true
  }

  #passRemoved(from: number): void {
    const removed = this.#removed
    const tail = this.#tail
    let head = from
    while (head < tail && removed[head] === 1) head++
    this.#head = head === tail ? 0 : head
    if (head === tail) this.#tail = 0
  }

  // positions ascend by at least one, so the difference to the head is an upper bound for the index, and without gaps
  // it is the index
  #find(position: number): number {
    const positions = this.#positions
    const head = this.#head
    if (head === this.#tail) return -1
    const distance = position - positions[head]
    let low = head
    let high = distance < this.#tail - head ? head + distance : this.#tail - 1
    if (positions[high] === position) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (positions[middle] < position) low = middle + 1
      else high = middle
    }
    return positions[low] === position ? low : -1
  }

  #makeRoom(): void {
    const positions = this.#positions
    const previous = this.#previous
    const removed = this.#removed
    const isCrowded = this.count * 2 > positions.length
    if (isCrowded) this.#allocate(positions.length * 2)
    const [head, tail] = [this.#head, this.#tail]
    let kept = 0
    for (let index = head; index < tail; index++) {
      if (removed[index] === 1) continue
      this.#positions[kept] = positions[index]
      this.#previous[kept] = previous[index]
      this.#removed[kept] = 0
      kept++
    }
    this.#head = 0
    this.#tail = kept
  }

  #allocate(size: number): void {
    this.#positions = new Float64Array(size)
    this.#previous = new Float64Array(size)
    this.#removed = new Uint8Array(size)
  }
}
