import { type CosmosError, errorOfAnswer } from '../client/cosmos-error.ts'
import { rejected } from './outcome.ts'
import { verdictOnRequest } from './verdict.ts'
import type { WriteCode } from './write-codes.ts'
import type { Answer } from '../client/transport.ts'
import type { AnswerHost } from './answer-host.ts'
import { hasFailed, completeWhole } from './attempts.ts'
import { backoffMs, CREDENTIAL_BACKOFF, REQUEST_BACKOFF } from './backoff.ts'
import type { ContainerSearch } from './container-search.ts'
import type { Batch } from './dispatcher.ts'
import type { Lane } from './lane.ts'
import { reportBatch } from './batch-event.ts'
import { throttle, unknownWait } from './throttle.ts'

type Refused = Answer & { kind: 'refused' }

/** Deals with requests that were refused as a whole, or of which nobody knows what became. */
export class RefusalHandler {
  readonly #host: AnswerHost
  readonly #search: ContainerSearch
  /** How often signatures were renewed since the last request that was accepted. */
  #renewals = 0
  /** Nothing is sent until signatures are renewed. */
  #isRenewing = false

  constructor(host: AnswerHost, search: ContainerSearch) {
    this.#host = host
    this.#search = search
  }

  /** A request was taken: who asks is known, and the lane is alive. */
  answered(lane: Lane): void {
    if (this.#renewals > 0) {
      this.#renewals = 0
      this.#host.onAuthorized?.()
    }
    lane.failures = 0
  }

  handleUnanswered(batch: Batch, { reason, isSent, unauthorized }: Answer & { kind: 'unanswered' }, latencyMs: number): void {
    reportBatch(this.#host.onBatch, batch, { latencyMs, chargedRu: 0, throttledOperations: 0, result: reason })
    batch.lane.counts.retried('lost')
    if (unauthorized !== undefined && this.#host.onUnauthorized !== undefined) return this.#waitOrStop(batch, unauthorized)
    this.#failedAsWhole(batch, isSent, `no answer: ${reason}`)
  }

  handleRefused(batch: Batch, answer: Refused, latencyMs: number): void {
    const { lane, elements, payment } = batch
    const { status, subStatus, chargeRu } = answer
    const verdict = verdictOnRequest(status, subStatus)
    lane.counts.charged(chargeRu)
    lane.governor.budget.correct(this.#host.clock.now(), payment.ru - chargeRu)
    const throttledOperations = verdict.kind === 'throttled' ? elements.length : 0
    reportBatch(this.#host.onBatch, batch, { latencyMs, chargedRu: chargeRu, throttledOperations, result: String(status) })
    if (verdict.kind !== 'throttled') lane.counts.retried(String(status))
    switch (verdict.kind) {
      case 'throttled':
        return this.#throttled(batch, answer, verdict.scope === 'endpoint')
      case 'again':
        return this.#failedAsWhole(batch, verdict.isAmbiguous, String(status))
      case 'moved':
        this.#requeueFailed(batch, `${status}/${subStatus}`)
        return this.#host.moved(lane, verdict)
      case 'endpoint':
        this.#host.refreshEndpoints()
        return this.#failedAsWhole(batch, false, `${status}/${subStatus}`)
      case 'divide':
      case 'rejected':
        return this.#divide(batch, verdict.code, answer)
      case 'unauthorized':
        return this.#unauthorized(batch, answer)
      case 'missing':
        this.#search.look(lane)
        return this.#failedAsWhole(batch, false, String(status))
      case 'done':
      case 'fatal':
        return this.#host.stop(errorOfAnswer('writing', answer))
    }
  }

  #throttled({ lane, operations, elements }: Batch, answer: Refused, isEverywhere: boolean): void {
    const retryAfterMs = answer.retryAfterMs ?? unknownWait(this.#host.random)
    if (isEverywhere) this.#host.pauseAll(retryAfterMs)
    this.#host.requeue(lane, operations)
    throttle(this.#host, lane, elements.length, retryAfterMs)
  }

  /** Halves find out which operation the service refuses to read, without delaying the others behind it. */
  #divide({ lane, operations }: Batch, code: WriteCode, { status, subStatus, chargeRu }: Refused): void {
    if (operations.length === 1) return completeWhole(this.#host, operations[0], rejected(code, { status, subStatus, chargeRu }))
    const middle = Math.ceil(operations.length / 2)
    this.#host.resend(lane, operations.slice(0, middle))
    this.#host.resend(lane, operations.slice(middle))
  }

  #unauthorized(batch: Batch, answer: Refused): void {
    const error = errorOfAnswer('writing', answer)
    if (this.#host.onUnauthorized !== undefined) return this.#waitOrStop(batch, error)
    // requests that were sent with the old signature fail as well, and say nothing about the new one
    if (batch.sentMs >= this.#host.renewedMs) {
      if (this.#renewals > 0) return this.#host.stop(error)
      this.#renewals++
      this.#host.renewSignatures()
    }
    this.#host.requeue(batch.lane, batch.operations)
  }

  /** Waits where the owner of the credentials says so, and shows new ones after a pause. */
  #waitOrStop(batch: Batch, error: CosmosError): void {
    if (!this.#isRenewing && batch.sentMs >= this.#host.renewedMs) {
      if (!this.#host.onUnauthorized!(error)) return this.#host.stop(error)
      this.#renewLater()
    }
    this.#host.requeue(batch.lane, batch.operations)
  }

  /** Whoever owns the credentials has half of the pause to replace them. */
  #renewLater(): void {
    const { clock, random, pauseAll, renewSignatures } = this.#host
    const pauseMs = backoffMs(this.#renewals++, random, CREDENTIAL_BACKOFF)
    this.#isRenewing = true
    pauseAll(pauseMs)
    clock.schedule(pauseMs / 2, () => {
      this.#isRenewing = false
      renewSignatures()
    })
  }

  #failedAsWhole(batch: Batch, isAmbiguous: boolean, reason: string): void {
    const { lane } = batch
    lane.governor.pauseUntil(this.#host.clock.now() + backoffMs(lane.failures++, this.#host.random, REQUEST_BACKOFF))
    if (isAmbiguous) for (const pending of batch.operations) pending.ensureRetryState().isAmbiguous = true
    this.#requeueFailed(batch, reason)
  }

  #requeueFailed({ lane, operations }: Batch, reason: string): void {
    this.#host.requeue(
      lane,
      operations.filter((pending) => !hasFailed(this.#host, pending, reason))
    )
  }
}
