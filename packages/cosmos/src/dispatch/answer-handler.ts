import { MAX_BATCH_BYTES, MAX_OPERATIONS } from './batch-encoder.ts'
import { isFenced, type PendingOperation } from './pending-operation.ts'
import { refused, rejected, written } from './outcome.ts'
import type { Answer, OperationAnswer } from '../client/transport.ts'
import type { AnswerHost } from './answer-host.ts'
import { ContainerSearch } from './container-search.ts'
import type { Batch } from './dispatcher.ts'
import { LEAVES_DOUBT, OperationHandler } from './operation-handler.ts'
import { RefusalHandler } from './refusal-handler.ts'
import { createRemainder, type Remainder } from './remainder.ts'
import { reportBatch } from './batch-event.ts'
import { throttle } from './throttle.ts'

/** Deals with answers: each operation gets its outcome, or goes back to where it is sent from again. */
export class AnswerHandler {
  readonly #host: AnswerHost
  readonly #operations: OperationHandler
  readonly #refusals: RefusalHandler
  readonly #search: ContainerSearch

  constructor(host: AnswerHost) {
    this.#host = host
    this.#search = new ContainerSearch(host)
    this.#operations = new OperationHandler(host)
    this.#refusals = new RefusalHandler(host, this.#search)
  }

  handle(batch: Batch, answer: Answer): void {
    if (answer.kind === 'withheld') return this.#handleWithheld(batch)
    const latencyMs = this.#host.clock.now() - batch.sentMs
    batch.lane.counts.answered(latencyMs)
    if (answer.kind === 'answered') this.#handleAnswered(batch, answer.operations, latencyMs)
    else if (answer.kind === 'refused') this.#refusals.handleRefused(batch, answer, latencyMs)
    else this.#refusals.handleUnanswered(batch, answer, latencyMs)
  }

  /** Nothing was sent: what may not be sent any more is withdrawn, the others return to the head of their lane. No attempt counts. */
  #handleWithheld({ lane, operations, payment: { budget, ru, atMs } }: Batch): void {
    const host = this.#host
    budget.refund(atMs, host.clock.now(), ru)
    // Asked once: the callbacks of withdrawn operations may raise another fence, which the next request asks for.
    const fenced = operations.filter(isFenced)
    for (const pending of fenced) host.withdraw(pending)
    // After them, so that what was not withdrawn is at the very head.
    host.requeue(lane, fenced.length === 0 ? operations : operations.filter((pending) => !fenced.includes(pending)))
  }

  #handleAnswered(batch: Batch, answers: readonly OperationAnswer[], latencyMs: number): void {
    const { lane, operations } = batch
    const host = this.#host
    this.#refusals.answered(lane)
    const rest = createRemainder()
    for (const { requestCharge } of answers) rest.chargedRu += requestCharge ?? 0
    if (operations[0].group !== undefined) this.#handleGroup(lane, operations[0], answers, rest)
    else for (let index = 0; index < answers.length; index++) this.#operations.handle(lane, operations[index], answers[index], rest)
    lane.counts.charged(rest.chargedRu)
    lane.governor.budget.correct(host.clock.now(), batch.payment.ru - rest.chargedRu)
    reportBatch(host.onBatch, batch, {
      latencyMs,
      chargedRu: rest.chargedRu,
      throttledOperations: rest.throttled,
      result: resultOf(batch, rest)
    })
    host.requeue(lane, rest.again)
    this.#learn(batch, rest, latencyMs)
  }

  /** What the batch says of the range. */
  #learn(batch: Batch, rest: Remainder, latencyMs: number): void {
    const { lane } = batch
    if (rest.throttled > 0) throttle(this.#host, lane, rest.throttled, rest.retryAfterMs)
    else {
      lane.throttles = 0
      if (batch.isAtLimit) learnConcurrency(batch, latencyMs)
    }
    if (rest.isMissing) this.#search.look(lane)
    else this.#search.found()
    if (rest.moved !== undefined) this.#host.moved(lane, rest.moved)
    else lane.moves = 0
  }

  #handleGroup(lane: Batch['lane'], pending: PendingOperation, answers: readonly OperationAnswer[], rest: Remainder): void {
    const { parts } = pending.group!
    const culprit = answers.findIndex(({ statusCode }) => statusCode >= 300 && statusCode !== 424)
    if (culprit < 0) {
      for (const [index, part] of parts.entries()) this.#host.prices.learn(part.type, part.bytes, answers[index].requestCharge ?? 0)
      return this.#host.completeGroup(pending, answers.map(written))
    }
    this.#operations.decide(lane, pending, answers[culprit], rest, (code) => {
      const { statusCode } = answers[culprit]
      const isUnclear = pending.isAmbiguous && LEAVES_DOUBT.has(statusCode)
      const reason = isUnclear ? rejected('OUTCOME_UNKNOWN', { status: statusCode }) : refused(answers[culprit], code, [])
      const others = isUnclear ? reason : rejected('BATCH_FAILED', { status: 424 })
      this.#host.completeGroup(
        pending,
        answers.map((_, index) => (index === culprit ? reason : others))
      )
    })
  }
}

/** An answer that brought no operation forward reads as the failure that it is. */
function resultOf({ operations }: Batch, { failed, throttled, failedWith }: Remainder): string {
  return failed > 0 && failed + throttled >= operations.length ? failedWith : 'answered'
}

function learnConcurrency({ lane, elements, bytes }: Batch, latencyMs: number): void {
  const { concurrency } = lane.governor
  if (elements.length >= MAX_OPERATIONS || bytes >= MAX_BATCH_BYTES * ALMOST) concurrency.answeredWhole(latencyMs)
  // what it may spend holds it back: as many requests as that takes, however late they are answered
  else concurrency.increase()
}

const ALMOST = 0.9
