import { partitionHash } from '@keystamp/core'
import { waitFor } from '@keystamp/core/internal'
import type { RangeToken } from '@keystamp/cosmos'
import type { Freshness } from '../containers/move-container.ts'
import type { Identity } from '../documents/identity.ts'
import { removingMarkers } from '../markers/without-markers.ts'
import type { RangePosition } from '../journal/journal.ts'
import { beginCopy, type BeginOptions } from './begin-copy.ts'
import { CopyGate, GatePart } from './copy-gate.ts'
import { IdentityQueue } from './identity-queue.ts'
import { OpenPage } from './open-page.ts'
import type { CopyStatus, MoveCopy } from './move-copy.ts'
import { RangeCopy, type RangeCopyOptions } from './range-copy.ts'
import { ReadOrder } from './read-order.ts'
import type { TargetIndex } from './target-index.ts'

export interface CopierOptions
  extends BeginOptions, Pick<RangeCopyOptions, 'mapper' | 'clock' | 'onVersionsLost' | 'onImageMissing'> {
  readonly target: RangeCopyOptions['source']
  readonly index: TargetIndex | undefined
  /** The index of the other direction; default: none. */
  readonly otherIndex?: TargetIndex | undefined
  readonly random: () => number
  /** Hash of an identity of the source, 32 hexadecimal digits. */
  readonly hashOf: (source: Identity) => string
  readonly onRejected?: (source: Identity, code: string, message: string) => void
  readonly limits?: Partial<CopyLimits>
  /** The gate of several copies in this process. */
  readonly gate?: CopyGate
  /** Session token for the documents of a range that is copied elsewhere, by the hash of their key. */
  readonly tokenOf?: (hash: string) => string | undefined
  /** Whether deleted copies leave markers. Default: false. */
  readonly isFenced?: boolean | undefined
  /** Time for which the position stays before a document that finds its place in the target taken. Default: 0. */
  readonly holdMs?: number
}

export interface CopyLimits {
  /** Bytes of pages in memory, with 2,000 more for the objects of each change. */
  readonly maxBytes: number
  /** Requests for pages at the same time. */
  readonly maxRequests: number
  readonly maxItems: number
  /** Wait at the end of a feed. */
  readonly pollMs: number
  /** Interval at which positions are saved. */
  readonly saveEveryMs: number
}

export const DEFAULT_LIMITS: CopyLimits = {
  maxBytes: 8 * 2 ** 20,
  maxRequests: 4,
  maxItems: 500,
  pollMs: 200,
  saveEveryMs: 1000
}

/** Copies all ranges of a container into another one, and follows its changes until it is stopped. */
export class Copier implements MoveCopy {
  readonly #options: CopierOptions
  readonly #limits: CopyLimits
  readonly #queue: IdentityQueue
  readonly #gate: CopyGate
  readonly #part: GatePart
  readonly #order: ReadOrder = new ReadOrder()
  readonly #ended: AbortController = new AbortController()
  /** Current ranges by their lower end. */
  readonly #ranges: Map<string, RangeCopy> = new Map()
  #saved: ReadonlyMap<string, string> = new Map()
  /** Rejected documents of the journal, with later ones. */
  readonly #rejected: ReadonlyMap<string, string>
  #isStarted = false
  /** Documents that are being reconciled. */
  #reconciling = 0
  #whenReconciled: (() => void)[] = []

