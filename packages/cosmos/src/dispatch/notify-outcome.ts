import type { Outcome } from './outcome.ts'
import type { OnOutcome } from './pending-operation.ts'

/** Tells what became of an operation. An error of whoever listens is not the writer's: others of the same batch still have to be told. */
export function notifyOutcome(onOutcome: OnOutcome, outcome: Outcome | Error): void {
  try {
    onOutcome(outcome)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
