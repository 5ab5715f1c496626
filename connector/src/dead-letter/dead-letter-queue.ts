import { KeystampError } from '@keystamp/core'
import { type Backoff, backoffMs } from '@keystamp/core/internal'
import { type Clock, waitFor, withTimeout } from '../lifecycle/clock.ts'

interface DeadLetterQueueOptions<T> {
  /** Stores all of these copies, in this order, or throws: an UnreachableError is retried, any other error is final. */
  readonly store: (copies: readonly T[]) => Promise<void>
  readonly bytesOf: (copy: T) => number
  /** Destination of the copies, for messages: `the dead-letter topic "x"`. */
  readonly destination: string
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
}

/** Queue of copies. Waiting copies are stored together as a group; groups are stored one after the other. */
interface DeadLetterQueue<T> {
  /** Resolves when the copy is stored. */
  readonly add: (copy: T) => Promise<void>
  readonly waitingFor: string | undefined
  /** Waits a short time for the copies that are being stored, then rejects those that are not acknowledged. */
  readonly close: () => Promise<void>
}

interface Entry<T> {
  readonly copy: T
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export function createDeadLetterQueue<T>({
  store,
  bytesOf,
  destination,
  clock,
  random
}: DeadLetterQueueOptions<T>): DeadLetterQueue<T> {
  let waiting: Entry<T>[] = []
  let working: Promise<void> | undefined
  let storing: readonly Entry<T>[] = []
  let failure: string | undefined
  let sinceMs = 0
  const closing = new AbortController()

  function add(copy: T): Promise<void> {
    return new Promise((resolve, reject) => {
      if (closing.signal.aborted) return reject(closed(destination))
      waiting.push({ copy, resolve, reject })
      working ??= work()
    })
  }

  async function work(): Promise<void> {
    // copies that are added in the same turn are stored together
    await Promise.resolve()
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      await storeGroup(group)
    }
    working = undefined
    for (const { reject } of waiting.splice(0)) reject(closed(destination))
  }

  function takeGroup(): readonly Entry<T>[] {
    let bytes = 0
    let count = 0
    if (closing.signal.aborted) return []
    while (
      count < waiting.length &&
      count < MAX_COPIES &&
      (count === 0 || bytes + bytesOf(waiting[count].copy) <= MAX_BYTES)
    ) {
      bytes += bytesOf(waiting[count++].copy)
    }
    const group = waiting.slice(0, count)
    waiting = waiting.slice(count)
    return group
  }

  async function storeGroup(group: readonly Entry<T>[]): Promise<void> {
    storing = group
    const copies = group.map(({ copy }) => copy)
    for (let attempt = 0; ; attempt++) {
      sinceMs = clock.now()
      try {
        await store(copies)
        failure = undefined
        for (const { resolve } of group) resolve()
        return
      } catch (error) {
        if (!(error instanceof UnreachableError) || closing.signal.aborted) {
          failure = undefined
          for (const { reject } of group) reject(error instanceof UnreachableError ? closed(destination) : error)
          return
        }
        failure = error.message
        // closing the queue ends the wait: one more attempt follows, then the copies are rejected
        await waitFor(backoffMs(attempt, { ...BACKOFF, random }), clock, closing.signal).catch(() => undefined)
      }
    }
  }

  async function close(): Promise<void> {
    closing.abort()
    if (working !== undefined) await withTimeout(working, CLOSE_MS, clock)
    for (const { reject } of [...storing, ...waiting.splice(0)]) reject(closed(destination))
  }

  return {
    add,
    close,
    get waitingFor() {
      if (failure !== undefined) return `${destination}: ${failure}`
      const isSlow = working !== undefined && clock.now() - sinceMs > SLOW_MS
      return isSlow ? `${destination}, which has not answered yet` : undefined
    }
  }
}

const MAX_COPIES = 500
// below the batch limit of brokers; a larger copy is sent alone
const MAX_BYTES = 512 * 1024
const BACKOFF: Backoff = { firstMs: 100, maxMs: 10_000 }
const SLOW_MS = 1000
const CLOSE_MS = 5000

function closed(destination: string): KeystampError {
  return new KeystampError(
    'REJECTS_FAILED',
    `The sink ended before ${destination} had acknowledged this copy. The record is read again.`
  )
}

/**
 * A temporary failure: the destination cannot be reached now. The message gives the reason as the end of a sentence.
 */
export class UnreachableError extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.name = 'UnreachableError'
  }
}