  constructor(given: CopierOptions) {
    const options = given.isFenced ? { ...given, source: removingMarkers(given.source) } : given
    this.#options = options
    this.#rejected = options.journal.state().rejected[options.direction]
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits }
    this.#gate = options.gate ?? new CopyGate(this.#limits)
    this.#part = new GatePart(this.#gate)
    this.#queue = new IdentityQueue({
      ...options,
      order: this.#order,
      sessionTokenOf: (identity) => this.#tokenOf(identity),
      onRejected: (identity, code, message) => this.#reject(identity, code, message),
      onFailure: (error) => this.#ended.abort(error)
    })
  }

  get status(): CopyStatus {
    const copies = [...this.#ranges.values()]
    const ranges = copies.map(({ position }) => position)
    return {
      ranges,
      isCopied: this.#isStarted && ranges.every(({ isCopied }) => isCopied),
      caughtUpMs: this.#isStarted ? Math.min(...copies.map(({ caughtUpMs }) => caughtUpMs)) : 0,
      readToEndMs: this.#isStarted
        ? Math.min(...copies.map(({ readToEndMs }) => readToEndMs))
        : Number.NEGATIVE_INFINITY,
      counts: this.#queue.counts,
      pausedFor: this.#gate.pausedFor
    }
  }

  /**
   * Copies and follows until the signal aborts; then waits for the copies in flight, saves the positions, and resolves.
   * Rejects if a container or the journal fails.
   */
  async run(signal: AbortSignal): Promise<void> {
    const stop = (): void => this.#ended.abort(STOPPED)
    if (signal.aborted) return
    signal.addEventListener('abort', stop, { once: true })
    // of ranges that wait at the gate, and of a comparison
    const wake = (): void => {
      this.#gate.wake()
      for (const resolve of this.#whenReconciled.splice(0)) resolve()
    }
    this.#ended.signal.addEventListener('abort', wake, { once: true })
    let running: readonly Promise<void>[] = []
    try {
      const positions = await this.#positions()
      for (const position of positions) this.#add(position)
      this.#isStarted = true
      running = [...this.#ranges.values()].map((range) => this.#runRange(range))
      await Promise.all([...running, this.#saveRegularly()])
    } catch (error) {
      this.#ended.abort(error)
      const { reason } = this.#ended.signal
      if (reason !== STOPPED) throw reason
      // an answer that has arrived is still copied
      await Promise.allSettled(running)
      await this.#queue.idle()
      await this.#save()
    } finally {
      signal.removeEventListener('abort', stop)
      await Promise.allSettled(running)
      this.#part.close()
    }
  }

  pause(reason: string): void {
    this.#gate.pause(reason)
  }

  resume(): void {
    this.#gate.resume()
  }

  /** Reads a document from the source again, and makes the target agree with it. */
  reconcile(source: Identity, places: readonly Identity[]): void {
    this.#reconciling++
    const page = new OpenPage(0, 'all', () => {
      this.#reconciling--
      if (this.#reconciling === 0) for (const resolve of this.#whenReconciled.splice(0)) resolve()
    })
    this.#queue.reconcile(source, places, page, true)
    page.settle()
  }

  /** Resolves when all documents were reconciled, or when the copy has ended. Others may have work all the time. */
  async reconciled(): Promise<void> {
    if (this.#reconciling === 0 || this.#ended.signal.aborted) return
    await new Promise<void>((resolve) => this.#whenReconciled.push(resolve))
  }

  /** Whether the target has every change that the session tokens stand for; false after a range was split. */
  reaches(tokens: readonly RangeToken[], freshness: Pick<Freshness, 'covers'>): boolean {
    const reached = [...this.#ranges.values()].map((copy) => {
      const token = tokens.find(({ range }) => range.min <= copy.range.min && copy.range.max <= range.max)
      return token !== undefined && copy.reaches(token.sessionToken, freshness)
    })
    return this.#isStarted && reached.every((is) => is)
  }

  /** Tries the documents again that found their place in the target taken. */
  retryRefused(which: 'all' | 'held' = 'all'): void {
    this.#queue.retryRefused(which)
  }

  /** Whether a document belongs to a range of this copy. */
  covers({ key }: Identity): boolean {
    const hash = partitionHash(key, this.#options.source.definition.partitionKey)
    return [...this.#ranges.values()].some(({ range }) => hash >= range.min && hash < range.max)
  }

  /** Resolves when no document has work. */
  idle(): Promise<void> {
    return this.#queue.idle()
  }

  /** The saved positions; for a new copy, those of its beginning. */
  async #positions(): Promise<readonly RangePosition[]> {
    const { journal, direction } = this.#options
    const saved = journal.state().ranges[direction]
    return saved.length > 0 ? saved : beginCopy(this.#options, this.#ended.signal)
  }

  #add(position: RangePosition): RangeCopy {
    const { source, mapper, clock, wallMs, onVersionsLost, onImageMissing } = this.#options
    const { maxItems, pollMs } = this.#limits
    const range = new RangeCopy(position, {
      source,
      mapper,
      queue: this.#queue,
      order: this.#order,
      gate: this.#part,
      clock,
      wallMs,
      pollMs,
      maxItems,
      signal: this.#ended.signal,
      onVersionsLost,
      onImageMissing
    })
    this.#ranges.set(position.range.min, range)
    return range
  }

  async #runRange(copy: RangeCopy): Promise<void> {
    try {
      const parts = await copy.run()
      const { position } = copy
      // the documents are counted once
      const positions = parts.map((range, part) => ({
        ...position,
        range,
        documents: part === 0 ? position.documents : 0
      }))
      this.#ranges.delete(copy.range.min)
      const children = positions.map((each) => this.#add(each))
      await this.#save()
      await Promise.all(children.map((child) => this.#runRange(child)))
    } catch (error) {
      this.#ended.abort(error)
      throw error
    }
  }

  async #saveRegularly(): Promise<void> {
    const { clock } = this.#options
    const { signal } = this.#ended
    try {
      for (;;) {
        await waitFor(this.#limits.saveEveryMs, clock, signal)
        await this.#save()
      }
    } catch (error) {
      this.#ended.abort(error)
      throw error
    }
  }

  /** Saves the positions that have changed. */
  async #save(): Promise<void> {
    const { journal, index, otherIndex, direction } = this.#options
    const positions = [...this.#ranges.values()].map(({ position }) => position)
    const texts = new Map(positions.map((position) => [position.range.min, JSON.stringify(position)]))
    const changed = positions.filter(({ range }) => this.#saved.get(range.min) !== texts.get(range.min))
    if (changed.length === 0) return
    // an entry of the index must not be younger than a position after its document
    await Promise.all([index?.sync(), otherIndex?.sync()])
    await journal.append({ type: 'ranges', direction, ranges: changed })
    this.#saved = texts
  }

  #tokenOf({ key }: Identity): string | undefined {
    const { source, tokenOf } = this.#options
    const hash = partitionHash(key, source.definition.partitionKey)
    for (const { range, sessionToken } of this.#ranges.values())
      if (hash >= range.min && hash < range.max) return sessionToken
    return tokenOf?.(hash)
  }

  #reject(identity: Identity, code: string | null, message: string): void {
    const { journal, direction, hashOf, onRejected } = this.#options
    if (code === null && this.#rejected.size === 0) return
    const document = hashOf(identity)
    if ((this.#rejected.get(document) ?? null) === code) return
    journal.append({ type: 'rejected', direction, document, code }).catch((error: unknown) => this.#ended.abort(error))
    if (code !== null) onRejected?.(identity, code, message)
  }
}

/** Reason of an end that the caller asked for. */
const STOPPED = new Error('The copy was stopped.')
