import type { FeedRange, MoveContainer } from '../containers/move-container.ts'
import { type Identity, identityText } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { isMarker, MAX_REQUEST_AGE_MS } from './marker.ts'

export interface MarkerSweepOptions {
  readonly container: MoveContainer
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  readonly signal: AbortSignal
}

interface RangeProgress {
  readonly range: FeedRange
  readonly from: string
}

interface FoundMarker {
  readonly identity: Identity
  readonly etag: string
}

/** Removes the markers of a move. It reads the container once, and later what has changed since. */
export class MarkerSweep {
  readonly #options: MarkerSweepOptions
  #ranges: readonly RangeProgress[] | undefined
  /** Markers that were too young to be removed, by the text of their place. */
  readonly #young: Map<string, FoundMarker> = new Map()

  constructor(options: MarkerSweepOptions) {
    this.#options = options
  }

  /** Removes the markers that no late create can meet any more, so that `removeAll` has less to do. */
  async removeOld(): Promise<void> {
    // seconds are rounded, and the clocks may differ
    await this.#read(this.#options.wallMs() - MAX_REQUEST_AGE_MS - MARGIN_MS)
  }

  /** Removes all markers. None may be written meanwhile. */
  async removeAll(): Promise<void> {
    await this.#read(Number.POSITIVE_INFINITY)
    await this.#remove([...this.#young.values()])
    this.#young.clear()
  }

  async #read(beforeMs: number): Promise<void> {
    const { container } = this.#options
    const ranges = this.#ranges ?? (await container.feedRanges()).map((range) => ({ range, from: 'beginning' }))
    this.#ranges = await this.#readRanges(ranges, beforeMs)
  }

  /** Reads ranges to their ends. Returns where they end; the parts of those that were split. */
  async #readRanges(ranges: readonly RangeProgress[], beforeMs: number): Promise<readonly RangeProgress[]> {
    const { container, signal } = this.#options
    // a replica that is behind may not have the newest markers
    const tokens = await container.freshness?.newestTokens(signal)
    const tokenOf = ({ min, max }: FeedRange): string | undefined =>
      tokens?.find(({ range }) => range.min <= min && max <= range.max)?.sessionToken
    const read = ranges.map((progress) => this.#readRange(progress, tokenOf(progress.range), beforeMs))
    return (await Promise.all(read)).flat()
  }

  async #readRange(
    { range, from }: RangeProgress,
    token: string | undefined,
    beforeMs: number
  ): Promise<readonly RangeProgress[]> {
    const { container, signal } = this.#options
    let sessionToken = token
    for (let position = from; ;) {
      const request = { range, mode: 'latest', from: position, maxItems: MAX_ITEMS, sessionToken, signal } as const
      const answer = await container.readChanges(request)
      if (answer.kind === 'split') {
        const parts = answer.ranges.map((part) => ({ range: part, from: position }))
        return this.#readRanges(parts, beforeMs)
      }
      await this.#see(answer.documents, beforeMs)
      position = answer.position
      sessionToken = answer.sessionToken ?? sessionToken
      if (answer.isEnd) return [{ range, from: position }]
    }
  }

  async #see(documents: readonly StoredDocument[], beforeMs: number): Promise<void> {
    const old: FoundMarker[] = []
    for (const document of documents) {
      const { identity, etag, timestamp } = document
      if (!isMarker(document)) continue
      if (timestamp * 1000 < beforeMs) old.push({ identity, etag })
      else this.#young.set(identityText(identity), { identity, etag })
    }
    await this.#remove(old)
  }

  /** Deletes markers, unless they have changed since they were read. */
  async #remove(markers: readonly FoundMarker[]): Promise<void> {
    const { container, signal } = this.#options
    for (let first = 0; first < markers.length; first += MAX_WRITES) {
      signal.throwIfAborted()
      const some = markers.slice(first, first + MAX_WRITES)
      await Promise.all(some.map(({ identity, etag }) => container.write({ kind: 'delete', identity, ifMatch: etag })))
    }
  }
}

const MARGIN_MS = 60_000
const MAX_ITEMS = 500
const MAX_WRITES = 100
