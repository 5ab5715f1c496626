import type { Reader } from './reader.ts'

/** Adds up what has been read from one input behind the other. */
export class ReadMeter {
  #before = 0
  #reader: Reader | undefined

  follow(reader: Reader): void {
    this.#before = this.bytes
    this.#reader = reader
  }

  get bytes(): number {
    return this.#before + (this.#reader?.bytesRead() ?? 0)
  }
}
