import type { Outcome } from './outcome.ts'
import type { OnOutcome } from './pending-operation.ts'

/** Reports an outcome. An error of the callback is not the writer's: the other operations of the batch still get their outcomes. */
export function notifyOutcome(onOutcome: OnOutcome, outcome: Outcome | Error): void {
  try {
    onOutcome(outcome)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
