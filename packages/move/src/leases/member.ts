import { waitFor } from '@keystamp/core/internal'
import type { Direction } from '../journal/journal.ts'
import type { WrittenContents } from '../journal/written-contents.ts'
import type { WatchedChange } from '../phases/straggler-watch.ts'
import { HeldLease, type LeaseHolder } from './held-lease.ts'
import { LeaseLostError, unlessLost } from './lease-lost-error.ts'
import {
  createWorkerRecord,
  type LeaseDocument,
  MOVE_ID,
  type MoveRecord,
  type RangeLease,
  type RejectedRecord,
  type Stored,
  workerIdOf,
  type WorkerRecord
} from './lease-documents.ts'

export interface MemberOptions extends LeaseHolder {
  /** Host and process, for messages. */
  readonly host: string
  /** Contents that this process and the one before have written. Default: none is known. */
  readonly contents?: Pick<WrittenContents, 'has'> | undefined
  /** Called with an error that does not end the work. */
  readonly onError: (error: unknown) => void
}

/** A lease that is renewed until it is lost. */
export interface Renewable {
  readonly isLost: boolean
  renew(): Promise<void>
}

/** This process as one of the workers of a move: its record, what it has read of the others, and its leases. */
export class Member {
  readonly options: MemberOptions
  readonly written: WrittenEtags = new WrittenEtags()
  readonly #watch: LeaseWatch = new LeaseWatch()
  readonly #renewed: Set<Renewable> = new Set()
  #documents: ReadonlyMap<string, Stored> = new Map()
  #record: HeldLease<WorkerRecord> | undefined
  #joining: Promise<void> | undefined

  constructor(options: MemberOptions) {
    this.options = options
  }

  get name(): string {
    return this.options.name
  }

  /** All documents, as they were read last. */
  get documents(): ReadonlyMap<string, Stored> {
    return this.#documents
  }

  /** Whether the others know of this worker, so that it may take leases. */
  get isJoined(): boolean {
    return this.#record?.isLost === false
  }

  /** The record of the move, as it was read last. */
  get move(): Stored<MoveRecord> | undefined {
    const found = this.#documents.get(MOVE_ID)
    return found?.document.kind === 'move' ? (found as Stored<MoveRecord>) : undefined
  }

  /** Names of the workers that are alive, with this one. */
  get liveWorkers(): readonly string[] {
    return [this.name, ...this.otherWorkers.map(({ id }) => id.slice(WORKER_PREFIX))]
  }

  /** Records of the other workers that are alive. */
  get otherWorkers(): readonly WorkerRecord[] {
    const isLive = (worker: Stored<WorkerRecord>): boolean => this.isAlive(worker) && !worker.document.isEnded
    const live = this.#workers().filter(isLive)
    return live.map(({ document }) => document).filter(({ id }) => id !== workerIdOf(this.name))
  }

