/**
 * The order of requests for pages and of reads of single documents. A page may be older than a later read of one of its
 * documents: it was requested earlier, and its documents wait for their turn. Such a version must not be written.
 */
export class ReadOrder {
  #last = 0
  /** Requests whose pages are not settled, in order. */
  readonly #pages: Set<number> = new Set()
  /** The number of the last read of a document, by the text of its identity, in order. */
  readonly #reads: Map<string, number> = new Map()

  /** Number of documents whose last read is remembered. */
  get size(): number {
    return this.#reads.size
  }

  /** Begins the request for a page, and returns its number. */
  beginPage(): number {
    this.#pages.add(++this.#last)
    return this.#last
  }

  /** The page is settled, or the request gave none. */
  endPage(request: number): void {
    this.#pages.delete(request)
    const [oldest = Number.POSITIVE_INFINITY] = this.#pages
    for (const [text, read] of this.#reads) {
      if (read > oldest) return
      this.#reads.delete(text)
    }
  }

  /** The answer to a read of a document has arrived: a page that was requested before may be older. */
  endRead(text: string): void {
    // deleted first, so that the map stays in the order of the reads
    this.#reads.delete(text)
    if (this.#pages.size > 0) this.#reads.set(text, ++this.#last)
  }

  /** Whether the document was read after the page was requested, so that its version on the page may be older. */
  isOutdated(document: { readonly text: string }, request: number): boolean {
    // making the text of each document would cost more than the rest
    if (this.#reads.size === 0) return false
    const read = this.#reads.get(document.text)
    return read !== undefined && read > request
  }
}
