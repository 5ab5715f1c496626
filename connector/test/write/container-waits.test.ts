import { EventEmitter } from 'node:events'
import type { BatchEvent, Contention, WriterEvents } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { createContainerWaits } from '../../src/write/container-waits.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

describe('the waits of a container', () => {
  it('include changes that other writers come before for more than a second', async () => {
    const { containerWaits, clock, contention } = open()
    contention.current = { operations: 2, sinceMs: clock.now() }
    await clock.runUntil(900)
    expect(containerWaits.waits).toEqual([])

    await clock.runUntil(1100)
    expect(containerWaits.waits).toEqual([
      {
        reason: 'contention',
        subject: 'drives',
        detail: 'container "drives", 2 changes: the document was written by another client each time',
        sinceMs: 0
      }
    ])

    contention.current = undefined
    expect(containerWaits.waits).toEqual([])
  })

  it('follow the last answer of each physical partition, until a request succeeds', () => {
    const { containerWaits, answer } = open()
    expect(containerWaits.waits).toEqual([])

    answer({ rangeId: '0', result: '503' })
    answer({ rangeId: '1', result: 'ECONNREFUSED' })
    expect(containerWaits.waits).toEqual([
      {
        reason: 'cosmos',
        subject: 'drives',
        detail: 'container "drives", physical partition 0, 1: the last answer was 503, ECONNREFUSED',
        sinceMs: 0
      }
    ])

    answer({ rangeId: '0' })
    answer({ rangeId: '1' })
    expect(containerWaits.waits).toEqual([])
  })

  it('end for a physical partition that was split or merged', () => {
    const { containerWaits, answer, ranges } = open()
    answer({ rangeId: '0', result: '410' })
    expect(containerWaits.waits).toHaveLength(1)

    ranges.shift()
    answer({ rangeId: '1' })
    expect(containerWaits.waits).toEqual([])

    // a late answer for a range that does not exist any more
    answer({ rangeId: '0', result: '410' })
    expect(containerWaits.waits).toEqual([])
  })

  it('end for a physical partition without queued operations and requests in flight', () => {
    const { containerWaits, answer, ranges } = open()
    answer({ rangeId: '0', result: '503' })
    expect(containerWaits.waits).toHaveLength(1)

    ranges[0].pending = 0
    expect(containerWaits.waits).toEqual([])

    // a new wait begins only with a new answer
    ranges[0].pending = 10
    expect(containerWaits.waits).toEqual([])
  })

  it('name request units as the reason once nothing has succeeded for several seconds', async () => {
    const { containerWaits, answer, clock } = open()
    await clock.runUntil(1000)
    answer({ rangeId: '0', throttledOperations: 3 })
    await clock.runUntil(5900)
    answer({ rangeId: '0', throttledOperations: 3, result: '429' })
    expect(containerWaits.waits).toEqual([])

    await clock.runUntil(6000)
    expect(containerWaits.waits).toEqual([
      {
        reason: 'throttled',
        subject: 'drives',
        detail: 'container "drives", physical partition 0: every operation was throttled',
        sinceMs: 1000
      }
    ])

    answer({ rangeId: '0', throttledOperations: 2 })
    expect(containerWaits.waits).toEqual([])
  })

  it('name the cause of throttling, if the writer knows it', async () => {
    const { containerWaits, answer, clock, throttledRanges } = open()
    throttledRanges.push({ range: '0', explanation: 'one key takes 84 %' }, { range: '1', explanation: 'another' })
    answer({ rangeId: '0', throttledOperations: 3, result: '429' })
    await clock.runUntil(6000)

    expect(containerWaits.waits).toMatchObject([
      { detail: 'container "drives", physical partition 0: every operation was throttled; one key takes 84 %' }
    ])
  })

  it('name request units as the reason if an atomic batch was throttled, which counts as one operation', async () => {
    const { containerWaits, answer, clock } = open()
    answer({ rangeId: '0', isAtomic: true, operations: 3, throttledOperations: 1 })
    await clock.runUntil(5000)

    expect(containerWaits.waits).toMatchObject([{ reason: 'throttled' }])
  })

  it('name Cosmos DB as the reason if some operations were throttled and all others failed', () => {
    const { containerWaits, answer } = open()
    answer({ rangeId: '0', throttledOperations: 2, result: '503' })

    expect(containerWaits.waits).toMatchObject([{ reason: 'cosmos', detail: expect.stringContaining('503') }])
  })

  it('are reported together if there are several', async () => {
    const { containerWaits, answer, clock } = open()
    answer({ rangeId: '0', throttledOperations: 3 })
    answer({ rangeId: '1', result: '503' })
    containerWaits.budgetLost('Redis does not answer.')
    await clock.runUntil(6000)

    expect(containerWaits.waits.map(({ reason }) => reason)).toEqual(['cosmos', 'throttled', 'redis'])
  })

  it('include Redis until a request is answered again or no request is left', () => {
    const { containerWaits, answer, ranges } = open()

    containerWaits.budgetLost('Redis does not answer.')
    expect(containerWaits.waits).toMatchObject([{ reason: 'redis', detail: 'Redis does not answer.' }])
    answer({ rangeId: '0' })
    expect(containerWaits.waits).toEqual([])

    containerWaits.budgetLost('Redis does not answer.')
    for (const range of ranges) range.pending = 0
    expect(containerWaits.waits).toEqual([])
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
  const clock = new VirtualClock()
  const ranges = ['0', '1'].map((id) => ({ id, pending: 10 }))
  const contention: { current: Contention | undefined } = { current: undefined }
  const throttledRanges: { range: string; explanation: string }[] = []
  const answer = (changes: Partial<BatchEvent>): void => {
    events.emit('batchAnswered', { ...ANSWERED, ...changes })
  }
  return {
    containerWaits: createContainerWaits({
      container: 'drives',
      events,
      clock,
      stats: () => ({ ranges, throttledRanges, contention: contention.current })
    }),
    answer,
    contention,
    clock,
    ranges,
    throttledRanges
  }
}
