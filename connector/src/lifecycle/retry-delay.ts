import { type Clock, waitFor } from './clock.ts'

/**
 * Delay until a request to Kafka is sent again: the usual one, or one that doubles while the credentials are refused. Accounts are locked
 * where a wrong password is shown too often.
 */
export class RetryDelay {
  readonly #usualMs: number
  #refusals = 0

  constructor(usualMs: number) {
    this.#usualMs = usualMs
  }

  /** Milliseconds until the next attempt. `isRefused` tells whether the last one failed because of its credentials. */
  next(isRefused: boolean): number {
    if (!isRefused) {
      this.#refusals = 0
      return this.#usualMs
    }
    return Math.min(FIRST_REFUSED_MS * 2 ** this.#refusals++, MAX_REFUSED_MS)
  }
}

/** Longest delay while credentials are refused, in milliseconds. */
export const MAX_REFUSED_MS = 15_000
const FIRST_REFUSED_MS = 200

/** Waits in short steps, and ends soon after the wait is needed no more. */
export async function waitWhile(isNeeded: () => boolean, ms: number, clock: Pick<Clock, 'schedule'>): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await waitFor(Math.min(leftMs, STEP_MS), clock)
    if (!isNeeded()) return
  }
}

const STEP_MS = 200
