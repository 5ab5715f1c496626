import { type Clock, waitFor } from '@keystamp/core/internal'
import type { MoveContainer } from '../containers/move-container.ts'
import { type Identity, identityText } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { withoutMarkers } from '../markers/without-markers.ts'
import type { Journal, RangePosition } from '../journal/journal.ts'
import type { WrittenContents } from '../journal/written-contents.ts'
import type { OtherContent, OwnContent } from './own-content.ts'

export interface StragglerWatchOptions {
  /** The container that is not in charge any more. */
  readonly container: MoveContainer
  readonly content: OwnContent
  /** Contents that this process and the one before have written. Default: none is known. */
  readonly written?: WrittenContents | undefined
  /** Undefined if only this process writes to the container, so that it knows nearly all writes of the move. */
  readonly authorsOf: AuthorsOf | undefined
  readonly journal: Journal
  readonly clock: Clock
  /** All changes of the container in charge before this time of the clock are copied. */
  readonly readToEndMs: () => number
}

/** A change in the container that is not in charge. */
export interface WatchedChange {
  readonly etag: string
  /** Digest of the content. */
  readonly digest: string
}

/** Asks other processes which of some changes they have made; resolves with their ETags. */
export type AuthorsOf = (changes: readonly WatchedChange[], signal: AbortSignal) => Promise<ReadonlySet<string>>

/** A change without a known author. */
interface Suspect {
  readonly identity: Identity
  readonly etag: string
  readonly content: OtherContent
  /** The document in the container in charge; undefined if there is none. */
  inChargeEtag: string | undefined
  /** Since when it has this ETag. */
  sinceMs: number
}

/** Changes of others in one document. */
interface OthersChanges {
  /** ETags. */
  readonly changes: Set<string>
  /** The last one; undefined if the move has replaced it. */
  last: Suspect | undefined
}

const POLL_MS = 1000
const TICK_MS = 50
/** Answers that are remembered until their changes are seen. */
const MAX_EXPECTED = 1_000_000
/** Replicas may be behind, and the clocks of several workers may differ. */
const MARGIN_MS = 2000
/** Longest time for which a comparison waits until the author of a change is known. */
const MAX_JUDGE_MS = 10_000
const MAX_CHECKS = 50
const MAX_ASKED = 500

/**
 * Reads the feed of the old container after a switch, and counts the changes that the move did not make: an application
 * still writes there. A change is one of the move if this process made it, if its document is what the move writes for
 * the one in the container in charge, or if this process or the one before was about to write its content.
 */
export class StragglerWatch {
  readonly #options: StragglerWatchOptions
  readonly #expected: Set<string> = new Set()
  /** By the text of the place. */
  readonly #suspects: Map<string, Suspect> = new Map()
  /** By the text of the place. */
  readonly #others: Map<string, OthersChanges> = new Map()
  /** Number of reads of the feed to its end that have begun, and the number of the last one that has ended. */
  readonly #reads: { begun: number; ended: number } = { begun: 0, ended: 0 }
  /** Whether the next read checks the changes of others again. */
  #checksOthers = false
  #wake: () => void = () => {}

  constructor(options: StragglerWatchOptions) {
    // the copy back leaves markers
    this.#options = { ...options, container: withoutMarkers(options.container) }
  }

