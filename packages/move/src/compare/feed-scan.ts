import { partitionHash } from '@keystamp/core'
import type { AnswerBuffer } from '@keystamp/cosmos'
import type { ChangesAnswer, FeedRange, MoveContainer } from '../containers/move-container.ts'
import type { CopyGate } from '../copy/copy-gate.ts'
import type { PageDigest } from '../digest/page-digest.ts'
import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'

export interface FeedScanOptions {
  readonly container: MoveContainer
  /** Limits the requests at the same time, and the bytes of their pages. */
  readonly gate: CopyGate
  readonly maxItems: number
  readonly signal: AbortSignal
}

/** Where the next page of a range begins. */
interface RangeProgress {
  readonly range: FeedRange
  from: string
  sessionToken: string | undefined
}

/** Reads the latest versions of all documents of a container, several ranges at once, and later what has changed. */
export class FeedScan {
  readonly #options: FeedScanOptions
  #ranges: RangeProgress[] = []
  /** The ends of the feeds when `mark` was called. */
  #marks: RangeProgress[] = []
  /** Memory of pages that were read: at most one for each request at the same time, and each page that waits. */
  readonly #buffers: PageBuffer[] = []
  #digested: { readonly createPage: () => PageDigest; readonly onPage: (page: PageDigest) => void } | undefined =
    undefined

  constructor(options: FeedScanOptions) {
    this.#options = options
  }

  /** Reads all documents, each of which is valid during the call. A document that changes meanwhile is seen again. */
  async readAll(onDocument: (document: StoredDocument) => void): Promise<void> {
    await this.#begin()
    await this.readChanges(onDocument)
  }

  /**
   * Reads all documents as hashes, page by page. Documents that the container has read itself, as a simulated one does,
   * are given to `onDocument`.
   */
  async digestAll(
    createPage: () => PageDigest,
    onPage: (page: PageDigest) => void,
    onDocument: (document: StoredDocument) => void
  ): Promise<void> {
    await this.#begin()
    this.#digested = { createPage, onPage }
    try {
      await this.readChanges(onDocument)
    } finally {
      this.#digested = undefined
      this.#buffers.length = 0
    }
  }

  async #begin(): Promise<void> {
    const ranges = await this.#options.container.feedRanges()
    this.#ranges = ranges.map((range) => ({ range, from: 'beginning', sessionToken: this.#tokenOf(range) }))
  }

  /** Reads the changes since the last read, of every range to its end. */
  async readChanges(onDocument: (document: StoredDocument) => void): Promise<void> {
    await this.#readRanges(this.#ranges, onDocument)
  }

  /** Remembers the ends of the feeds, so that `readSinceMark` finds what changes from now on. */
  async mark(): Promise<void> {
    const ranges = await this.#options.container.feedRanges()
    this.#marks = (await Promise.all(ranges.map((range) => this.#endOf(range)))).flat()
  }

  /** Reads all documents that have changed since `mark`; perhaps also some that have changed shortly before. */
  async readSinceMark(onDocument: (document: StoredDocument) => void): Promise<void> {
    // no replica may answer that is behind the pages which were read
    for (const mark of this.#marks) mark.sessionToken = this.#tokenOf(mark.range)
    await this.#readRanges(this.#marks, onDocument)
  }

  /** Session token with which a read at this place is not older than the last page of its range. */
  sessionTokenOf({ key }: Identity): string | undefined {
    const hash = partitionHash(key, this.#options.container.definition.partitionKey)
    return this.#ranges.find(({ range }) => hash >= range.min && hash < range.max)?.sessionToken
  }

  /** Session token of the last page of the range, or of its end when `mark` was called. */
  #tokenOf({ min, max }: FeedRange): string | undefined {
    const known = [...this.#ranges, ...this.#marks]
    return known.find(({ range, sessionToken }) => range.min === min && range.max === max && sessionToken !== undefined)
      ?.sessionToken
  }

  async #endOf(range: FeedRange): Promise<readonly RangeProgress[]> {
    const { container, signal } = this.#options
    const answer = await container.readChanges({ range, mode: 'latest', from: 'now', signal })
    if (answer.kind === 'split') return (await Promise.all(answer.ranges.map((part) => this.#endOf(part)))).flat()
    return [{ range, from: answer.position, sessionToken: answer.sessionToken }]
  }

  async #readRanges(ranges: RangeProgress[], onDocument: (document: StoredDocument) => void): Promise<void> {
    await untilAllEnd(ranges.map((range) => this.#readRange(range, ranges, onDocument)))
  }

  /** Reads to the end of a range. If it is split, its parts replace it in the list. */
  async #readRange(
    progress: RangeProgress,
    ranges: RangeProgress[],
    onDocument: (document: StoredDocument) => void
  ): Promise<void> {
    let next = this.#request(progress)
    for (;;) {
      const { answer, bytes, buffer } = await next
      if (answer.kind === 'split') {
        this.#buffers.push(buffer)
        const parts = answer.ranges.map((range) => {
          return { ...progress, range, sessionToken: this.#tokenOf(range) ?? progress.sessionToken }
        })
        ranges.splice(ranges.indexOf(progress), 1, ...parts)
        await untilAllEnd(parts.map((part) => this.#readRange(part, ranges, onDocument)))
        return
      }
      const { documents, position, isEnd, sessionToken } = answer
      progress.from = position
      progress.sessionToken = sessionToken ?? progress.sessionToken
      // the next page is on its way while this one is read
      if (!isEnd) next = this.#request(progress)
      try {
        if (buffer.page !== undefined) this.#digested?.onPage(buffer.page)
        for (const document of documents) onDocument(document)
      } catch (error) {
        next.catch(() => {})
        throw error
      } finally {
        this.#options.gate.release(bytes)
        this.#buffers.push(buffer)
      }
      if (isEnd) return
    }
  }

  async #request({ range, from, sessionToken }: RangeProgress): Promise<Requested> {
    const { container, gate, maxItems, signal } = this.#options
    await gate.enter()
    let bytes = 0
    const buffer = this.#buffers.pop() ?? new PageBuffer(this.#digested?.createPage())
    buffer.page?.begin(NO_BYTES)
    try {
      signal.throwIfAborted()
      const answer = await container.readChanges({
        range,
        mode: 'latest',
        from,
        maxItems,
        sessionToken,
        buffer,
        reader: buffer.page,
        signal
      })
      if (answer.kind === 'page') for (const { start, end } of answer.documents) bytes += end - start
      bytes += buffer.page?.length ?? 0
      return { answer, bytes, buffer }
    } finally {
      gate.leave(bytes)
    }
  }
}

interface Requested {
  readonly answer: ChangesAnswer
  readonly bytes: number
  readonly buffer: PageBuffer
}

const NO_BYTES = Buffer.alloc(0)

/** Memory for pages, which grows with them. */
class PageBuffer implements AnswerBuffer {
  /** The documents of the page as hashes, if it is read as such. */
  readonly page: PageDigest | undefined
  #bytes = NO_BYTES

  constructor(page: PageDigest | undefined) {
    this.page = page
  }

  room(bytes: number): Buffer {
    if (bytes > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(Math.ceil(bytes * SPARE))
    return this.#bytes
  }
}

/** Pages have similar sizes, so one with some more bytes must not need new memory. */
const SPARE = 1.25

/** Rejects only after all have ended, so that no request is left behind. */
async function untilAllEnd(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}
