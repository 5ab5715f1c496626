import { type Identity, identityText } from '../documents/identity.ts'

/** Documents of the source that found their place in the target taken by another one. */
export class WaitingDocuments {
  /** By the text of the place, and by their own text. */
  readonly #places: Map<string, Map<string, Identity>> = new Map()

  /** Remembers that a document waits for a place. Returns whether that was not known. */
  add(source: Identity, place: Identity): boolean {
    const key = identityText(place)
    const waiting = this.#places.get(key) ?? new Map<string, Identity>()
    this.#places.set(key, waiting)
    const text = identityText(source)
    const isNew = !waiting.has(text)
    waiting.set(text, source)
    return isNew
  }

  /** A document is not at a place any more: returns the others that wait for it, and forgets them. */
  release(place: Identity, former: string): readonly Identity[] {
    if (this.#places.size === 0) return []
    const key = identityText(place)
    const waiting = this.#places.get(key)
    this.#places.delete(key)
    waiting?.delete(former)
    return [...(waiting?.values() ?? [])]
  }

  /** Returns all documents that wait, and forgets them. */
  takeAll(): readonly Identity[] {
    const all = [...this.#places.values()].flatMap((documents) => [...documents.values()])
    this.#places.clear()
    return all
  }
}
