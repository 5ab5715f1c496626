import type { SinkSettings } from '../config/settings.ts'
import { defaultDependencies, type SinkDependencies } from '../dependencies.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { Decoder } from '../decode/decoder.ts'
import { recordBytes, type SinkRecord } from '../kafka/consumer-port.ts'
import { authWaits } from '../lifecycle/auth-grace.ts'
import { type Wait, Waits } from '../lifecycle/waits.ts'
import type { Log } from '../log.ts'
import type { Answer } from '../write/target.ts'
import { createTargets, type Targets } from '../write/targets.ts'
import { countIn, type FoundDeadLetter, readAgain, type ReplayCode } from './find-dead-letters.ts'
import type { ReplayJournal } from './replay-journal.ts'

export interface ReplayResult {
  /** Records that are stored now, or were stored already. */
  readonly stored: number
  /** Records that were not stored, because the stored document is newer or stays. */
  readonly kept: number
  /** Records that change nothing, such as ignored tombstones. */
  readonly ignored: number
  /** Records that were rejected again, by code, with the first message. */
  readonly rejected: ReadonlyMap<string, number>
  readonly messages: ReadonlyMap<string, string>
  /** Records whose marker has expired meanwhile. */
  readonly refused: ReadonlyMap<ReplayCode, number>
  /** Records without an outcome: the signal was aborted. */
  readonly open: number
}

interface ReplayRunOptions {
  readonly settings: SinkSettings
  readonly journal: ReplayJournal
  readonly log: Log
  readonly signal: AbortSignal
  /** Replaces dependencies, for tests. */
  readonly changes?: Partial<SinkDependencies> | undefined
}

/**
 * Writes dead letters with the decoder, the mapper and the writer of a sink, and marks each outcome. It is also the
 * fence of its operations: after a failure or an interruption, they are not sent any more.
 */
export class ReplayRun {
  readonly #options: ReplayRunOptions
  readonly #decoder: Decoder
  readonly #targets: Targets
  readonly #waits: Waits
  readonly #isExpired: (record: SinkRecord) => boolean
  readonly #counts = { written: 0, unchanged: 0, ignored: 0 }
  readonly #rejected: Map<string, number> = new Map()
  readonly #messages: Map<string, string> = new Map()
  readonly #refused: Map<ReplayCode, number> = new Map()
  #failure: Error | undefined
  /** Aborted by a failure or an interruption. */
  readonly #ending: AbortController = new AbortController()
  #done = 0
  /** Bytes of the records in flight. */
  #bytes = 0
  #wake: () => void = () => {}

