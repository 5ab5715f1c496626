/** Whether the documents of a page have copies in the target: `none` for the first copy, `some` after a restart of it. */
export type ExpectedCopies = 'none' | 'some' | 'all'

/** A page of changes that is being copied. It is settled when each of its changes is. */
export class OpenPage {
  /** One more than the changes without an outcome, until all changes of the page are in the queue. */
  #open = 1
  readonly #onSettled: () => void

  /** Number of the request for the page: see ReadOrder. */
  readonly request: number
  readonly copies: ExpectedCopies

  constructor(request: number, copies: ExpectedCopies, onSettled: () => void) {
    this.request = request
    this.copies = copies
    this.#onSettled = onSettled
  }

  /** Whether this is a page of the feed, after its documents were copied once. */
  get isFollowing(): boolean {
    return this.copies === 'all' && this.request > 0
  }

  take(): void {
    this.#open++
  }

  settle(): void {
    if (--this.#open === 0) this.#onSettled()
  }
}
