import type { Fence, PendingOperation } from './pending-operation.ts'
import type { SystemClock } from '@keystamp/core/internal'
import { type Answer, isOutcomeUnknown, type OperationAnswer } from '../client/transport.ts'

/** A request that may have been applied after a partition of it had moved, or that may be applied after its retry. */
export interface LateRequest {
  readonly rangeId: string
  /** The `x-ms-activity-id` of the request. */
  readonly activityId: string
  /**
   * `written`: the permission to send had ended when the bytes had left.
   * `answered`: the bytes had left in time; the permission had ended when the answer arrived.
   * `unanswered`: the bytes had left, and no answer is awaited any more. The network may still deliver the request, and
   * Cosmos DB may apply it later, also after its retry. Reported whether or not the permission has ended, also after
   * the stage `written`. `unknown`: the answer for the request, or for operations in it, was 408 or 5xx. Cosmos DB may
   * have applied them, and may apply them later, also after their retry. Reported as `unanswered` is.
   */
  readonly stage: 'written' | 'answered' | 'unanswered' | 'unknown'
  /** Milliseconds from the last check that gave the permission until this was noticed. */
  readonly lateMs: number
  /**
   * Fences of the operations whose partition has moved; for `unknown`, of the operations with an unknown outcome. All
   * fences for `unanswered`, and where the process itself may not send and it is not known yet which partitions have
   * moved.
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
 * Permission to send one request. It is checked directly before bytes are written, and again when they have left: a
 * process that was suspended in between cannot stop the request, but it can report it.
 */
export class SendPermit {
  readonly #options: SendPermitOptions
  /** Each fence of the operations once: there are few, and they are checked several times. */
  readonly #fences: readonly Fence[]
  #grantedMs = Number.NEGATIVE_INFINITY
  #isTold = false

  constructor(options: SendPermitOptions) {
    this.#options = options
    this.#fences = fencesOf(options.operations)
  }

  readonly isGiven = (): boolean => {
    // before the checks, so that their own time counts
    const nowMs = this.#options.clock.now()
    if (!this.#options.maySend() || this.#fences.some(isLost)) return false
    this.#grantedMs = nowMs
    return true
  }

  readonly wasWritten = (activityId: string): void => this.#look('written', activityId)
  readonly wasAnswered = (activityId: string, answer: Answer): void => {
    if (answer.kind === 'unanswered') return this.#tellUnresolved('unanswered', activityId, this.#fences)
    const unknown = unknownOf(answer, this.#options.operations)
    if (unknown.length > 0) this.#tellUnresolved('unknown', activityId, fencesOf(unknown))
    if (unknown.length < this.#options.operations.length) this.#look('answered', activityId)
  }

  #tellUnresolved(stage: 'unanswered' | 'unknown', activityId: string, fences: readonly Fence[]): void {
    const { rangeId, clock, onLate } = this.#options
    onLate?.({ rangeId, activityId, stage, lateMs: clock.now() - this.#grantedMs, fences })
  }

  #look(stage: LateRequest['stage'], activityId: string): void {
    const { rangeId, clock, maySend, onLate } = this.#options
    const lateMs = clock.now() - this.#grantedMs
    if (lateMs < MIN_LATE_MS || this.#isTold || onLate === undefined) return
    const isOver = !maySend()
    const moved = this.#fences.filter(isLost)
    if (!isOver && moved.length === 0) return
    this.#isTold = true
    const notifyOutcome = (fences: readonly Fence[]): void => onLate({ rangeId, activityId, stage, lateMs, fences })
    if (stage === 'answered' && isOver) this.#tellOnceDecided(notifyOutcome, MAX_LOOKS)
    else notifyOutcome(isOver ? this.#fences : moved)
  }

  /** A rebalance may leave all partitions where they are: waits until it is known which of them have moved. */
  #tellOnceDecided(notifyOutcome: (fences: readonly Fence[]) => void, looks: number): void {
    const { clock, maySend } = this.#options
    const moved = this.#fences.filter(isLost)
    if (moved.length === this.#fences.length || looks === 0) return notifyOutcome(this.#fences)
    if (!maySend()) return void clock.scheduleIdly(LOOK_AGAIN_MS, () => this.#tellOnceDecided(notifyOutcome, looks - 1))
    if (moved.length > 0) notifyOutcome(moved)
  }
}

/** A rebalance and the first write of a new owner take longer than this. */
const MIN_LATE_MS = 100
const LOOK_AGAIN_MS = 100
/** One minute: partitions that are undecided by then count as moved. */
const MAX_LOOKS = 600

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
  // all parts of an atomic batch are applied, or none
  if (operations[0].group !== undefined) return operations
  return operations.filter((_, index) => isUnknown(answer.operations[index]))
}

function isUnknown({ statusCode }: OperationAnswer): boolean {
  return isOutcomeUnknown(statusCode)
}

function isLost(fence: Fence): boolean {
  return fence.isLost
}
