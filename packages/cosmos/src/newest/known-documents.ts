import type { Position } from './position.ts'

/** A stored document, as far as this process knows. */
export interface KnownDocument {
  readonly etag: string
  readonly position: Position
  /** Whether it is the marker of a deleted document. */
  readonly isMarker: boolean
}

/**
 * The documents that were written last, up to a number. An entry can be out of date: a write that uses it has its ETag
 * as a condition.
 */
export class KnownDocuments {
  readonly #max: number
  /** Two generations: a document that is used while it is in the older one moves to the younger one. */
  #young: Map<string, KnownDocument> = new Map()
  #old: Map<string, KnownDocument> = new Map()

  constructor(max: number) {
    this.#max = max
  }

  get(document: string): KnownDocument | undefined {
    const known = this.#young.get(document)
    if (known !== undefined) return known
    const older = this.#old.get(document)
    if (older !== undefined) this.set(document, older)
    return older
  }

  set(document: string, known: KnownDocument): void {
    if (this.#young.size >= this.#max / 2 && !this.#young.has(document)) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(document, known)
  }

  forget(document: string): void {
    this.#young.delete(document)
    this.#old.delete(document)
  }
}
