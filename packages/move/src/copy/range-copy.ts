import { type Clock, waitFor } from '@keystamp/core/internal'
import { CosmosError } from '@keystamp/cosmos'
import type {
  ChangesPage,
  DocumentVersion,
  FeedMode,
  FeedRange,
  Freshness,
  MoveContainer
} from '../containers/move-container.ts'
import type { DocumentMapper } from '../documents/document-mapper.ts'
import { type Identity, isSameIdentity } from '../documents/identity.ts'
import type { RangePosition } from '../journal/journal.ts'
import type { GatePart } from './copy-gate.ts'
import type { IdentityQueue } from './identity-queue.ts'
import { OpenPage } from './open-page.ts'
import { type Asked, FeedProgress } from './feed-progress.ts'
import type { ReadOrder } from './read-order.ts'

export interface RangeCopyOptions {
  readonly source: MoveContainer
  readonly mapper: DocumentMapper
  readonly queue: IdentityQueue
  readonly order: ReadOrder
  readonly gate: GatePart
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  /** Wait at the end of the feeds. */
  readonly pollMs: number
  readonly maxItems: number
  readonly signal: AbortSignal
  /**
   * The position in the feed of all versions and deletes is older than its retention. From now on, deletes are found by
   * comparisons.
   */
  readonly onVersionsLost?: (() => void) | undefined
  /** Called for each change without the former version of the document, if the former place follows from its fields. */
  readonly onImageMissing?: (() => void) | undefined
}

/** While documents are copied, deletes can wait: a page costs as much as reading some documents. */
const VERSIONS_EVERY_MS = 1000

/**
 * Copies one range, and follows its changes. It reads the two feeds in turn, never at the same time, and each page with
 * the session token of the page before: so a deleted document cannot come back from an older page.
 */
export class RangeCopy {
  readonly range: FeedRange
  readonly #options: RangeCopyOptions
  readonly #feeds: Partial<Record<FeedMode, FeedProgress>>
  #sessionToken: string | undefined
  /** Whether the feed of latest versions was read to its end once. */
  #isRead: boolean
  /** Whether everything up to this end is in the target. */
  #isCopied: boolean
  #documents: number
  /** Whether everything that is read is copied for the first time. */
  readonly #isFresh: boolean
  #whenSettled: (() => void)[] = []
  #versionsReadMs = Number.NEGATIVE_INFINITY

