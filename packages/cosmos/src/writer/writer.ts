import type { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import type { Fence } from '../batch/pending.ts'
import type { Outcome, Written } from '../classify/outcome.ts'
import type { BatchEvent } from '../lane/batch-event.ts'
import type { LateRequest } from '../lane/send-permit.ts'
import type { Operation, UpsertOptions } from './operation.ts'
import type { WriterStats } from './stats.ts'
import type { WritableOptions } from './writable.ts'

/** Writes into one container; made once and used for as long as there is something to write. */
export interface Writer {
  /**
   * Resolves with what became of the operation. Operations on one document are applied in the order of the calls.
   * A record that is rejected is an outcome, too, and is not stored: check `outcome.kind`, or use `upsert`.
   * Throws when the work stops (no permission, no container, no answer for `retryForMs`, or closed), and OPERATION_INVALID for what is no
   * operation, such as a bare record.
   */
  readonly write: (operation: Operation) => Promise<Outcome>
  /** Stores one record, an object or JSON bytes. Throws a RejectedError, with the code of the outcome, when the record is rejected. */
  readonly upsert: (record: object, options?: UpsertOptions) => Promise<Written>
  /**
   * The same without a promise for each operation, for whoever writes very many: `onOutcome` is called exactly once, with what became of
   * the operation or with the error that stopped the work; at once where the operation cannot be sent. Throws only where `onOutcome` is no function.
   * What was not sent when its fence goes up is not sent any more: the error then has the code WRITE_FENCED.
   */
  readonly submit: (operation: Operation, onOutcome: (outcome: Outcome | Error) => void, fence?: Fence) => void
  /** Up to 100 operations on one key, applied all or none: one outcome each. Throws OPERATION_INVALID where one is no operation. */
  readonly writeAtomic: (operations: readonly Operation[], fence?: Fence) => Promise<readonly Outcome[]>
  /** Uses only this part of its share from now on, above 0 and up to 1: processes that divide their work divide the budget with it. */
  readonly usePart: (part: number) => void
  /** False when the last operation found no room: who goes on without waiting for `room` grows without bound. */
  readonly hasRoom: () => boolean
  /** Resolves when there is room for another operation like the last. */
  readonly room: () => Promise<void>
  /** Resolves when everything written so far has its outcome. */
  readonly flush: () => Promise<void>
  /** Takes nothing more, waits for what is open, and gives up at the deadline: what has no outcome then rejects. Default: 30,000 ms. */
  readonly close: (deadlineMs?: number) => Promise<void>
  readonly stats: () => WriterStats
  /** A stream that writes objects, or lines of JSON as they are. */
  readonly writable: (options?: WritableOptions) => Writable
  readonly events: EventEmitter<WriterEvents>
  /** What works, but not as somebody may expect: of the plan, of the container, and of the budget. */
  readonly warnings: readonly string[]
}

/**
 * `batchAnswered` for each request; `lateRequest` for each that may have been applied after its permission to send had ended, and for each
 * without an answer or with 408 or 5xx as the answer, which may be applied after its retry; `stopped` once, when the work cannot go on.
 */
export interface WriterEvents {
  readonly batchAnswered: [BatchEvent]
  readonly lateRequest: [LateRequest]
  readonly stopped: [Error]
}