  constructor(options: ReplayRunOptions) {
    const { settings, log, changes } = options
    this.#options = options
    const dependencies = { ...defaultDependencies(settings, log), ...changes }
    const { clock, auth } = dependencies
    this.#decoder = dependencies.createDecoder()
    this.#isExpired = createExpiry(settings)
    const fail = (error: Error): void => this.#fail(error)
    this.#targets = createTargets({
      ...settings,
      clock,
      auth,
      // a late request changes nothing that is newer, as the other requests
      openTarget: (container) =>
        dependencies.openTarget(
          container,
          () => true,
          fail,
          () => {},
          'source'
        )
    })
    const sources = (): readonly Wait[] => [...this.#targets.waits, ...authWaits(auth), ...this.#registryWaits()]
    this.#waits = new Waits({ clock, log, sources })
  }

  /** Replays all dead letters in this order. Throws if a service refuses, or the journal cannot be written. */
  async run(found: readonly FoundDeadLetter[], onProgress?: (done: number) => void): Promise<ReplayResult> {
    const { signal } = this.#options
    const end = (): void => this.#end()
    const timer = setInterval(() => {
      onProgress?.(this.#done)
      // a killed process replays at most the dead letters of a second again
      this.#sync()
    }, EVERY_MS)
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    this.#waits.begin()
    try {
      for (const letter of found) {
        if (this.isLost) break
        await this.#work(letter)
      }
      await this.#untilBelow(0)
    } catch (error) {
      this.#fail(error as Error)
    } finally {
      this.#waits.stop()
      clearInterval(timer)
      signal.removeEventListener('abort', end)
      await this.#targets.close(CLOSE_MS)
      this.#decoder.close()
      // after a failure, too: a second run then skips the records that are stored
      this.#sync()
    }
    if (this.#failure !== undefined) throw this.#failure
    return this.#result(found.length)
  }

  /** Decodes, maps and submits one record, as a partition of a sink does. */
  async #work(letter: FoundDeadLetter): Promise<void> {
    const record = readAgain(letter)
    if (this.#isExpired(record)) {
      this.#done++
      return countIn(this.#refused, 'MARKER_EXPIRED')
    }
    const { topic } = record
    const ending = this.#ending.signal
    // both wait for as long as a service does not answer
    const isOpen = this.#targets.isOpen(topic)
    const target = isOpen ? this.#targets.of(topic) : await untilAborted(this.#targets.open(topic), ending)
    const answer = this.#decoder.decode(record)
    const decoded = answer instanceof Promise ? await untilAborted(answer, ending) : answer
    if (target === undefined || decoded === undefined) return
    const mapped = decoded.ok ? target.map(record, decoded) : decoded
    if (mapped === 'ignore') return this.#pass(letter, 'ignored')
    if (!('kind' in mapped)) return this.#reject(mapped)
    const bytes = recordBytes(record)
    this.#bytes += bytes
    target.submit(mapped, this, (outcome) => this.#answered(letter, bytes, outcome))
    const { maxBytes } = this.#options.settings
    if (this.#bytes > maxBytes) await this.#untilBelow(maxBytes)
  }

  #answered(letter: FoundDeadLetter, bytes: number, answer: Answer): void {
    this.#bytes -= bytes
    // operations that are withdrawn after an interruption have an error, too
    if (answer instanceof Error) {
      if (!this.#options.signal.aborted) this.#fail(answer)
    } else if (answer.kind === 'rejected') this.#reject(answer)
    else this.#pass(letter, answer.kind)
    this.#wake()
  }

  #pass({ mark, name }: FoundDeadLetter, how: 'written' | 'unchanged' | 'ignored'): void {
    this.#counts[how]++
    this.#done++
    try {
      this.#options.journal.add(mark, name)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #reject({ code, message }: Pick<SinkRejection, 'code' | 'message'>): void {
    this.#done++
    countIn(this.#rejected, code)
    if (!this.#messages.has(code)) this.#messages.set(code, message)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#end()
  }

  #end(): void {
    this.#ending.abort()
    this.#wake()
  }

  #sync(): void {
    try {
      this.#options.journal.sync()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  /** Waits until fewer bytes are in flight; ends early after a failure or an interruption. */
  async #untilBelow(limit: number): Promise<void> {
    while (this.#bytes > limit && !this.isLost) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  get isLost(): boolean {
    return this.#ending.signal.aborted
  }

  #registryWaits(): readonly Wait[] {
    const { waitingFor } = this.#decoder
    return waitingFor === undefined ? [] : [{ reason: 'registry', detail: waitingFor }]
  }

  #result(all: number): ReplayResult {
    const { written, unchanged, ignored } = this.#counts
    const targets = [...this.#targets.all()]
    const older = targets.reduce((sum, target) => sum + (target.stats().newest?.older ?? 0), 0)
    return {
      stored: written - older,
      kept: unchanged + older,
      ignored,
      rejected: this.#rejected,
      messages: this.#messages,
      refused: this.#refused,
      open: all - this.#done
    }
  }
}

const EVERY_MS = 1000
/** Time for the answers of requests that were sent before a failure or an interruption. */
const CLOSE_MS = 5000

/** Time between the check and the last attempt of a write. */
const EXPIRY_MARGIN_MS = 600_000

/**
 * Whether the marker of a later delete may have expired. The marker is written after the record was created, so it
 * exists at least until the timestamp of the record plus its time to live.
 */
export function createExpiry({
  write: { newerBy }
}: Pick<SinkSettings, 'write'>): (record: Pick<SinkRecord, 'timestamp'>) => boolean {
  const { markerTtl = -1 } = newerBy ?? {}
  if (markerTtl < 0) return () => false
  const ttlMs = markerTtl * 1000
  const keptMs = ttlMs - Math.min(EXPIRY_MARGIN_MS, ttlMs / 10)
  return ({ timestamp }) => Number(timestamp) < Date.now() - keptMs
}

/** Resolves with undefined if the signal is aborted first. */
async function untilAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  let end: (() => void) | undefined
  const aborted = new Promise<undefined>((resolve) => {
    end = () => resolve(undefined)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  return Promise.race([result, aborted]).finally(() => signal.removeEventListener('abort', end!))
}
