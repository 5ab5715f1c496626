import type { Clock } from '../lifecycle/clock.ts'
import { inTime } from '../lifecycle/in-time.ts'
import type { RejectSink } from './reject-sink.ts'
import { Unreachable } from './unreachable.ts'

/** The check at the start of a sink. */
export interface PatientCheck {
  /** Throws what does not pass; gives up when the sink has ended. */
  readonly run: () => Promise<void>
  readonly waitingFor: string | undefined
}

export interface PatientCheckOptions {
  readonly sink: Pick<RejectSink, 'check'> | undefined
  readonly clock: Pick<Clock, 'schedule'>
  readonly ended: Promise<unknown>
}

/** Waits for a Kafka that is not there yet, as everything else does: which part of the world starts first is left to chance. */
export function createPatientCheck({ sink, clock, ended }: PatientCheckOptions): PatientCheck {
  let waitingFor: string | undefined

  async function run(): Promise<void> {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- asked again
      const trouble = await ask()
      if (trouble === undefined) break
      waitingFor = trouble.message
      // oxlint-disable-next-line no-await-in-loop -- after a while
      if (await inTime(ended, AGAIN_MS, clock)) break
    }
    waitingFor = undefined
  }

  async function ask(): Promise<Unreachable | undefined> {
    try {
      await sink?.check()
      return undefined
    } catch (error) {
      if (error instanceof Unreachable) return error
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