  constructor(position: RangePosition, options: RangeCopyOptions) {
    this.#options = options
    this.range = position.range
    this.#sessionToken = position.sessionToken ?? undefined
    this.#isRead = position.isCopied
    this.#isCopied = position.isCopied
    this.#documents = position.documents
    this.#isFresh = position.latest === null
    this.#feeds = {
      latest: new FeedProgress(position.latest ?? 'beginning', 0),
      ...(position.versions === null
        ? {}
        : { versions: new FeedProgress(position.versions, position.versionsAt ?? options.wallMs()) })
    }
  }

  get sessionToken(): string | undefined {
    return this.#sessionToken
  }

  get position(): RangePosition {
    const { latest, versions } = this.#feeds
    return {
      range: this.range,
      latest: latest!.settled === 'beginning' ? null : latest!.settled,
      versions: versions?.settled ?? null,
      versionsAt: versions?.settledAt ?? null,
      sessionToken: this.#sessionToken ?? null,
      isCopied: this.#isCopied,
      documents: this.#documents
    }
  }

  /** All changes of the range before this time are in the target, in milliseconds since 1970; 0 if it is unknown. */
  get caughtUpMs(): number {
    return Math.min(...Object.values(this.#feeds).map(({ caughtUpMs }) => caughtUpMs))
  }

  /**
   * When the feeds were last read to their end, by the process's own clock, so that a jump of the time of day does not
   * matter: the changes before this time are in the target. -Infinity if there is no such time.
   */
  get readToEndMs(): number {
    return Math.min(...Object.values(this.#feeds).map(({ readToEndMs }) => readToEndMs))
  }

  /**
   * Whether the target has every change that the session token stands for. Until then, pages are read with this token,
   * so that no replica answers that is behind it. False if the token is of another physical partition.
   */
  reaches(token: string, { covers }: Pick<Freshness, 'covers'>): boolean {
    if (this.#sessionToken === undefined || !covers(this.#sessionToken, token)) this.#sessionToken = token
    return Object.values(this.#feeds).every(({ endToken }) => endToken !== undefined && covers(endToken, token))
  }

  /** Reads until the range is split, and returns its parts then. Rejects if the signal aborts or a request fails. */
  async run(): Promise<readonly FeedRange[]> {
    const { gate, signal, clock, pollMs } = this.#options
    for (let mode: FeedMode = 'latest'; ; mode = this.#nextMode(mode)) {
      await gate.enter(signal)
      if (signal.aborted) {
        gate.leave(0)
        signal.throwIfAborted()
      }
      const parts = await this.#readPage(mode)
      if (parts !== undefined) {
        const { queue } = this.#options
        // a queue that has failed settles no page any more
        await Promise.race([this.settled(), queue.idle().then(() => this.settled())])
        return parts
      }
      if (Object.values(this.#feeds).every(({ isAtEnd }) => isAtEnd)) await waitFor(pollMs, clock, signal)
    }
  }

  /** Resolves when all pages that were read are settled. */
  settled(): Promise<void> {
    const areSettled = Object.values(this.#feeds).every(({ isSettled }) => isSettled)
    return areSettled ? Promise.resolve() : new Promise((resolve) => this.#whenSettled.push(resolve))
  }

  #nextMode(mode: FeedMode): FeedMode {
    const { latest, versions } = this.#feeds
    if (mode === 'versions' || versions === undefined) return 'latest'
    const isEarly = this.#options.clock.now() < this.#versionsReadMs + VERSIONS_EVERY_MS
    return isEarly && !latest!.isAtEnd ? 'latest' : 'versions'
  }

  async #readPage(mode: FeedMode): Promise<readonly FeedRange[] | undefined> {
    const { source, gate, order, clock, wallMs, maxItems, signal } = this.#options
    const feed = this.#feeds[mode]!
    const request = order.beginPage()
    const asked = { atMs: wallMs(), atClockMs: clock.now() }
    if (mode === 'versions') this.#versionsReadMs = asked.atClockMs
    let bytes = 0
    try {
      const { range } = this
      const from = feed.next
      const answer = await source.readChanges({ range, mode, from, maxItems, sessionToken: this.#sessionToken, signal })
      if (answer.kind === 'split') {
        order.endPage(request)
        return answer.ranges
      }
      bytes = sizeOf(answer)
      this.#take(mode, answer, { request, asked, bytes })
      return undefined
    } catch (error) {
      order.endPage(request)
      if (mode !== 'versions' || !isRefused(error)) throw error
      delete this.#feeds.versions
      this.#options.onVersionsLost?.()
      return undefined
    } finally {
      gate.leave(bytes)
    }
  }

  #take(
    mode: FeedMode,
    page: ChangesPage,
    { request, asked, bytes }: { readonly request: number; readonly asked: Asked; readonly bytes: number }
  ): void {
    const { gate, order, queue } = this.#options
    const feed = this.#feeds[mode]!
    this.#sessionToken = page.sessionToken ?? this.#sessionToken
    const { isEnd, documents } = page
    const added = this.#isRead ? 0 : documents.length
    const settle = feed.add(page, asked, () => {
      this.#documents += added
      if (isEnd && mode === 'latest') this.#isCopied = true
    })
    const open = new OpenPage(request, this.#isRead ? 'all' : this.#isFresh ? 'none' : 'some', () => {
      gate.release(bytes)
      order.endPage(request)
      settle()
      this.#resolveSettled()
    })
    for (const document of documents) queue.put(document, open)
    for (const version of page.versions) this.#follow(version, open)
    if (mode === 'latest' && isEnd) this.#isRead = true
    open.settle()
  }

  /** Follows a delete, or a change that may have moved the copy to another place. */
  #follow({ operation, identity, previous, current }: DocumentVersion, page: OpenPage): void {
    const { queue, mapper } = this.#options
    if (operation === 'create') return
    if (previous === undefined && mapper.basis === 'fields') this.#options.onImageMissing?.()
    const former = previous === undefined ? undefined : this.#placeOf(previous)
    if (operation === 'replace') {
      if (mapper.basis === 'identity' || former === undefined) return
      const place = current === undefined ? undefined : this.#placeOf(current)
      if (place !== undefined && isSameIdentity(place, former)) return
    }
    queue.reconcile(identity, former === undefined ? [] : [former], page)
  }

  #placeOf(document: Parameters<DocumentMapper['map']>[0]): Identity | undefined {
    const { mapper } = this.#options
    // the time does not matter for the place
    const mapped = mapper.map(document, document.timestamp * 1000)
    return mapped.kind === 'mapped' ? mapped.identity : undefined
  }

  #resolveSettled(): void {
    if (Object.values(this.#feeds).some(({ isSettled }) => !isSettled)) return
    for (const resolve of this.#whenSettled.splice(0)) resolve()
  }
}

/** Whether Cosmos DB will never answer the request: it does not have the changes after the position any more. */
function isRefused(error: unknown): boolean {
  return error instanceof CosmosError && error.statusCode === 400
}

/** Memory that the objects of a document take until it is settled. */
const BYTES_OF_OBJECTS = 2000

/** Memory of a page until it is settled. */
function sizeOf({ documents, versions }: ChangesPage): number {
  let bytes = (documents.length + versions.length) * BYTES_OF_OBJECTS
  for (const { start, end } of documents) bytes += end - start
  for (const { previous, current } of versions)
    bytes +=
      (previous === undefined ? 0 : previous.end - previous.start) +
      (current === undefined ? 0 : current.end - current.start)
  return bytes
}
