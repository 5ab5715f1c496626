import type { EventEmitter } from 'node:events'
import type { BatchEvent, WriterEvents } from '@keystamp/cosmos'

/** Why writes of a container wait, as far as it is known. */
export interface Troubles {
  readonly current: string | undefined
  /** The Redis that a budget is shared through does not answer. */
  readonly budgetLost: () => void
}

/** Goes by what the last answers of a container's ranges say; an answer also shows that there was a budget for it. */
export function createTroubles(events: EventEmitter<WriterEvents>): Troubles {
  const byRange = new Map<string, string>()
  let isBudgetLost = false
  events.on('batchAnswered', (event) => {
    isBudgetLost = false
    const trouble = troubleOf(event)
    if (trouble === undefined) byRange.delete(event.rangeId)
    else byRange.set(event.rangeId, trouble)
  })
  return {
    get current() {
      return isBudgetLost ? 'the Redis that its budget is shared through' : byRange.values().next().value
    },
    budgetLost: () => {
      isBudgetLost = true
    }
  }
}

function troubleOf({ result, throttledOperations }: BatchEvent): string | undefined {
  if (throttledOperations > 0) return 'request units'
  return result === 'answered' ? undefined : `Cosmos DB, which last answered: ${result}`
}
