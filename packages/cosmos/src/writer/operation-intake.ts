import { KeystampError } from '@keystamp/core'
import type { Clock } from '@keystamp/core/internal'
import { CosmosError } from '../client/cosmos-error.ts'
import { MAX_DOCUMENT_BYTES, MAX_OPERATIONS } from '../dispatch/batch-encoder.ts'
import { notifyOutcome } from '../dispatch/completion.ts'
import { type Outcome, type Rejected, rejected, type Written } from '../dispatch/outcome.ts'
import { type Fence, type LaneUsage, type OnOutcome, PendingOperation } from '../dispatch/pending-operation.ts'
import type { Router } from '../dispatch/router.ts'
import { prepareOldDocument } from './old-document.ts'
import { type DocumentOperation, type Operation, type UpsertOptions, findOperationError } from './operation.ts'
import { type Preparation, prepare, prepareGroup } from './prepare.ts'
import type { RejectionWatch } from './rejection-watch.ts'

/** Accepts operations until it is closed. */
export interface OperationIntake {
  readonly write: (operation: Operation) => Promise<Outcome>
  readonly upsert: (record: object, options?: UpsertOptions) => Promise<Written>
  readonly submit: (operation: Operation, onOutcome: OnOutcome, fence?: Fence) => void
  readonly writeAtomic: (operations: readonly Operation[], fence?: Fence) => Promise<readonly Outcome[]>
  readonly hasRoom: () => boolean
  readonly room: () => Promise<void>
  readonly close: (clock: Clock, deadlineMs: number, end: () => Promise<void>) => Promise<void>
}

/** Prepares operations and submits them to the router. */
export function createOperationIntake(
  router: Router,
  preparation: Preparation,
  rejections: RejectionWatch
): OperationIntake {
  let last: LaneUsage | undefined
  let closing: Promise<void> | undefined
  let ending: Error | undefined

  function write(operation: Operation): Promise<Outcome> {
    return new Promise((resolve, reject) => submit(operation, settling(resolve, reject, rejections.watch)))
  }

  function upsert(record: object, options: UpsertOptions = {}): Promise<Written> {
    const outcome = new Promise<Outcome>((resolve, reject) => {
      const source = record instanceof Uint8Array ? { bytes: record } : { record }
      submit({ ...options, kind: 'upsert', ...source }, settling(resolve, reject, unwatched))
    })
    return writtenOf(outcome)
  }

  function submit(operation: Operation, onOutcome: OnOutcome, fence?: Fence): void {
    if (typeof onOutcome !== 'function') throw new KeystampError('OPTION_INVALID', NO_CALLBACK)
    const refused = trySubmit(operation, onOutcome, fence)
    if (refused === undefined) return
    if (!(refused instanceof Error)) router.countRejected(1)
    notifyOutcome(onOutcome, refused)
  }

  function trySubmit(
    operation: Operation,
    onOutcome: OnOutcome,
    fence: Fence | undefined
  ): Rejected | Error | undefined {
    try {
      return submitPrepared(operation, onOutcome, fence)
    } catch (error) {
      // for example a record with a getter that throws
      return error as Error
    }
  }

  function submitPrepared(
    operation: Operation,
    onOutcome: OnOutcome,
    fence: Fence | undefined
  ): Rejected | Error | undefined {
    if (isClosed()) return closedError()
    const prepared = prepare(preparation, operation, onOutcome)
    if (!(prepared instanceof PendingOperation)) return prepared
    prepared.fence = fence
    if ('before' in operation && operation.before !== undefined) return submitWithTwin(prepared, operation)
    last = prepared.group === undefined ? router.submit(prepared) : router.submitGroup(prepared)
    return undefined
  }

  function submitWithTwin(pending: PendingOperation, operation: DocumentOperation): Rejected | undefined {
    const twin = prepareOldDocument(preparation, operation, pending)
    if (twin !== undefined && !(twin instanceof PendingOperation)) return twin
    if (twin !== undefined) twin.fence = pending.fence
    last = twin === undefined ? router.submit(pending) : router.submitWithTwin(pending, twin)
    return undefined
  }

  async function writeAtomic(operations: readonly Operation[], fence?: Fence): Promise<readonly Outcome[]> {
    for (const [index, operation] of operations.entries()) {
      const mistake = findOperationError(operation)
      if (mistake !== undefined)
        throw new KeystampError('OPERATION_INVALID', `Operation ${index} of the atomic batch: ${mistake}`)
    }
    return rejections.watchAll(await submitAtomic(operations, fence))
  }

  function submitAtomic(operations: readonly Operation[], fence: Fence | undefined): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      const refuse = (outcomes: readonly Outcome[]): void => {
        router.countRejected(outcomes.length)
        resolve(outcomes)
      }
      if (isClosed()) return reject(closedError())
      if (operations.length === 0) return resolve([])
      const tooMany =
        operations.length > MAX_OPERATIONS
          ? rejected('OPERATION_INVALID', {}, 'An atomic batch has at most 100 operations.')
          : undefined
      if (tooMany !== undefined) return refuse(operations.map(() => tooMany))
      const prepared = prepareGroup(preparation, operations, resolve, reject)
      if (!(prepared instanceof PendingOperation))
        return refuse(operations.map((_, index) => (index === prepared.index ? prepared.reason : FAILED)))
      if (prepared.bytes > MAX_DOCUMENT_BYTES) return refuse(operations.map(() => rejected('DOCUMENT_TOO_LARGE')))
      prepared.fence = fence
      last = router.submitGroup(prepared)
    })
  }

  function hasRoom(): boolean {
    return (
      last === undefined || isClosed() || (router.leaving === undefined && router.byteBudget?.hasRoom(last) !== false)
    )
  }

  async function room(): Promise<void> {
    while (router.leaving !== undefined) await router.leaving
    if (!hasRoom()) await router.byteBudget?.waitFor(last!)
  }

  function close(clock: Clock, deadlineMs: number, end: () => Promise<void>): Promise<void> {
    closing ??= closeOnce(clock, deadlineMs).then(end)
    return closing
  }

  async function closeOnce(clock: Clock, deadlineMs: number): Promise<void> {
    let cancel: (() => void) | undefined
    const late = new Promise<void>((resolve) => {
      cancel = clock.schedule(deadlineMs, resolve)
    })
    await Promise.race([router.flush(), late])
    cancel?.()
    const because = router.throttleWatch.current.map(
      ({ explanation }) => ` Cosmos DB throttles writes: ${explanation}.`
    )
    ending = new CosmosError(
      'WRITER_CLOSED',
      `The writer was closed before this write had its outcome; it may have been applied.${because[0] ?? ''}`,
      {
        retriable: true
      }
    )
    router.close(ending)
  }

  function isClosed(): boolean {
    return closing !== undefined || router.stoppedBy !== undefined
  }

  function closedError(): Error {
    // `ending` says that a write may have been applied, which is wrong for an operation that was never sent
    const cause = router.stoppedBy === ending ? undefined : router.stoppedBy
    return new CosmosError(
      'WRITER_CLOSED',
      cause === undefined || closing !== undefined
        ? 'The writer is closed: this write was not sent. Create another writer.'
        : `The writer has stopped: ${cause.message}`,
      { cause }
    )
  }

  return { write, upsert, submit, writeAtomic, hasRoom, room, close }
}

