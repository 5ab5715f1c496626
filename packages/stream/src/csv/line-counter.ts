const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
// more than the parser waits for before it decides that a record has ended
const LOOK_AHEAD_BYTES = 16

/** Finds the line on which each record begins, from its end and the bytes themselves. Blank lines before a record are not part of it. */
export class LineCounter {
  #chunk: Buffer = Buffer.alloc(0)
  // of the input, where the chunk begins
  #chunkByte: number
  #byte: number
  #line: number
  #isBetween = true
  #recordLine: number
  #recordByte: number

  constructor({ byte, line }: { readonly byte: number; readonly line: number }) {
    this.#chunkByte = this.#byte = this.#recordByte = byte
    this.#line = this.#recordLine = line
  }

  /** Begins behind a byte order mark. */
  skipTo(byte: number): void {
    this.#chunkByte = this.#byte = this.#recordByte = byte
  }

  load(chunk: Buffer): void {
    this.#chunk = this.#chunk.length === 0 ? chunk : Buffer.concat([this.#chunk, chunk])
  }

  /** The record that ends before a byte of the input. */
  recordEndingAt(end: number): { readonly line: number; readonly byte: number } {
    this.#readTo(end)
    const found = { line: this.#recordLine, byte: this.#recordByte }
    this.#isBetween = true
    this.#recordLine = this.#line
    this.#recordByte = this.#byte
    return found
  }

  /** Line on which the record after the last one begins, as far as that has been read. */
  lineOfNext(): number {
    this.#readTo(this.#chunkByte + this.#chunk.length)
    return this.#recordLine
  }

  get recordLine(): number {
    return this.#recordLine
  }

  /** Counts what belongs to the record that has not ended, and keeps a copy of the last bytes: the parser may not have looked at them yet. */
  finishChunk(): void {
    const kept = Math.max(0, this.#chunk.length - LOOK_AHEAD_BYTES)
    this.#readTo(this.#chunkByte + kept)
    this.#chunkByte += kept
    this.#chunk = Buffer.from(this.#chunk.subarray(kept))
  }

  #readTo(end: number): void {
    const chunk = this.#chunk
    const until = Math.min(end - this.#chunkByte, chunk.length)
    let at = this.#byte - this.#chunkByte
    if (this.#isBetween) {
      for (; at < until && (chunk[at] === LINE_FEED || chunk[at] === CARRIAGE_RETURN); at++) if (chunk[at] === LINE_FEED) this.#line++
      this.#recordLine = this.#line
      this.#recordByte = this.#chunkByte + at
      this.#isBetween = at >= until
    }
    for (at = chunk.indexOf(LINE_FEED, at); at >= 0 && at < until; at = chunk.indexOf(LINE_FEED, at + 1)) this.#line++
    this.#byte = Math.max(this.#byte, this.#chunkByte + until)
  }
}
