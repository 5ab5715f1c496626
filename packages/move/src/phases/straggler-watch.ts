import { type Clock, waitFor } from '@keystamp/core/internal'
import type { MoveContainer } from '../containers/move-container.ts'
import { type Identity, identityText } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import { withoutMarkers } from '../markers/without-markers.ts'
import type { Journal, RangePosition } from '../journal/journal.ts'
import type { OtherContent, OwnContent } from './own-content.ts'

export interface StragglerWatchOptions {
  /** The container that is not in charge any more. */
  readonly container: MoveContainer
  readonly content: OwnContent
  /** Undefined if only this process writes to the container, so that it knows nearly all writes of the move. */
  readonly authorsOf: AuthorsOf | undefined
  readonly journal: Journal
  readonly clock: Clock
  /** All changes of the container in charge before this time of the clock are copied. */
  readonly readToEndMs: () => number
}

/** Asks other processes which of some ETags they have written. */
export type AuthorsOf = (etags: readonly string[], signal: AbortSignal) => Promise<ReadonlySet<string>>

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

const POLL_MS = 1000
/** Answers that are remembered until their changes are seen. */
const MAX_EXPECTED = 1_000_000
/** Replicas may be behind, and the clocks of several workers may differ. */
const MARGIN_MS = 2000
const MAX_CHECKS = 50
const MAX_ASKED = 500

/**
 * Reads the feed of the old container after a switch, and counts the changes that the move did not make: an application
 * still writes there. A change is one of the move if this process made it, or if its document is what the move writes
 * for the one in the container in charge. So the writes of other processes, and of processes before, need not be known.
 */
export class StragglerWatch {
  readonly #options: StragglerWatchOptions
  readonly #expected: Set<string> = new Set()
  /** By the text of the place. */
  readonly #suspects: Map<string, Suspect> = new Map()
  /** Changes of others. */
  readonly #unexpected: Set<string> = new Set()
  /** Places that others have written, and the move not since. */
  readonly #places: Set<string> = new Set()

  constructor(options: StragglerWatchOptions) {
    // the copy back leaves markers
    this.#options = { ...options, container: withoutMarkers(options.container) }
  }

  get count(): number {
    return this.#unexpected.size
  }

  /** Whether others may have written a document, so that a comparison must not decide about it. */
  isForeign(place: Identity): boolean {
    const text = identityText(place)
    return this.#places.has(text) || this.#suspects.has(text)
  }

  /** This process has made the change with this ETag; a delete has none. */
  expect(place: Identity, etag: string | undefined): void {
    const text = identityText(place)
    this.#places.delete(text)
    if (etag === undefined) return
    if (this.#suspects.get(text)?.etag === etag) return void this.#suspects.delete(text)
    this.#expected.add(etag)
    if (this.#expected.size <= MAX_EXPECTED) return
    const [oldest] = this.#expected
    this.#expected.delete(oldest)
  }

  /** Watches until the signal aborts. It continues where the copy into the new container has ended. */
  async run(signal: AbortSignal): Promise<void> {
    const { journal, clock } = this.#options
    let positions = journal.state().ranges.forward
    let saved = positions
    try {
      for (;;) {
        positions = (await Promise.all(positions.map((position) => this.#read(position, signal)))).flat()
        await this.#checkAll(signal)
        const isMoved =
          positions.length !== saved.length || positions.some(({ latest }, index) => latest !== saved[index].latest)
        // the next process must find the changes of others again, so that it does not undo them
        if (isMoved && this.#unexpected.size === 0 && this.#suspects.size === 0) {
          await journal.append({ type: 'ranges', direction: 'forward', ranges: positions })
          saved = positions
        }
        await waitFor(POLL_MS, clock, signal)
      }
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  /** Reads one page. */
  async #read(position: RangePosition, signal: AbortSignal): Promise<readonly RangePosition[]> {
    const { range, latest } = position
    const answer = await this.#options.container.readChanges({ range, mode: 'latest', from: latest ?? 'now', signal })
    if (answer.kind === 'split') return answer.ranges.map((part) => ({ ...position, range: part }))
    for (const document of answer.documents) this.#see(document)
    return [{ ...position, latest: answer.position }]
  }

  #see(document: StoredDocument): void {
    const { etag, identity } = document
    const text = identityText(identity)
    const earlier = this.#suspects.get(text)
    if (earlier !== undefined && this.#options.authorsOf === undefined) this.#unexpected.add(earlier.etag)
    this.#suspects.delete(text)
    if (this.#expected.delete(etag)) return
    const { content, clock } = this.#options
    const suspect = { identity, etag, content: content.of(document), inChargeEtag: undefined, sinceMs: clock.now() }
    this.#suspects.set(text, suspect)
  }

  async #checkAll(signal: AbortSignal): Promise<void> {
    const suspects = [...this.#suspects]
    const open: [string, Suspect][] = []
    for (let first = 0; first < suspects.length; first += MAX_CHECKS) {
      const some = suspects.slice(first, first + MAX_CHECKS)
      const differ = await Promise.all(some.map(([text, suspect]) => this.#differs(text, suspect)))
      open.push(...some.filter((_, index) => differ[index]))
    }
    if (open.length === 0) return
    const asked = open.slice(0, MAX_ASKED)
    const etags = asked.map(([, { etag }]) => etag)
    const ofOthers = await this.#options.authorsOf?.(etags, signal)
    for (const [text, suspect] of asked) {
      if (this.#suspects.get(text) !== suspect) continue
      this.#suspects.delete(text)
      if (ofOthers?.has(suspect.etag) === true) continue
      this.#unexpected.add(suspect.etag)
      this.#places.add(text)
    }
  }

  /**
   * Whether the change is there, although the container in charge has another document, or none, and all changes before
   * it are copied: until then, a difference may be a change that is not copied yet.
   */
  async #differs(text: string, suspect: Suspect): Promise<boolean> {
    const { content, container, clock, readToEndMs } = this.#options
    const { isOwn, etag } = await content.compare(suspect.content)
    if (!isOwn) {
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
}

/** The old container for the copy back, whose answers tell the watch which changes are those of the move. */
export function watched(
  container: MoveContainer,
  expect: (place: Identity, etag: string | undefined) => void
): MoveContainer {
  return {
    ...container,
    write: async (write, fence) => {
      const answer = await container.write(write, fence)
      const { identity } = write.kind === 'delete' ? write : write.document
      if (answer.kind === 'done') expect(identity, answer.etag)
      return answer
    }
  }
}
