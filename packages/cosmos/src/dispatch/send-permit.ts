import type { Fence, PendingOperation } from './pending-operation.ts'
import type { SystemClock } from '@keystamp/core/internal'
import { type Answer, isOutcomeUnknown, type OperationAnswer } from '../client/transport.ts'

/**
 * A request that may have been applied after one of its partitions had moved, or that may be applied after its retry.
 */
export interface LateRequest {
  readonly rangeId: string
  /** The `x-ms-activity-id` of the request. */
  readonly activityId: string
  /**
   * `written`: the permission to send had already ended when the bytes were sent. `answered`: the bytes were sent in
   * time, but the permission had ended when the answer arrived. `unanswered`: the bytes were sent, and the writer no
   * longer waits for an answer. The network may still deliver the request, and Cosmos DB may apply it later, even after
   * its retry. Reported even if the permission is still valid, and even after the stage `written`. `unknown`: the
   * answer for the request or for some of its operations was 408 or 5xx. Cosmos DB may have applied them, and may apply
   * them later, even after their retry. Reported in the same cases as `unanswered`.
   */
  readonly stage: 'written' | 'answered' | 'unanswered' | 'unknown'
  /** Milliseconds from the last successful check of the permission until this report. */
  readonly lateMs: number
  /**
   * Fences of the operations whose partition has moved; for `unknown`, of the operations with an unknown outcome. All
   * fences of the request for `unanswered`, and if the process itself may not send and it is not known yet which
   * partitions have moved.
   */
  readonly fences: readonly Fence[]
}

export interface SendPermitOptions {
  readonly rangeId: string
  readonly operations: readonly PendingOperation[]
  readonly clock: Pick<SystemClock, 'now' | 'scheduleIdly'>
  readonly maySend: () => boolean
  readonly onLate: ((late: LateRequest) => void) | undefined
}

/**
 * Permission to send one request. It is checked directly before bytes are written, and again after they were sent. A
 * process that was suspended between these two checks cannot stop the request, but can report it.
 */
export class SendPermit {
  readonly #options: SendPermitOptions
  /** The fences of the operations, each listed once: they are few, and are checked several times. */
  readonly #fences: readonly Fence[]
  #grantedMs = Number.NEGATIVE_INFINITY
  #isReported = false

  constructor(options: SendPermitOptions) {
    this.#options = options
    this.#fences = fencesOf(options.operations)
  }

  readonly isGiven = (): boolean => {
    // read before the checks, so that the time of the checks counts, too
    const nowMs = this.#options.clock.now()
    if (!this.#options.maySend() || this.#fences.some(isLost)) return false
    this.#grantedMs = nowMs
    return true
  }

  readonly wasWritten = (activityId: string): void => this.#check('written', activityId)
  readonly wasAnswered = (activityId: string, answer: Answer): void => {
    if (answer.kind === 'unanswered') return this.#reportUnresolved('unanswered', activityId, this.#fences)
    const unknown = unknownOf(answer, this.#options.operations)
    if (unknown.length > 0) this.#reportUnresolved('unknown', activityId, fencesOf(unknown))
    if (unknown.length < this.#options.operations.length) this.#check('answered', activityId)
  }

  #reportUnresolved(stage: 'unanswered' | 'unknown', activityId: string, fences: readonly Fence[]): void {
    const { rangeId, clock, onLate } = this.#options
    onLate?.({ rangeId, activityId, stage, lateMs: clock.now() - this.#grantedMs, fences })
  }

  #check(stage: LateRequest['stage'], activityId: string): void {
    const { rangeId, clock, maySend, onLate } = this.#options
    const lateMs = clock.now() - this.#grantedMs
    if (lateMs < MIN_LATE_MS || this.#isReported || onLate === undefined) return
    const isOver = !maySend()
    const moved = this.#fences.filter(isLost)
    if (!isOver && moved.length === 0) return
    this.#isReported = true
    const report = (fences: readonly Fence[]): void => onLate({ rangeId, activityId, stage, lateMs, fences })
    if (stage === 'answered' && isOver) this.#reportWhenDecided(report, MAX_CHECKS)
    else report(isOver ? this.#fences : moved)
  }

  /**
   * Waits until it is known which partitions have moved: after a rebalance, all of them may still have the same owner.
   */
  #reportWhenDecided(report: (fences: readonly Fence[]) => void, checksLeft: number): void {
    const { clock, maySend } = this.#options
    const moved = this.#fences.filter(isLost)
    if (moved.length === this.#fences.length || checksLeft === 0) return report(this.#fences)
    if (!maySend()) return void clock.scheduleIdly(RECHECK_MS, () => this.#reportWhenDecided(report, checksLeft - 1))
    if (moved.length > 0) report(moved)
  }
}

/** A shorter delay is not reported, because a rebalance and the first write of a new owner take longer. */
const MIN_LATE_MS = 100
const RECHECK_MS = 100
/** One minute. Partitions that are still undecided then count as moved. */
const MAX_CHECKS = 600

function fencesOf(operations: readonly PendingOperation[], found: Fence[] = []): readonly Fence[] {
  for (const { fence, group } of operations) {
    if (fence !== undefined && !found.includes(fence)) found.push(fence)
    if (group !== undefined) fencesOf(group.parts, found)
  }
  return found
}

const NONE: readonly PendingOperation[] = []

/** Operations that Cosmos DB may apply after this answer. */
function unknownOf(answer: Answer, operations: readonly PendingOperation[]): readonly PendingOperation[] {
  if (answer.kind === 'refused') return isOutcomeUnknown(answer.status) ? operations : NONE
  if (answer.kind !== 'answered' || !answer.operations.some(isUnknown)) return NONE
  // an atomic batch is applied as a whole or not at all
  if (operations[0].group !== undefined) return operations
  return operations.filter((_, index) => isUnknown(answer.operations[index]))
}

function isUnknown({ statusCode }: OperationAnswer): boolean {
  return isOutcomeUnknown(statusCode)
}

function isLost(fence: Fence): boolean {
  return fence.isLost
}
