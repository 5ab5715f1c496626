import { type Identity, identityText } from '../documents/identity.ts'
import type { OpenPage } from './open-page.ts'

/** A document that waits for its place, and the pages that are not settled until it is stored. */
export interface WaitingDocument {
  readonly identity: Identity
  readonly pages: readonly OpenPage[]
}

interface Waiting extends WaitingDocument {
  pages: readonly OpenPage[]
}

export interface WaitingOptions {
  readonly now: () => number
  /**
   * Time for which a page of the feed is not settled while one of its documents waits: the worker that frees the place
   * may be another one, and the next owner of the range must read the page again. Default: 0.
   */
  readonly holdMs?: number | undefined
}

/** Documents of the source that found their place in the target taken by another one. */
export class WaitingDocuments {
  readonly #options: WaitingOptions
  /** By the text of the place, and by their own text. */
  readonly #places: Map<string, Map<string, Waiting>> = new Map()
  /** By their own text. */
  readonly #documents: Map<string, Waiting> = new Map()
  /** When pages were held for the first time. */
  readonly #heldMs: WeakMap<OpenPage, number> = new WeakMap()

  constructor(options: WaitingOptions) {
    this.#options = options
  }

  /** Remembers that a document waits for a place. Returns whether that was not known. */
  add(identity: Identity, place: Identity): boolean {
    const key = identityText(place)
    const waiting = this.#places.get(key) ?? new Map<string, Waiting>()
    this.#places.set(key, waiting)
    const text = identityText(identity)
    const isNew = !waiting.has(text)
    const document = this.#documents.get(text) ?? { identity, pages: [] }
    this.#documents.set(text, document)
    waiting.set(text, document)
    return isNew
  }

  /** Holds pages of a document that waits. Returns those that are settled now. */
  hold(identity: Identity, pages: readonly OpenPage[]): readonly OpenPage[] {
    const { now, holdMs = 0 } = this.#options
    const document = this.#documents.size === 0 ? undefined : this.#documents.get(identityText(identity))
    if (document === undefined || holdMs === 0) return pages
    const held = pages.filter((page) => {
      const sinceMs = this.#heldMs.get(page) ?? now()
      this.#heldMs.set(page, sinceMs)
      return page.isFollowing && now() < sinceMs + holdMs
    })
    document.pages = [...document.pages, ...held]
    return pages.filter((page) => !held.includes(page))
  }

  /** A document is not at a place any more: returns the others that wait for it, and forgets them. */
  release(place: Identity, former: string): readonly WaitingDocument[] {
    if (this.#places.size === 0) return []
    const key = identityText(place)
    const waiting = this.#places.get(key)
    this.#places.delete(key)
    waiting?.delete(former)
    return this.#forget([...(waiting?.values() ?? [])])
  }

  /** Returns all documents that wait, or only those with held pages, and forgets them. */
  take(which: 'all' | 'held'): readonly WaitingDocument[] {
    const taken = new Set([...this.#documents.values()].filter(({ pages }) => which === 'all' || pages.length > 0))
    if (taken.size === 0) return []
    for (const [key, waiting] of this.#places) {
      for (const [text, document] of waiting) if (taken.has(document)) waiting.delete(text)
      if (waiting.size === 0) this.#places.delete(key)
    }
    return this.#forget([...taken])
  }

  #forget(documents: readonly Waiting[]): readonly WaitingDocument[] {
    return documents.map((document) => {
      const { identity, pages } = document
      this.#documents.delete(identityText(identity))
      // it may wait for another place, too, and a page is settled once
      document.pages = []
      return { identity, pages }
    })
  }
}
