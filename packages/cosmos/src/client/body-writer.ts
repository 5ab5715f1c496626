import type { ClientRequest } from 'node:http'
import type { Answer, Request } from './transport.ts'

/**
 * Writes the body of one request, unless its permission to send has ended. Holds back the last byte of a large body until the operating
 * system has taken the others: without it Cosmos DB applies nothing, and one byte leaves sooner than all that has to be encrypted.
 */
export class BodyWriter {
  /** The last byte was written: Cosmos DB may apply the request. */
  hasLeft = false
  readonly #call: ClientRequest
  readonly #request: Request
  readonly #activityId: string
  readonly #onWithheld: () => void
  #isEnded = false

  constructor(call: ClientRequest, request: Request, activityId: string, onWithheld: () => void) {
    this.#call = call
    this.#request = request
    this.#activityId = activityId
    this.#onWithheld = onWithheld
  }

  /** Called when the connection accepts bytes. */
  begin(): void {
    const { body } = this.#request
    if (!this.#request.maySend()) return this.#onWithheld()
    if (body.length < MIN_DIVIDED_BYTES) return this.#writeLast(body)
    // the last byte must not wait until the others are acknowledged
    this.#call.setNoDelay(true)
    this.#call.write(body.subarray(0, -1), (error) => {
      if (this.#isEnded || error) return
      if (this.#request.maySend()) this.#writeLast(body.subarray(-1))
      else this.#onWithheld()
    })
  }

  /** Called with the answer, or when none is awaited any more; `mayBeApplied` where Cosmos DB may have applied the request, or will. */
  end(answer: Answer, mayBeApplied: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    // a connection with half a request is useless
    if (!this.hasLeft) this.#call.destroy()
    else if (mayBeApplied) this.#request.wasAnswered?.(this.#activityId, answer)
  }

  #writeLast(bytes: Uint8Array): void {
    this.hasLeft = true
    this.#call.once('finish', this.#observe)
    this.#call.end(bytes)
    this.#observe()
  }

  // An arrow function, since it is the listener as well. After the answer, operations may have another body and another fence.
  readonly #observe = (): void => {
    if (!this.#isEnded) this.#request.wasWritten?.(this.#activityId)
  }
}

// The operating system takes less than this at once, and encrypting it takes little time.
const MIN_DIVIDED_BYTES = 16 * 1024
