import type { EventEmitter } from 'node:events'
import type { BatchEvent, WriterEvents } from '@keystamp/cosmos'

/** What the last answers of a container's ranges say about why writes wait. */
export function createTroubles(events: EventEmitter<WriterEvents>): { readonly current: string | undefined } {
  const byRange = new Map<string, string>()
  events.on('batchAnswered', (event) => {
    const trouble = troubleOf(event)
    if (trouble === undefined) byRange.delete(event.rangeId)
    else byRange.set(event.rangeId, trouble)
  })
  return {
    get current() {
      return byRange.values().next().value
    }
  }
}

function troubleOf({ result, throttledOperations }: BatchEvent): string | undefined {
  if (throttledOperations > 0) return 'request units'
  return result === 'answered' ? undefined : `Cosmos DB, which last answered: ${result}`
}
