import type { ChangesPage } from '../containers/move-container.ts'

/** When a page was asked for, by the time of day and by the process's own clock. */
export interface Asked {
  readonly atMs: number
  readonly atClockMs: number
}

/** A page that is not settled, or that follows such a page. */
interface Page {
  readonly position: string
  readonly caughtUpMs: number
  readonly asked: Asked
  /** Whether there were no more changes. */
  readonly isEnd: boolean
  readonly sessionToken: string | undefined
  readonly onInTarget: () => void
  isSettled: boolean
}

/** Progress in one of the two feeds of a range: what was read, and what is in the target. */
export class FeedProgress {
  /** Where the next page begins. */
  next: string
  isAtEnd = false
  /** Position up to which everything is in the target. */
  settled: string
  settledAt: number
  /** All changes before this time are in the target, in milliseconds since 1970. */
  caughtUpMs = 0
  /** When the feed was last read to its end, by the process's own clock: the changes before are in the target. */
  readToEndMs: number = Number.NEGATIVE_INFINITY
  /** Session token of the last answer up to which everything is in the target. */
  endToken: string | undefined = undefined
  readonly #pages: Page[] = []

  constructor(position: string, atMs: number) {
    this.next = position
    this.settled = position
    this.settledAt = atMs
  }

  /** Whether everything that was read is in the target. */
  get isSettled(): boolean {
    return this.#pages.length === 0
  }

  /**
   * Adds a page that was read. Returns the function that settles it; `onInTarget` is called when the pages before are
   * settled, too.
   */
  add(page: ChangesPage, asked: Asked, onInTarget: () => void): () => void {
    const { position, isEnd, sessionToken } = page
    const newest = Math.max(0, ...[...page.documents, ...page.versions].map(({ timestamp }) => timestamp))
    // further changes of the newest second may follow
    const caughtUpMs = isEnd ? asked.atMs : Math.min(asked.atMs, newest * 1000)
    const entry = { position, caughtUpMs, asked, isEnd, sessionToken, onInTarget, isSettled: false }
    this.#pages.push(entry)
    this.next = position
    this.isAtEnd = isEnd
    return () => {
      entry.isSettled = true
      this.#advance()
    }
  }

  #advance(): void {
    while (this.#pages.length > 0 && this.#pages[0].isSettled) {
      const { position, caughtUpMs, asked, isEnd, sessionToken, onInTarget } = this.#pages.shift()!
      this.settled = position
      this.settledAt = asked.atMs
      // at an end, the time of day may be an earlier one than before: it was set back
      this.caughtUpMs = isEnd ? caughtUpMs : Math.max(this.caughtUpMs, caughtUpMs)
      if (isEnd) {
        this.readToEndMs = asked.atClockMs
        this.endToken = sessionToken ?? this.endToken
      }
      onInTarget()
    }
  }
}
