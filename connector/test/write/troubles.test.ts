import { EventEmitter } from 'node:events'
import type { BatchEvent, WriterEvents } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { createTroubles } from '../../src/write/troubles.ts'

describe('the troubles of a container', () => {
  it('are what the last answer of a range says, until it answers well', () => {
    const { troubles, answer } = open()
    expect(troubles.current).toBeUndefined()

    answer({ rangeId: '0', throttledOperations: 3 })
    answer({ rangeId: '1' })
    expect(troubles.current).toBe('request units')

    answer({ rangeId: '0', result: 'failed' })
    expect(troubles.current).toBe('Cosmos DB, which last answered: failed')

    answer({ rangeId: '0' })
    expect(troubles.current).toBeUndefined()
  })

  it('name the Redis that does not answer, until something is paid for again', () => {
    const { troubles, answer } = open()

    troubles.budgetLost()
    expect(troubles.current).toBe('the Redis that its budget is shared through')

    answer({ rangeId: '0' })
    expect(troubles.current).toBeUndefined()
  })
})

const ANSWERED: BatchEvent = {
  rangeId: '0',
  operations: 3,
  bytes: 100,
  isAtomic: false,
  latencyMs: 1,
  chargedRu: 18,
  expectedRu: 18,
  throttledOperations: 0,
  result: 'answered'
}

function open() {
  const events = new EventEmitter<WriterEvents>()
  const answer = (told: Partial<BatchEvent>): void => {
    events.emit('batchAnswered', { ...ANSWERED, ...told })
  }
  return { troubles: createTroubles(events), answer }
}
