import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { readAnswer, unanswered } from './read-answer.ts'
import type { Answer, Request } from './transport.ts'

/** One request on its way through the pool, until it has its answer or is given up. */
export class PooledCall implements Dispatcher.DispatchHandler {
  readonly #request: Request
  readonly #finish: (answer: Answer, call: PooledCall) => void
  readonly #late: NodeJS.Timeout
  #controller: Dispatcher.DispatchController | undefined
  #isFinished = false
  #isSent = false
  #status = 0
  #headers: IncomingHttpHeaders = {}
  readonly #chunks: Buffer[] = []

  constructor(request: Request, timeoutMs: number, finish: (answer: Answer, call: PooledCall) => void) {
    this.#request = request
    this.#finish = finish
    this.#late = setTimeout(() => this.giveUp(`No answer in ${timeoutMs} ms.`), timeoutMs)
  }

  /** Waits no longer; the connection is not used again. */
  giveUp(reason: string): void {
    this.#settle({ kind: 'unanswered', reason, isSent: this.#isSent })
    this.#controller?.abort(new Error(reason))
  }

  /** There is a connection: the bytes leave when this returns. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    // a process can stand still between two lines of its code, for as long as it takes to lose what it would write
    if (!this.#isFinished && this.#request.maySend()) this.#isSent = true
    else this.giveUp('it was not sent any more')
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status
    this.#headers = headers
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#settle(readAnswer({ status: this.#status, headers: this.#headers, chunks: this.#chunks }, this.#request))
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(unanswered(error, this.#isSent))
  }

  #settle(answer: Answer): void {
    if (this.#isFinished) return
    this.#isFinished = true
    clearTimeout(this.#late)
    this.#finish(answer, this)
  }
}
