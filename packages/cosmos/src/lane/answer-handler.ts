import { errorOfAnswer } from '../account/to-cosmos-error.ts'
import { bodyText } from '../batch/body.ts'
import type { Pending } from '../batch/pending.ts'
import { confirms } from '../classify/confirms.ts'
import type { Outcome } from '../classify/outcome.ts'
import { refused, rejected, written } from '../classify/to-outcome.ts'
import { type Verdict, verdictOnOperation, verdictOnRequest } from '../classify/verdict.ts'
import type { WriteCode } from '../classify/write-codes.ts'
import type { Answer, OperationAnswer } from '../transport/transport.ts'
import type { AnswerHost } from './answer-host.ts'
import { backoffMs, OPERATION_BACKOFF, REQUEST_BACKOFF } from './backoff.ts'
import type { Batch } from './dispatcher.ts'
import type { Lane } from './lane.ts'

/** What is to be done with those of a batch that got no outcome. */
interface Remainder {
  readonly again: Pending[]
  retryAfterMs: number
  throttled: number
  chargedRu: number
  moved: (Verdict & { kind: 'moved' }) | undefined
}

/** Deals with answers: each operation gets its outcome, or goes back to where it is sent from again. */
export class AnswerHandler {
  readonly #host: AnswerHost
  /** Signatures were renewed, and no answer came since. */
  #isRenewed = false
  #missing = 0

  constructor(host: AnswerHost) {
    this.#host = host
  }

  handle(batch: Batch, answer: Answer): void {
    const latencyMs = this.#host.clock.now() - batch.sentMs
    batch.lane.counts.answered(latencyMs)
    switch (answer.kind) {
      case 'answered':
        return this.#handleAnswered(batch, answer.operations, latencyMs)
      case 'refused':
        return this.#handleRefused(batch, answer, latencyMs)
      case 'unanswered':
        this.#report(batch, latencyMs, NOTHING, answer.reason)
        batch.lane.counts.retried('lost')
        return this.#failedAsWhole(batch, answer.isSent, `no answer: ${answer.reason}`)
    }
  }

