import { type Clock, waitFor } from '@keystamp/core/internal'
import type { MoveContainer } from '../containers/move-container.ts'
import { type Identity, identityText } from '../documents/identity.ts'
import type { Journal, RangePosition } from '../journal/journal.ts'

export interface StragglerWatchOptions {
  /** The container that is not in charge any more. */
  readonly container: MoveContainer
  readonly journal: Journal
  readonly clock: Clock
}

const POLL_MS = 1000
/** Answers that are remembered until their changes are seen. */
const MAX_EXPECTED = 1_000_000

/**
 * Reads the feed of the old container after a switch, and counts the changes that the move did not make: an application
 * still writes there. A change of the move whose answer was lost is counted, too, if no later one replaces it.
 */
export class StragglerWatch {
  readonly #options: StragglerWatchOptions
  readonly #expected: Set<string> = new Set()
  /** Changes that were seen before their answer. */
  readonly #unexpected: Set<string> = new Set()
  /** Places that others have written, and the move not since. */
  readonly #places: Set<string> = new Set()

  constructor(options: StragglerWatchOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#unexpected.size
  }

  /**
   * Whether others have written a document, so that a comparison must not decide about it. After a restart, this is so
   * for the last writes of the process before, too: their answers are not known.
   */
  isForeign(place: Identity): boolean {
    return this.#places.has(identityText(place))
  }

  /** The move has made the change with this ETag; a delete has none. */
  expect(place: Identity, etag: string | undefined): void {
    this.#places.delete(identityText(place))
    if (etag === undefined || this.#unexpected.delete(etag)) return
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
        const isMoved =
          positions.length !== saved.length || positions.some(({ latest }, index) => latest !== saved[index].latest)
        // the next process must find the changes of others again, so that it does not undo them
        if (isMoved && this.#unexpected.size === 0) {
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
    for (const { etag, identity } of answer.documents) {
      if (this.#expected.delete(etag)) continue
      this.#unexpected.add(etag)
      this.#places.add(identityText(identity))
    }
    return [{ ...position, latest: answer.position }]
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
