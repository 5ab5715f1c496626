import { errorOfAnswer } from '../client/cosmos-error.ts'
import { bodyText } from './batch-encoder.ts'
import type { PendingOperation } from './pending-operation.ts'
import { confirms } from './confirms.ts'
import { refused, rejected, toWritten, written } from './outcome.ts'
import { verdictOnOperation } from './verdict.ts'
import type { WriteCode } from './write-codes.ts'
import type { OperationAnswer } from '../client/transport.ts'
import type { AnswerHost } from './answer-host.ts'
import { hasFailed, tryAgain } from './attempts.ts'
import type { Lane } from './lane.ts'
import type { Remainder } from './remainder.ts'
import { unknownWait } from './throttle.ts'

/** Answers that an attempt's own forerunner can have caused. */
export const LEAVES_DOUBT: ReadonlySet<number> = new Set([404, 409, 412])

/** Deals with the answer for one operation among those of its batch. */
export class OperationHandler {
  readonly #host: AnswerHost

  constructor(host: AnswerHost) {
    this.#host = host
  }

  handle(lane: Lane, pending: PendingOperation, answer: OperationAnswer, rest: Remainder): void {
    if (pending.retry !== undefined && pending.isConfirming) return this.#handleConfirmation(lane, pending, answer, rest)
    const { statusCode, requestCharge } = answer
    if (statusCode < 300 && statusCode >= 200) {
      if (requestCharge !== undefined) this.#host.prices.learn(pending.type, pending.bytes, requestCharge)
      return this.#host.complete(pending, written(answer))
    }
    this.#handleOther(lane, pending, answer, rest)
  }

  // apart from the usual: a function with a function in it takes memory at each call, whether that is needed or not
  #handleOther(lane: Lane, pending: PendingOperation, answer: OperationAnswer, rest: Remainder): void {
    this.decide(lane, pending, answer, rest, (code) => this.#refuse(lane, pending, answer, code, rest))
  }

  /** Follows the verdict on an answer that is not plainly good; `refuse` is called where the operation will never be taken. */
  decide(lane: Lane, pending: PendingOperation, answer: OperationAnswer, rest: Remainder, refuse: (code: WriteCode) => void): void {
    const { statusCode, subStatusCode = 0 } = answer
    const verdict = verdictOnOperation(statusCode, subStatusCode)
    switch (verdict.kind) {
      case 'done':
        return this.#host.complete(pending, written(answer))
      case 'rejected':
        return refuse(verdict.code)
      case 'throttled':
        return this.#throttleOne(pending, answer, verdict.scope, rest)
      case 'moved':
        failed(rest, statusCode)
        rest.moved = verdict
        lane.counts.retried(String(statusCode))
        if (!hasFailed(this.#host, pending, `${statusCode}/${subStatusCode}`)) rest.again.push(pending)
        return
      case 'again':
        failed(rest, statusCode)
        lane.counts.retried(String(statusCode))
        return tryAgain(this.#host, pending, verdict.isAmbiguous, String(statusCode))
      case 'endpoint':
        failed(rest, statusCode)
        this.#host.refreshEndpoints()
        return tryAgain(this.#host, pending, false, String(statusCode))
      case 'missing':
        failed(rest, statusCode)
        rest.isMissing = true
        rest.again.push(pending)
        return
      case 'divide':
      case 'unauthorized':
      case 'fatal':
        return this.#host.stop(errorOfAnswer('writing', { status: statusCode, subStatus: subStatusCode }))
    }
  }

  #refuse(lane: Lane, pending: PendingOperation, answer: OperationAnswer, code: WriteCode, rest: Remainder): void {
    const outcome = refused(answer, code, pending.conditions.ignore)
    if (!pending.isAmbiguous || !LEAVES_DOUBT.has(answer.statusCode)) return this.#host.complete(pending, outcome)
    // its own first attempt may have been what makes this one fail
    if (pending.type === 'Delete' && answer.statusCode === 404) return this.#host.complete(pending, written(answer))
    const canConfirm = pending.type === 'Create' || pending.type === 'Replace'
    if (!canConfirm) {
      const isClear = pending.type === 'Delete' || answer.statusCode === 404
      return this.#host.complete(pending, isClear ? outcome : rejected('OUTCOME_UNKNOWN', { status: answer.statusCode }))
    }
    lane.counts.retried('confirm')
    pending.ensureRetryState().unconfirmed = outcome
    rest.again.push(pending)
  }

  #handleConfirmation(lane: Lane, pending: PendingOperation, answer: OperationAnswer, rest: Remainder): void {
    const { statusCode, eTag, requestCharge, resourceBody } = answer
    const doubt = pending.retry!.unconfirmed!
    if (statusCode !== 200) return this.decide(lane, pending, answer, rest, () => this.#host.complete(pending, doubt))
    const isOurs = confirms(bodyText(pending.body!), resourceBody)
    const applied = toWritten(200, requestCharge ?? 0, eTag)
    this.#host.complete(pending, isOurs ? applied : doubt)
  }

  #throttleOne(pending: PendingOperation, answer: OperationAnswer, scope: 'range' | 'endpoint' | 'key', rest: Remainder): void {
    const waitMs = answer.retryAfterMilliseconds ?? unknownWait(this.#host.random)
    rest.throttled++
    if (scope === 'key') return this.#host.delay(pending, waitMs)
    if (scope === 'endpoint') this.#host.pauseAll(waitMs)
    else rest.retryAfterMs = Math.max(rest.retryAfterMs, waitMs)
    rest.again.push(pending)
  }
}

function failed(rest: Remainder, statusCode: number): void {
  rest.failed++
  rest.failedWith = String(statusCode)
}
