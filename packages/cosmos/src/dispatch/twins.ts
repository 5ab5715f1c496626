import type { ByteBudget } from './byte-budget.ts'
import { type Completion, notifyOutcome, type Requeue } from './completion.ts'
import type { Lane } from './lane.ts'
import type { Outcome, TwinEnd, TwinState, Written } from './outcome.ts'
import type { OnOutcome, PendingOperation } from './pending-operation.ts'
import type { RouteTable } from './route-table.ts'

/** Number of old twins, by their end. */
export type TwinCounts = Readonly<Record<TwinEnd, number>>

interface TwinsOptions {
  readonly completion: Completion
  readonly requeue: Requeue
  readonly table: RouteTable
  readonly byteBudget: ByteBudget | undefined
  readonly wake: (lane: Lane) => void
  /** Called for a twin whose upsert is written, and that stores a marker only if it is newer. */
  readonly enqueue: (twin: PendingOperation) => void
}

/**
 * Deletes old twins: documents of entities that are stored under another key now. A twin has its position in the order
 * of its document from its submission on, so neither an earlier nor a later write of this document is in between. It is
 * read at once, and deleted after its upsert is written, if it still has the ETag that was read.
 *
 * With `newest`, a twin is not read: after its upsert is written, a marker with the position of the upsert replaces it,
 * unless something newer is stored.
 */
export class Twins {
  readonly counts: Record<TwinEnd, number> = { deleted: 0, absent: 0, changed: 0, newer: 0 }
  readonly #options: TwinsOptions
  #isStopped = false

  constructor(options: TwinsOptions) {
    this.#options = options
  }

  /** Joins the outcomes of an upsert and of the delete of its old twin. Called before both are submitted. */
  join(upsert: PendingOperation, twin: PendingOperation): void {
    const { onOutcome } = upsert
    const state: TwinState = { upsert: 'open', isHeld: false }
    const retry = twin.ensureRetryState()
    retry.twin = state
    if (twin.newest === undefined) retry.unconfirmed = ABSENT
    let upserted: Outcome | Error | undefined
    let deleted: Outcome | Error | undefined
    const finish = (): void => {
      if (upserted !== undefined && deleted !== undefined) this.#finish(onOutcome, upserted, deleted)
    }
    upsert.onOutcome = (outcome) => {
      upserted = outcome
      state.upsert = !(outcome instanceof Error) && outcome.kind === 'written' ? 'written' : 'failed'
      if (isHeld(twin)) this.#continue(twin)
      else finish()
    }
    twin.onOutcome = (outcome) => {
      deleted = outcome
      finish()
    }
  }

  /** Whether a twin has to wait for its upsert before anything is sent; then it is enqueued later, or ended. */
  holds(twin: PendingOperation): boolean {
    const state = twin.retry!.twin!
    state.isHeld = state.upsert === 'open'
    if (state.upsert === 'failed') this.#options.completion.complete(twin, KEPT)
    return state.upsert !== 'written'
  }

  /** The twin exists: from now on, it is deleted only if it still has this ETag. */
  wasRead(twin: PendingOperation, etag: string): void {
    if (twin.state === 'closed') return
    const retry = twin.retry!
    const { bytes } = twin
    twin.setConditions({ ifMatch: etag, ignore: [404, 412], isRepeatable: true })
    this.#options.byteBudget?.grow(twin.lane!, twin.bytes - bytes)
    retry.unconfirmed = undefined
    // a read that was lost does not make the delete ambiguous
    retry.isAmbiguous = false
    retry.attempts = 0
    if (retry.twin!.upsert === 'open') twin.on('delay')
    else this.#continue(twin)
  }

  /** Continues no twins from now on. */
  stop(): void {
    this.#isStopped = true
  }

  #continue(twin: PendingOperation): void {
    if (this.#isStopped) return
    const { completion, requeue, table, wake, enqueue } = this.#options
    if (twin.retry!.twin!.upsert === 'failed') return completion.complete(twin, KEPT)
    if (twin.newest !== undefined) return enqueue(twin)
    const lane = table.laneOf(twin)
    requeue.requeue(lane, [twin])
    wake(lane)
  }

  #finish(onOutcome: OnOutcome, upserted: Outcome | Error, deleted: Outcome | Error): void {
    const whole = this.#wholeOf(upserted, deleted)
    this.#recount(upserted, -1)
    this.#recount(deleted, -1)
    this.#recount(whole, 1)
    notifyOutcome(onOutcome, whole)
  }

  #wholeOf(upserted: Outcome | Error, deleted: Outcome | Error): Outcome | Error {
    if (upserted instanceof Error || upserted.kind !== 'written') return upserted
    if (deleted instanceof Error) return deleted
    const chargeRu = upserted.chargeRu + deleted.chargeRu
    if (deleted.kind === 'rejected') return { ...deleted, message: `${NOT_DELETED} ${deleted.message}`, chargeRu }
    const twin = endOf(deleted)
    this.counts[twin]++
    return { ...upserted, chargeRu, twin }
  }

  /** The writer counts one outcome for an upsert and its twin. */
  #recount(outcome: Outcome | Error, by: number): void {
    if (!(outcome instanceof Error)) this.#options.completion.outcomes[outcome.kind] += by
  }
}

const ABSENT: Outcome = { kind: 'unchanged', status: 404, chargeRu: 0 }
/** The upsert was not applied, so the twin is the only document of the entity. */
const KEPT: Outcome = { kind: 'unchanged', status: 412, chargeRu: 0 }

const NOT_DELETED = 'The document is stored under its new key, but the one under its old key was not deleted.'

/** Whether the twin waits only for its upsert. */
function isHeld({ state, isConfirming, newest, retry }: PendingOperation): boolean {
  return newest === undefined ? state === 'delayed' && !isConfirming : retry!.twin!.isHeld && state === 'waiting'
}

function endOf(deleted: Exclude<Outcome, { kind: 'rejected' }>): NonNullable<Written['twin']> {
  if (deleted.kind === 'written' && deleted.isSuperseded) return 'newer'
  // a marker was created where nothing was stored
  if (deleted.kind === 'written') return deleted.status === 201 ? 'absent' : 'deleted'
  return deleted.status === 404 ? 'absent' : 'changed'
}
