/** Decides when to scan an incomplete record again, so that a long record in small chunks is not scanned once for each chunk. */
export class RescanThrottle {
  #waitFor = 0
  #isWaiting = false

  /** Called when `length` bytes did not contain the whole record. */
  wait(length: number): void {
    this.#isWaiting = true
    this.#waitFor = length < SHORT_BYTES ? 0 : length * GROWTH
  }

  /** True when `length` bytes, the last of them in `chunk`, may complete the record. */
  shouldRescan(length: number, chunk: Buffer): boolean {
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
// a shorter record is scanned with each chunk: waiting would delay a slow stream
const SHORT_BYTES = 64 * 1024
const GROWTH = 1.25
