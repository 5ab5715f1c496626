import { UnreachableError } from './dead-letter-queue.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from './sink-codes.ts'

/** Where rejected records are copied whole, with the reason. */
export interface DeadLetterWriter {
  /** Resolves when the copy is acknowledged. Waits, and tries again, for as long as the place cannot be reached; rejects when it never will take it. */
  readonly send: (record: SinkRecord, rejection: SinkRejection) => Promise<void>
  /** Throws what stands in the way of writing there: `UnreachableError`, with a whole sentence, where that passes. */
  readonly check: () => Promise<void>
  /** Why copies wait, when they do. */
  readonly waitingFor: string | undefined
  readonly close: () => Promise<void>
}

/** The check at the start of a sink. */
interface StartCheck {
  /** Throws what does not pass; gives up when the sink has ended. */
  readonly run: () => Promise<void>
  readonly waitingFor: string | undefined
}

interface PatientCheckOptions {
  readonly sink: Pick<DeadLetterWriter, 'check'> | undefined
  readonly clock: Pick<Clock, 'schedule'>
  readonly ended: Promise<unknown>
}

/** Waits for a Kafka that is not there yet, as everything else does: which part of the world starts first is left to chance. */
export function createStartCheck({ sink, clock, ended }: PatientCheckOptions): StartCheck {
  let waitingFor: string | undefined

  async function run(): Promise<void> {
    for (;;) {
      const trouble = await ask()
      if (trouble === undefined) break
      waitingFor = trouble.message
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