  /** Number of changes of others. */
  get count(): number {
    let count = 0
    for (const { changes } of this.#others.values()) count += changes.size
    return count
  }

  /** Whether others may have written a document, so that a comparison must not decide about it. */
  isForeign(place: Identity): boolean {
    const text = identityText(place)
    return this.#others.get(text)?.last !== undefined || this.#suspects.has(text)
  }

  /** This process has made the change with this ETag; a delete has none. */
  expect(place: Identity, etag: string | undefined): void {
    const text = identityText(place)
    const others = this.#others.get(text)
    if (others !== undefined) others.last = undefined
    if (etag === undefined) return
    if (this.#suspects.get(text)?.etag === etag) return void this.#suspects.delete(text)
    this.#expected.add(etag)
    if (this.#expected.size <= MAX_EXPECTED) return
    const [oldest] = this.#expected
    this.#expected.delete(oldest)
  }

  /** Watches until the signal aborts. It continues where the copy into the new container has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { journal, written } = this.#options
    let positions = journal.state().ranges.forward
    let saved = positions
    try {
      for (;;) {
        const number = ++this.#reads.begun
        const checksOthers = this.#checksOthers
        positions = (await Promise.all(positions.map((position) => this.#read(position, signal)))).flat()
        await this.#checkAll(signal)
        if (checksOthers) await this.#checkOthers(signal)
        this.#reads.ended = number
        // the next process must find the changes of others again, so that it does not undo them
        if (this.#others.size === 0 && this.#suspects.size === 0) {
          const isMoved =
            positions.length !== saved.length || positions.some(({ latest }, index) => latest !== saved[index].latest)
          if (isMoved) await journal.append({ type: 'ranges', direction: 'forward', ranges: positions })
          saved = positions
          await written?.seen()
        }
        await this.#idle(signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /**
   * Judges after a comparison: reads the feed to its end, waits for some time until the authors of the changes at some
   * places are known, and forgets changes of others of which nothing is left.
   */
  async judge(places: readonly Identity[], signal: AbortSignal): Promise<void> {
    if (places.length === 0 && this.#others.size === 0) return
    const { clock } = this.#options
    const texts = places.map((place) => identityText(place))
    const untilMs = clock.now() + MAX_JUDGE_MS
    await this.#nextRead(signal)
    while (texts.some((text) => this.#suspects.has(text)) && clock.now() < untilMs) await this.#nextRead(signal)
    if (this.#others.size === 0) return
    this.#checksOthers = true
    await this.#nextRead(signal)
  }

  /** Resolves after a read of the feed to its end that has begun after the call. */
  async #nextRead(signal: AbortSignal): Promise<void> {
    const { begun } = this.#reads
    this.#wake()
    do await waitFor(TICK_MS, this.#options.clock, signal)
    while (this.#reads.ended <= begun)
  }

  async #idle(signal: AbortSignal): Promise<void> {
    const woken = new AbortController()
    this.#wake = () => woken.abort()
    await waitFor(POLL_MS, this.#options.clock, AbortSignal.any([signal, woken.signal])).catch(() => {})
    signal.throwIfAborted()
  }

  /** Reads to the end. */
  async #read(position: RangePosition, signal: AbortSignal): Promise<readonly RangePosition[]> {
    const { container } = this.#options
    for (let { latest } = position; ;) {
      const answer = await container.readChanges({
        range: position.range,
        mode: 'latest',
        from: latest ?? 'now',
        signal
      })
      if (answer.kind === 'split') {
        const parts = answer.ranges.map((range) => this.#read({ ...position, latest, range }, signal))
        return (await Promise.all(parts)).flat()
      }
      for (const document of answer.documents) this.#see(document)
      latest = answer.position
      if (answer.isEnd) return [{ ...position, latest }]
    }
  }

  #see(document: StoredDocument): void {
    const { etag, identity } = document
    const { content, clock, authorsOf } = this.#options
    const text = identityText(identity)
    const earlier = this.#suspects.get(text)
    if (earlier !== undefined && authorsOf === undefined && !this.#isWritten(earlier)) this.#othersOf(text, earlier)
    this.#suspects.delete(text)
    if (this.#expected.delete(etag)) return
    const suspect = { identity, etag, content: content.of(document), inChargeEtag: undefined, sinceMs: clock.now() }
    this.#suspects.set(text, suspect)
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    const open = await this.#filter([...this.#suspects], (text, suspect) => this.#differs(text, suspect))
    const asked = open.slice(0, MAX_ASKED)
    const authors = await this.#authorsOf(asked, signal)
    for (const [text, suspect] of asked) {
      if (this.#suspects.get(text) !== suspect) continue
      this.#suspects.delete(text)
      if (!authors.has(suspect.etag)) this.#othersOf(text, suspect).last = suspect
    }
  }

  /** Forgets changes of others of which nothing is left, or whose author is known now. */
  async #checkOthers(signal: AbortSignal): Promise<void> {
    this.#checksOthers = false
    for (const [text, { last }] of this.#others) if (last === undefined) this.#others.delete(text)
    const known = [...this.#others].map(([text, { last }]) => [text, last!] as const)
    const open = await this.#filter(known, (_, change) => this.#isThere(change))
    const authors = await this.#authorsOf(open, signal)
    const left = new Set(open.map(([, change]) => change).filter(({ etag }) => !authors.has(etag)))
    for (const [text, change] of known)
      if (!left.has(change) && this.#others.get(text)?.last === change) this.#others.delete(text)
  }

  /** The entries for which a check is true; some are checked at the same time. */
  async #filter(
    entries: readonly (readonly [string, Suspect])[],
    check: (text: string, suspect: Suspect) => Promise<boolean>
  ): Promise<readonly (readonly [string, Suspect])[]> {
    const open: (readonly [string, Suspect])[] = []
    for (let first = 0; first < entries.length; first += MAX_CHECKS) {
      const some = entries.slice(first, first + MAX_CHECKS)
      const are = await Promise.all(some.map(([text, suspect]) => check(text, suspect)))
      open.push(...some.filter((_, index) => are[index]))
    }
    return open
  }

  async #authorsOf(
    changes: readonly (readonly [string, Suspect])[],
    signal: AbortSignal
  ): Promise<ReadonlySet<string>> {
    const { authorsOf } = this.#options
    const found = new Set<string>()
    if (authorsOf === undefined) return found
    for (let first = 0; first < changes.length; first += MAX_ASKED) {
      const asked = changes.slice(first, first + MAX_ASKED)
      const etags = await authorsOf(
        asked.map(([, { etag, content }]) => ({ etag, digest: content.digest })),
        signal
      )
      for (const etag of etags) found.add(etag)
    }
    return found
  }

  /** Adds a change of others. */
  #othersOf(text: string, { etag }: Suspect): OthersChanges {
    const others = this.#others.get(text) ?? { changes: new Set(), last: undefined }
    others.changes.add(etag)
    this.#others.set(text, others)
    return others
  }

  #isWritten({ content }: Suspect): boolean {
    return this.#options.written?.has(content.digest) === true
  }

  /**
   * Whether the change is there, although the container in charge has another document, or none, and all changes before
   * it are copied: until then, a difference may be a change that is not copied yet.
   */
  async #differs(text: string, suspect: Suspect): Promise<boolean> {
    const { content, container, clock, readToEndMs } = this.#options
    const { isOwn, etag } = await content.compare(suspect.content)
    if (!isOwn && !this.#isWritten(suspect)) {
      if (etag !== suspect.inChargeEtag) {
        suspect.inChargeEtag = etag
        suspect.sinceMs = clock.now()
      }
      if (readToEndMs() < suspect.sinceMs + MARGIN_MS) return false
      const document = await container.read(suspect.identity)
      if (document?.etag === suspect.etag) return true
    }
    if (this.#suspects.get(text) === suspect) this.#suspects.delete(text)
    return false
  }

  /** Whether a change of others is still there, and the container in charge has another document, or none. */
  async #isThere(change: Suspect): Promise<boolean> {
    const { content, container } = this.#options
    if (this.#isWritten(change) || (await content.compare(change.content)).isOwn) return false
    return (await container.read(change.identity))?.etag === change.etag
  }
}