  #handleAnswered(batch: Batch, answers: readonly OperationAnswer[], latencyMs: number): void {
    const { lane } = batch
    this.#isRenewed = false
    this.#missing = 0
    lane.failures = 0
    const rest: Remainder = { again: [], retryAfterMs: 0, throttled: 0, chargedRu: 0, moved: undefined }
    for (const { requestCharge } of answers) rest.chargedRu += requestCharge ?? 0
    if (batch.operations[0].group !== undefined) this.#handleGroup(batch, batch.operations[0], answers, rest)
    else for (let index = 0; index < answers.length; index++) this.#handleOne(lane, batch.operations[index], answers[index], rest)
    const nowMs = this.#host.clock.now()
    lane.counts.chargedRu += rest.chargedRu
    lane.governor.purse.correct(nowMs, batch.paidRu - rest.chargedRu)
    this.#report(batch, latencyMs, rest, 'answered')
    this.#host.giveBack(lane, rest.again)
    if (rest.throttled > 0) this.#throttle(lane, rest)
    else if (batch.isAtLimit) lane.governor.concurrency.increase()
    if (rest.moved !== undefined) this.#host.moved(lane, rest.moved)
    else lane.moves = 0
  }

  #handleOne(lane: Lane, pending: Pending, answer: OperationAnswer, rest: Remainder): void {
    if (pending.isConfirming) return this.#handleConfirmation(lane, pending, answer, rest)
    const { statusCode, requestCharge } = answer
    if (statusCode < 300 && statusCode >= 200) {
      if (requestCharge !== undefined) this.#host.prices.learn(pending.type, pending.bytes, requestCharge)
      return this.#host.settle(pending, written(answer))
    }
    this.#decide(lane, pending, answer, rest, (code) => this.#refuse(lane, pending, answer, code, rest))
  }

  #decide(lane: Lane, pending: Pending, answer: OperationAnswer, rest: Remainder, refuse: (code: WriteCode) => void): void {
    const { statusCode, subStatusCode = 0 } = answer
    const verdict = verdictOnOperation(statusCode, subStatusCode)
    switch (verdict.kind) {
      case 'done':
        return this.#host.settle(pending, written(answer))
      case 'rejected':
        return refuse(verdict.code)
      case 'throttled':
        return this.#throttleOne(pending, answer, verdict.scope, rest)
      case 'moved':
        rest.moved = verdict
        lane.counts.retried(String(statusCode))
        if (!this.#hasFailed(pending, `${statusCode}/${subStatusCode}`)) rest.again.push(pending)
        return
      case 'again':
        lane.counts.retried(String(statusCode))
        return this.#again(pending, verdict.isAmbiguous, String(statusCode))
      case 'endpoint':
        this.#host.refreshEndpoints()
        return this.#again(pending, false, String(statusCode))
      case 'missing':
        this.#lookForContainer(lane)
        rest.again.push(pending)
        return
      case 'divide':
      case 'unauthorized':
      case 'fatal':
        return this.#host.stop(errorOfAnswer('writing', { status: statusCode, subStatus: subStatusCode }))
    }
  }

  #refuse(lane: Lane, pending: Pending, answer: OperationAnswer, code: WriteCode, rest: Remainder): void {
    const outcome = refused(answer, code, pending.ignore)
    if (!pending.isAmbiguous || !LEAVES_DOUBT.has(answer.statusCode)) return this.#host.settle(pending, outcome)
    // its own first attempt may have been what makes this one fail
    if (pending.type === 'Delete' && answer.statusCode === 404) return this.#host.settle(pending, written(answer))
    const canConfirm = pending.type === 'Create' || pending.type === 'Replace'
    if (!canConfirm) {
      const isClear = pending.type === 'Delete' || answer.statusCode === 404
      return this.#host.settle(pending, isClear ? outcome : rejected('OUTCOME_UNKNOWN', { status: answer.statusCode }))
    }
    lane.counts.retried('confirm')
    pending.isConfirming = true
    pending.doubt = outcome
    rest.again.push(pending)
  }

  #handleConfirmation(lane: Lane, pending: Pending, answer: OperationAnswer, rest: Remainder): void {
    const { statusCode, eTag, requestCharge, resourceBody } = answer
    if (statusCode !== 200) return this.#decide(lane, pending, answer, rest, () => this.#host.settle(pending, pending.doubt!))
    const isOurs = confirms(bodyText(pending.body!), resourceBody)
    const applied: Outcome = { kind: 'written', status: 200, chargeRu: requestCharge ?? 0, etag: eTag, isSuperseded: false }
    this.#host.settle(pending, isOurs ? applied : pending.doubt!)
  }

  #handleGroup(batch: Batch, pending: Pending, answers: readonly OperationAnswer[], rest: Remainder): void {
    const { parts } = pending.group!
    const culprit = answers.findIndex(({ statusCode }) => statusCode >= 300 && statusCode !== 424)
    if (culprit < 0) {
      for (const [index, part] of parts.entries()) this.#host.prices.learn(part.type, part.bytes, answers[index].requestCharge ?? 0)
      return this.#host.settleGroup(pending, answers.map(written))
    }
    this.#decide(batch.lane, pending, answers[culprit], rest, (code) => {
      const { statusCode } = answers[culprit]
      const isUnclear = pending.isAmbiguous && LEAVES_DOUBT.has(statusCode)
      const reason = isUnclear ? rejected('OUTCOME_UNKNOWN', { status: statusCode }) : refused(answers[culprit], code, [])
      const others = isUnclear ? reason : rejected('BATCH_FAILED', { status: 424 })
      this.#host.settleGroup(
        pending,
        answers.map((_, index) => (index === culprit ? reason : others))
      )
    })
  }

  #throttleOne(pending: Pending, answer: OperationAnswer, scope: 'range' | 'endpoint' | 'key', rest: Remainder): void {
    const waitMs = answer.retryAfterMilliseconds ?? this.#unknownWait()
    rest.throttled++
    if (scope === 'key') return this.#host.delay(pending, waitMs)
    if (scope === 'endpoint') this.#host.pauseAll(waitMs)
    else rest.retryAfterMs = Math.max(rest.retryAfterMs, waitMs)
    rest.again.push(pending)
  }

  #throttle(lane: Lane, rest: Remainder): void {
    lane.counts.throttledBatches++
    lane.counts.throttledOperations += rest.throttled
    lane.governor.throttled(this.#host.clock.now(), rest.retryAfterMs)
  }

  #handleRefused(batch: Batch, answer: Answer & { kind: 'refused' }, latencyMs: number): void {
    const { lane, operations, elements, paidRu } = batch
    const { status, subStatus, chargeRu } = answer
    const verdict = verdictOnRequest(status, subStatus)
    lane.counts.chargedRu += chargeRu
    lane.governor.purse.correct(this.#host.clock.now(), paidRu - chargeRu)
    const throttled = verdict.kind === 'throttled' ? elements.length : 0
    this.#report(batch, latencyMs, { ...NOTHING, throttled, chargedRu: chargeRu }, String(status))
    if (verdict.kind !== 'throttled') lane.counts.retried(String(status))
    switch (verdict.kind) {
      case 'throttled': {
        const retryAfterMs = answer.retryAfterMs ?? this.#unknownWait()
        if (verdict.scope === 'endpoint') this.#host.pauseAll(retryAfterMs)
        this.#host.giveBack(lane, operations)
        return this.#throttle(lane, { ...NOTHING, retryAfterMs, throttled })
      }
      case 'again':
        return this.#failedAsWhole(batch, verdict.isAmbiguous, String(status))
      case 'moved':
        this.#giveBackFailed(batch, `${status}/${subStatus}`)
        return this.#host.moved(lane, verdict)
      case 'endpoint':
        this.#host.refreshEndpoints()
        return this.#failedAsWhole(batch, false, `${status}/${subStatus}`)
      case 'divide':
      case 'rejected':
        return this.#divide(batch, verdict.code, answer)
      case 'unauthorized':
        return this.#renewOrStop(batch, answer)
      case 'missing':
        this.#lookForContainer(lane)
        return this.#failedAsWhole(batch, false, String(status))
      case 'done':
      case 'fatal':
        return this.#host.stop(errorOfAnswer('writing', answer))
    }
  }

  /** Halves find out which operation the service refuses to read, without delaying the others behind it. */
  #divide({ lane, operations }: Batch, code: WriteCode, answer: Answer & { kind: 'refused' }): void {
    const [first] = operations
    if (operations.length > 1) {
      const middle = Math.ceil(operations.length / 2)
      this.#host.resend(lane, operations.slice(0, middle))
      this.#host.resend(lane, operations.slice(middle))
      return
    }
    const { status, subStatus, chargeRu } = answer
    const outcome = rejected(code, { status, subStatus, chargeRu })
    if (first.group === undefined) this.#host.settle(first, outcome)
    else
      this.#host.settleGroup(
        first,
        first.group.parts.map(() => outcome)
      )
  }

  #renewOrStop(batch: Batch, answer: Answer & { kind: 'refused' }): void {
    // what was still out with the old signature fails as well, and says nothing of the new one
    if (batch.sentMs >= this.#host.renewedMs) {
      if (this.#isRenewed) return this.#host.stop(errorOfAnswer('writing', answer))
      this.#isRenewed = true
      this.#host.renewSignatures()
    }
    this.#host.giveBack(batch.lane, batch.operations)
  }

  #lookForContainer(lane: Lane): void {
    this.#missing++
    this.#host.lookForContainer(lane, this.#missing)
  }

  #failedAsWhole(batch: Batch, isAmbiguous: boolean, reason: string): void {
    const { lane } = batch
    lane.governor.pauseUntil(this.#host.clock.now() + backoffMs(lane.failures++, this.#host.random, REQUEST_BACKOFF))
    for (const pending of batch.operations) if (isAmbiguous) pending.isAmbiguous = true
    this.#giveBackFailed(batch, reason)
  }

  #giveBackFailed({ lane, operations }: Batch, reason: string): void {
    this.#host.giveBack(
      lane,
      operations.filter((pending) => !this.#hasFailed(pending, reason))
    )
  }

  #again(pending: Pending, isAmbiguous: boolean, reason: string): void {
    if (isAmbiguous) pending.isAmbiguous = true
    if (this.#hasFailed(pending, reason)) return
    this.#host.delay(pending, backoffMs(pending.attempts, this.#host.random, OPERATION_BACKOFF))
  }

  /** Counts a failed attempt; true when it was the last one, and the operation has been dealt with. */
  #hasFailed(pending: Pending, reason: string): boolean {
    if (pending.isAmbiguous && !pending.isRepeatable) {
      const unknown = rejected('OUTCOME_UNKNOWN')
      if (pending.group === undefined) this.#host.settle(pending, unknown)
      else
        this.#host.settleGroup(
          pending,
          pending.group.parts.map(() => unknown)
        )
      return true
    }
    const nowMs = this.#host.clock.now()
    if (pending.attempts++ === 0) pending.firstFailureMs = nowMs
    if (nowMs - pending.firstFailureMs < this.#host.retryForMs) return false
    this.#host.giveUp(pending, reason)
    return true
  }

  #unknownWait(): number {
    return 20 + this.#host.random() * 80
  }

  #report(batch: Batch, latencyMs: number, { chargedRu, throttled }: Remainder, result: string): void {
    const { lane, elements, bytes, paidRu, operations } = batch
    this.#host.onBatch?.({
      rangeId: lane.range.id,
      operations: elements.length,
      bytes,
      isAtomic: operations[0].group !== undefined,
      latencyMs,
      chargedRu,
      expectedRu: paidRu,
      throttledOperations: throttled,
      result
    })
  }
}

const NOTHING: Remainder = { again: [], retryAfterMs: 0, throttled: 0, chargedRu: 0, moved: undefined }

/** Answers that an attempt's own forerunner can have caused. */
const LEAVES_DOUBT: ReadonlySet<number> = new Set([404, 409, 412])
