import type { AnswerHost } from './answer-host.ts'
import { backoffMs, REQUEST_BACKOFF } from './backoff.ts'
import type { Lane } from './lane.ts'

/** Looks for a container that the service says it does not know, more patiently each time. */
export class ContainerSearch {
  readonly #host: AnswerHost
  #times = 0

  constructor(host: AnswerHost) {
    this.#host = host
  }

  /** The service did not know it: nothing is sent to the lane for a while. */
  look(lane: Lane): void {
    const { clock, random } = this.#host
    lane.governor.pauseUntil(clock.now() + backoffMs(this.#times++, random, REQUEST_BACKOFF))
    this.#host.lookForContainer(lane, this.#times)
  }

  /** It is there. */
  found(): void {
    this.#times = 0
  }
}