/** For `upsert`, which throws a rejected outcome. */
function unwatched(outcome: Outcome): Outcome {
  return outcome
}

// The next two functions are not inside `write` and `upsert`. So neither a callback nor the frame of an async function
// keeps the record of the caller in memory until the outcome.

/** Callback that settles a promise. It rejects for an invalid operation, which is an error of the program. */
function settling(
  resolve: (outcome: Outcome) => void,
  reject: (error: Error) => void,
  mapRejected: (outcome: Outcome) => Outcome
): OnOutcome {
  return (outcome) => {
    if (outcome instanceof Error) reject(outcome)
    else if (outcome.kind !== 'rejected') resolve(outcome)
    else if (outcome.code === 'OPERATION_INVALID') reject(new KeystampError('OPERATION_INVALID', outcome.message))
    else resolve(mapRejected(outcome))
  }
}

async function writtenOf(promise: Promise<Outcome>): Promise<Written> {
  const outcome = await promise
  if (outcome.kind === 'rejected') throw new RejectedError(outcome)
  return outcome as Written
}

const NO_CALLBACK =
  '`submit` needs a callback for the outcome as its second argument; `write` returns a promise instead.'

const FAILED = rejected('BATCH_FAILED')

/** Thrown by `upsert` for a record that is not stored. */
export class RejectedError extends KeystampError {
  /** Code of the outcome. */
  declare readonly code: Rejected['code']
  readonly outcome: Rejected

  constructor(outcome: Rejected) {
    super('RECORD_REJECTED', outcome.message)
    this.name = 'RejectedError'
    Object.assign(this, { code: outcome.code })
    this.outcome = outcome
  }
}
