import type { ClientRequest } from 'node:http'
import { cutOff } from './cut-off.ts'

/**
 * The requests that are out, a few dozen. A Set would do, but each time that it makes itself anew it leaves a dead table behind, and the
 * collector keeps alive what that points to: requests, and their answers with all that these hold.
 */
export class OpenCalls {
  readonly #calls: ClientRequest[] = []

  add(call: ClientRequest): void {
    this.#calls.push(call)
  }

  /** Forgets a request; one that is not here any more is none to forget. */
  remove(call: ClientRequest): void {
    const at = this.#calls.indexOf(call)
    const last = this.#calls.length - 1
    if (at < 0) return
    this.#calls[at] = this.#calls[last]
    this.#calls.pop()
  }

  /** Ends them all. */
  destroy(error: Error): void {
    // each one that ends is removed from the list
    for (const call of [...this.#calls]) cutOff(call, error)
  }
}
