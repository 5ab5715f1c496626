import { UnreachableError } from './dead-letter-queue.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import type { SinkRejection } from './sink-codes.ts'

/** Destination for whole copies of rejected records, with the reason of each. */
export interface DeadLetterWriter {
  /**
   * Resolves when the copy is acknowledged. Retries while the destination cannot be reached; rejects when it will never
   * accept the copy.
   */
  readonly send: (record: SinkRecord, rejection: SinkRejection) => Promise<void>
  /**
   * Throws the reason why copies cannot be written; an `UnreachableError` with a whole sentence where retrying can
   * help.
   */
  readonly check: () => Promise<void>
  /** Why copies wait; undefined where none does. */
  readonly waitingFor: string | undefined
  readonly close: () => Promise<void>
}

/** Check at the start of a sink. */
interface StartCheck {
  /** Throws failures that do not pass; gives up when the sink has ended. */
  readonly run: () => Promise<void>
  readonly waitingFor: string | undefined
}

interface PatientCheckOptions {
  readonly sink: Pick<DeadLetterWriter, 'check'> | undefined
  readonly clock: Pick<Clock, 'schedule'>
  readonly ended: Promise<unknown>
}

/** Retries while Kafka is not available yet: services may start in any order. */
export function createStartCheck({ sink, clock, ended }: PatientCheckOptions): StartCheck {
  let waitingFor: string | undefined

  async function run(): Promise<void> {
    for (;;) {
      const failure = await ask()
      if (failure === undefined) break
      waitingFor = failure.message
      if (await withTimeout(ended, AGAIN_MS, clock)) break
    }
    waitingFor = undefined
  }

  async function ask(): Promise<UnreachableError | undefined> {
    try {
      await sink?.check()
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

const AGAIN_MS = 1000
