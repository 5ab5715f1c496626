import type { JsonCursor } from '../json/json-cursor.ts'
import type { JsonTarget } from '../json/json-target.ts'

/** Steps over the value at the cursor, and says otherwise what in it has another form in a document. */
export type Rewrite = (cursor: JsonCursor, copy: RewrittenCopy) => void

/** A copy of JSON in which some values are replaced; nothing is copied before the first. */
export class RewrittenCopy {
  readonly target: JsonTarget
  readonly #bytes: Buffer
  readonly #start: number
  #copied: number
  #isChanged = false

  constructor(bytes: Buffer, start: number, target: JsonTarget) {
    this.target = target
    this.#bytes = bytes
    this.#start = start
    this.#copied = start
    target.begin()
  }

  /** What is written next stands in the place of `bytes[start, end)`. */
  replace(start: number, end: number): JsonTarget {
    this.#copyTo(start)
    this.#copied = end
    this.#isChanged = true
    return this.target
  }

  /** The whole up to `end`: the bytes themselves where nothing was replaced. */
  finish(end: number): Buffer {
    if (!this.#isChanged) return this.#bytes.subarray(this.#start, end)
    this.#copyTo(end)
    return this.target.end()
  }

  #copyTo(end: number): void {
    const { target } = this
    target.reserve(end - this.#copied)
    target.at += this.#bytes.copy(target.bytes, target.at, this.#copied, end)
  }
}
