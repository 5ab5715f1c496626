/** Says when a record that was not whole is worth another scan, so that a long one in small pieces is not scanned once a piece. */
export class Patience {
  #waitFor = 0
  #isWaiting = false

  /** `length` bytes did not hold the whole record. */
  wait(length: number): void {
    this.#isWaiting = true
    this.#waitFor = length < SHORT_BYTES ? 0 : length * GROWTH
  }

  /** `length` bytes are there now, the last of them in `chunk`. */
  isWorthTrying(length: number, chunk: Buffer): boolean {
    if (!this.#isWaiting) return true
    if (length < this.#waitFor || (!chunk.includes(CLOSE_BRACE) && !chunk.includes(COMMA) && !chunk.includes(CLOSE_BRACKET))) return false
    this.#isWaiting = false
    return true
  }

  reset(): void {
    this.#isWaiting = false
  }
}

const CLOSE_BRACE = 0x7d
const COMMA = 0x2c
const CLOSE_BRACKET = 0x5d
// below it a record is scanned as often as it grows: waiting would hold back a slow stream
const SHORT_BYTES = 64 * 1024
const GROWTH = 1.25