  /** Valid leases of the current ranges in a direction. */
  ranges(direction: Direction, generation: number): readonly Stored<RangeLease>[] {
    return this.#all<RangeLease>('range').filter(({ document }) => {
      if (document.direction !== direction || document.generation !== generation) return false
      if (document.children !== null || document.parent === null) return document.children === null
      const parent = this.#documents.get(document.parent)?.document
      return parent?.kind === 'range' && parent.children?.includes(document.id) === true
    })
  }

  rejected(): readonly Stored<RejectedRecord>[] {
    return this.#all('rejected')
  }

  /** Whether the owner of a document may still use its lease. */
  isAlive(stored: Stored): boolean {
    return this.unchangedMs(stored) < this.options.limits.leaseMs
  }

  /** Time for which a document was seen without a change. */
  unchangedMs({ document, etag }: Stored): number {
    return this.#watch.silentMs(document.id, etag, this.options.clock.now())
  }

  /** Hosts of other workers that may still write: they have not confirmed the gathering, and were not silent for long. */
  async unconfirmed(gathering: number): Promise<readonly string[]> {
    const { clock, limits, store } = this.options
    const silenceMs = limits.leaseMs + (limits.maxRequestAgeMs ?? limits.requestTimeoutMs)
    const open: string[] = []
    for (const worker of this.#workers()) {
      const { id, isEnded, acknowledged, host } = worker.document
      if (id === workerIdOf(this.name) || isEnded || acknowledged >= gathering) continue
      const isSilent = this.#watch.silentMs(id, worker.etag, clock.now()) >= silenceMs
      // a worker that is only frozen begins with a new tenure
      const ended = isSilent
        ? await store.replace({ ...worker.document, isEnded: true, tenure: worker.document.tenure + 1 }, worker.etag)
        : undefined
      if (ended === undefined) open.push(host)
    }
    return open
  }

  /** Reads all documents. */
  async refresh(): Promise<void> {
    this.#documents = await this.options.store.list()
    this.#watch.observe(this.#documents, this.options.clock.now())
  }

  /** Creates the record of this worker, or takes it again after the worker stood still. */
  join(): Promise<void> {
    if (this.isJoined) return Promise.resolve()
    // only one attempt at a time, because each attempt ends the lease of the one before
    return (this.#joining ??= this.#join().finally(() => {
      this.#joining = undefined
    }))
  }

  /** Confirms that this worker has held nothing, and had nothing in flight, since the gathering began. */
  async acknowledge(gathering: number): Promise<void> {
    const record = this.#record
    if (record === undefined || record.isLost || record.document.acknowledged >= gathering) return
    await unlessLost(record.update({ acknowledged: gathering }))
  }

  /** Answers the last question of the coordinator: which changes this worker has made. */
  async answer({ number, etags, digests = [] }: MoveRecord['asked']): Promise<void> {
    const record = this.#record
    if (record === undefined || record.isLost || record.document.answered.number >= number) return
    const { contents } = this.options
    const own = etags.filter((etag, each) => this.written.has(etag) || contents?.has(digests[each]) === true)
    await unlessLost(record.update({ answered: { number, own } }))
  }

  async leave(): Promise<void> {
    const record = this.#record
    if (record !== undefined && !record.isLost) await unlessLost(record.release({ isEnded: true }))
  }

  /** Renews a lease until it is lost. */
  keep(lease: Renewable): void {
    this.#renewed.add(lease)
  }

  /** Renews leases until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, limits } = this.options
    while (!signal.aborted) {
      for (const lease of this.#renewed) void this.#renew(lease)
      await this.#guard(this.#record === undefined || this.#record.isLost ? this.join() : this.#record.renew())
      await waitFor(limits.renewEveryMs, clock, signal).catch(() => {})
    }
  }

  async #join(): Promise<void> {
    const { name, host, store } = this.options
    const record = createWorkerRecord(name, host)
    const found = (await store.read(record.id)) as Stored<WorkerRecord> | undefined
    this.#record =
      found === undefined
        ? await HeldLease.create(this.options, record)
        : await HeldLease.take(this.options, found, { isEnded: false })
  }

  async #renew(lease: Renewable): Promise<void> {
    if (!lease.isLost) await this.#guard(lease.renew())
    if (lease.isLost) this.#renewed.delete(lease)
  }

  /** A lease that cannot be renewed ends by itself. */
  async #guard(work: Promise<void>): Promise<void> {
    try {
      await unlessLost(work)
    } catch (error) {
      this.options.onError(error)
    }
  }

  #workers(): readonly Stored<WorkerRecord>[] {
    return this.#all('worker')
  }

  #all<Document extends LeaseDocument>(kind: Document['kind']): readonly Stored<Document>[] {
    return [...this.#documents.values()].filter(({ document }) => document.kind === kind) as Stored<Document>[]
  }
}

const WORKER_PREFIX = workerIdOf('').length

/**
 * Observes for how long documents have not changed, by the clock of this process: the clocks of others are never
 * compared.
 */
class LeaseWatch {
  #seen: ReadonlyMap<string, { readonly etag: string; readonly sinceMs: number }> = new Map()

  /** `nowMs`: a moment after the answers that contained the documents. */
  observe(documents: ReadonlyMap<string, Stored>, nowMs: number): void {
    const before = this.#seen
    const observed = [...documents].map(([id, { etag }]) => {
      const seen = before.get(id)
      return [id, seen?.etag === etag ? seen : { etag, sinceMs: nowMs }] as const
    })
    this.#seen = new Map(observed)
  }

  /** Time for which a document has had this ETag; 0 if it was not seen with it. */
  silentMs(id: string, etag: string, nowMs: number): number {
    const seen = this.#seen.get(id)
    return seen?.etag === etag ? nowMs - seen.sinceMs : 0
  }
}

/** The ETags that this process has written: other processes ask for them. */
class WrittenEtags {
  readonly #etags: Set<string> = new Set()

  add(etag: string | undefined): void {
    if (etag === undefined) return
    this.#etags.add(etag)
    if (this.#etags.size <= MAX_REMEMBERED) return
    const [oldest] = this.#etags
    this.#etags.delete(oldest)
  }

  has(etag: string): boolean {
    return this.#etags.has(etag)
  }
}

const MAX_REMEMBERED = 1_000_000

/**
 * Asks all other workers that are alive which of some changes they have made. This worker has made those that it wrote
 * before it became the coordinator. Rejects if the lease is lost.
 */
export async function askForAuthors(
  changes: readonly WatchedChange[],
  { lease, member }: { readonly lease: HeldLease<MoveRecord>; readonly member: Member },
  signal: AbortSignal
): Promise<ReadonlySet<string>> {
  const { clock, limits } = member.options
  const number = lease.document.asked.number + 1
  const [etags, digests] = [changes.map(({ etag }) => etag), changes.map(({ digest }) => digest)]
  await lease.update({ asked: { number, etags, digests } })
  for (;;) {
    if (lease.isLost) throw new LeaseLostError(lease.document.id)
    const answers = member.otherWorkers.map(({ answered }) => answered)
    if (answers.every((answer) => answer.number >= number)) {
      await lease.update({ asked: { number, etags: [] } })
      return new Set([...etags.filter((etag) => member.written.has(etag)), ...answers.flatMap(({ own }) => own)])
    }
    await waitFor(limits.pollMs, clock, signal)
  }
}
