import { setTimeout } from 'node:timers/promises'
import { createWriter, type Outcome, type Writer } from '@keystamp/cosmos'
import type { Candidate } from '@keystamp/planner'
import type { Documents } from './kept-records.ts'
import type { LocalContainer } from './local-container.ts'

/**
 * Maximum number of operations in flight. When all of them wait for the busiest range, no other range gets operations,
 * as in a sink. With more of them, a measurement would be too short to show that a key is slightly uneven.
 */
export const IN_FLIGHT = 400

/** More RU/s than any container here has, so that only the emulator limits the writes. */
const SHARE_RU = 1_000_000

/** Counts of the writes during the measurement. */
export interface WriteCounts {
  /** RU of the accepted writes, without the RU of refused writes. */
  readonly acceptedRu: number
  readonly accepted: number
  /** Number of writes that were rejected. */
  readonly rejected: number
  /** Number of writes that were accepted since the start of the writer. */
  readonly acceptedInAll: number
  /** Mean time from a request to its answer. */
  readonly requestMs: number
  /** Seconds of the clock, in seconds since 1970. */
  readonly firstSecond: number
  readonly endSecond: number
}

export interface WriteOptions {
  readonly candidate: Candidate
  readonly documents: Documents
  /** Numbers of records that would fill the queue after some time. The measurement begins with them in the queue. */
  readonly first: readonly number[]
  readonly warmUpSeconds: number
  readonly seconds: number
  readonly signal: AbortSignal
  /** Called each second with the seconds until the end of the measurement. */
  readonly onSecond: (left: number) => void
}

/** Writes documents as fast as the container accepts them, and counts the writes after the warm-up. */
export async function measureWrites(container: LocalContainer, options: WriteOptions): Promise<WriteCounts> {
  const { candidate, warmUpSeconds, seconds, signal, onSecond } = options
  const writer = await createWriter({
    ...container.address,
    ...(candidate.plan === null ? {} : { plan: candidate.plan }),
    share: SHARE_RU,
    metadataBy: 'direct',
    maxBytes: Number.POSITIVE_INFINITY
  })
  const flow = new WriteFlow(writer, options.documents)
  try {
    flow.fill()
    // the RU budget starts again with each second of the clock, so a measurement of whole seconds has whole budgets
    const firstSecond = Math.ceil(Date.now() / 1000) + warmUpSeconds
    const endSecond = firstSecond + seconds
    await waitUntil(firstSecond - 1, endSecond, options, flow)
    options.documents.insert(options.first)
    await waitUntil(firstSecond, endSecond, options, flow)
    const before = { ...flow.counts }
    const requestsBefore = requestsOf(writer)
    await waitUntil(endSecond, endSecond, { signal, onSecond }, flow)
    const { acceptedRu, accepted, rejected } = flow.counts
    const requests = requestsOf(writer)
    return {
      acceptedRu: acceptedRu - before.acceptedRu,
      accepted: accepted - before.accepted,
      rejected: rejected - before.rejected,
      acceptedInAll: accepted,
      requestMs: (requests.ms - requestsBefore.ms) / Math.max(1, requests.count - requestsBefore.count),
      firstSecond,
      endSecond
    }
  } finally {
    flow.end()
    await writer.close(0)
  }
}

function requestsOf(writer: Writer): { readonly count: number; readonly ms: number } {
  const { batches, ranges } = writer.stats()
  return { count: batches, ms: ranges.reduce((sum, { latencySumMs }) => sum + latencySumMs, 0) }
}

async function waitUntil(
  second: number,
  endSecond: number,
  { signal, onSecond }: Pick<WriteOptions, 'signal' | 'onSecond'>,
  flow: WriteFlow
): Promise<void> {
  for (let leftMs = second * 1000 - Date.now(); leftMs > 0; leftMs = second * 1000 - Date.now()) {
    onSecond(endSecond - Math.floor(Date.now() / 1000))
    await setTimeout(Math.min(leftMs, 1000), undefined, { signal })
    if (flow.failure !== undefined) throw flow.failure
  }
}

/** Keeps a fixed number of operations in flight. */
class WriteFlow {
  readonly counts = { acceptedRu: 0, accepted: 0, rejected: 0 }
  failure: Error | undefined
  readonly #writer: Writer
  readonly #documents: Documents
  #inFlight = 0
  #isFilling = false
  #hasEnded = false

  constructor(writer: Writer, documents: Documents) {
    this.#writer = writer
    this.#documents = documents
  }

  fill(): void {
    // a rejected document has its outcome inside `submit`: without this flag, `fill` would call itself recursively
    if (this.#isFilling) return
    this.#isFilling = true
    for (let sent = 0; this.#inFlight < IN_FLIGHT && !this.#hasEnded; sent++) {
      if (sent === MAX_AT_ONCE) {
        setImmediate(() => this.fill())
        break
      }
      this.#inFlight++
      this.#writer.submit({ kind: 'create', record: this.#documents.next() }, (outcome) => this.#take(outcome))
    }
    this.#isFilling = false
  }

  end(): void {
    this.#hasEnded = true
  }

  #take(outcome: Outcome | Error): void {
    this.#inFlight--
    if (outcome instanceof Error) {
      if (!this.#hasEnded) this.failure ??= outcome
      this.#hasEnded = true
      return
    }
    if (outcome.kind === 'written') {
      this.counts.accepted++
      this.counts.acceptedRu += outcome.chargeRu
    } else this.counts.rejected++
    this.fill()
  }
}

/** Maximum number of operations in one call. Otherwise, `fill` would never return if every record is rejected. */
const MAX_AT_ONCE = 2 * IN_FLIGHT
