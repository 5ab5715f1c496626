import { UnreachableError } from './dead-letter-queue.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import type { SinkRejection } from './sink-codes.ts'

/** Destination for whole copies of rejected records, with the reason of each. */
export interface DeadLetterWriter {
  /**
   * Resolves when the copy is acknowledged. Retries while the destination cannot be reached; rejects if the destination
   * will never accept the copy.
   */
  readonly send: (record: SinkRecord, rejection: SinkRejection) => Promise<void>
  /**
   * Throws the reason why copies cannot be written. If retrying can help, it is an `UnreachableError` whose message is
   * a whole sentence.
   */
  readonly check: () => Promise<void>
  /** Why copies wait; undefined if no copy waits. */
  readonly waitingFor: string | undefined
  readonly close: () => Promise<void>
}

/** Check at the start of a sink. */
interface StartCheck {
  /** Throws failures that retrying cannot help; returns without a result when the sink has ended. */
  readonly run: () => Promise<void>
  readonly waitingFor: string | undefined
}

interface StartCheckOptions {
  readonly writer: Pick<DeadLetterWriter, 'check'> | undefined
  readonly clock: Pick<Clock, 'schedule'>
  readonly ended: Promise<unknown>
}

/** Retries while Kafka is not available yet: services may start in any order. */
export function createStartCheck({ writer, clock, ended }: StartCheckOptions): StartCheck {
  let waitingFor: string | undefined

  async function run(): Promise<void> {
    for (;;) {
      const failure = await checkOnce()
      if (failure === undefined) break
      waitingFor = failure.message
      if (await withTimeout(ended, RETRY_MS, clock)) break
    }
    waitingFor = undefined
  }

  async function checkOnce(): Promise<UnreachableError | undefined> {
    try {
      await writer?.check()
      return undefined
    } catch (error) {
      if (error instanceof UnreachableError) return error
      throw error
    }
  }

  return {
    run,
    get waitingFor() {
      return waitingFor
    }
  }
}

const RETRY_MS = 1000
