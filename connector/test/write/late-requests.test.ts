import { beforeEach, describe, expect, it } from 'vitest'
import type { PartitionWorker } from '../../src/partition/partition-worker.ts'
import { LateRequests } from '../../src/write/late-requests.ts'
import { create } from '../partition/worker/begin.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

let clock: VirtualClock
let late: LateRequests
let lines: { readonly facts: object; readonly sentence: string }[]

beforeEach(() => {
  clock = new VirtualClock()
  lines = []
  late = openLate()
})

describe('late requests', () => {
  it('L5 are logged with topic, partition and activity id, and counted by partition', () => {
    late.add(requestOf({ activityId: 'a-1', lateMs: 9504.6, fences: [workerOf(1), workerOf(2)] }))
    late.add(requestOf({ activityId: 'a-2', lateMs: 120, fences: [workerOf(2)] }))

    expect(lines.map(({ facts }) => facts)).toEqual([
      { topic: 'orders', partition: 1, activityId: 'a-1', lateMs: 9505, stage: 'written' },
      { topic: 'orders', partition: 2, activityId: 'a-1', lateMs: 9505, stage: 'written' },
      { topic: 'orders', partition: 2, activityId: 'a-2', lateMs: 120, stage: 'written' }
    ])
    for (const { sentence } of lines) expect(sentence).toContain('late request')
    expect(late.counts).toEqual([
      { topic: 'orders', partition: 1, stage: 'written', count: 1 },
      { topic: 'orders', partition: 2, stage: 'written', count: 2 }
    ])
  })

  it('L5 include a request that was sent in time only if its answer comes after the handover period', () => {
    late.add(requestOf({ stage: 'answered', lateMs: 1000 }))
    expect(lines).toEqual([])

    late.add(requestOf({ stage: 'answered', lateMs: 1001 }))
    expect(lines.map(({ facts }) => facts)).toMatchObject([{ stage: 'answered', lateMs: 1001 }])
    expect(lines[0].sentence).toContain('late request')
  })
})

describe('requests without an answer', () => {
  it('L5 are all counted; the first one of a partition is logged at once, and the others with count and activity ids at the end of the minute', async () => {
    for (const activityId of ['a-1', 'a-2', 'a-3']) late.add(unanswered({ activityId, fences: [workerOf(1)] }))
    late.add(unanswered({ activityId: 'a-3', fences: [workerOf(2)] }))

    const first = { topic: 'orders', lateMs: 2000, stage: 'unanswered' }
    expect(lines.map(({ facts }) => facts)).toEqual([
      { ...first, partition: 1, activityId: 'a-1' },
      { ...first, partition: 2, activityId: 'a-3' }
    ])
    expect(late.counts).toEqual([
      { topic: 'orders', partition: 1, stage: 'unanswered', count: 3 },
      { topic: 'orders', partition: 2, stage: 'unanswered', count: 1 }
    ])

    await clock.runUntil(60_000)
    expect(lines.slice(2).map(({ facts }) => facts)).toEqual([
      { ...first, partition: 1, activityIds: ['a-2', 'a-3'], count: 2 }
    ])
    for (const { sentence } of lines) expect(sentence).toContain('late request')
  })

  it('are logged in one line at the end of a minute; the first one after a minute without such requests is logged at once', async () => {
    late.add(unanswered({ activityId: 'a-1' }))
    late.add(unanswered({ activityId: 'a-2' }))
    await clock.runUntil(60_000)
    late.add(unanswered({ activityId: 'a-3' }))
    expect(lines).toHaveLength(2)

    await clock.runUntil(180_000)
    expect(lines).toHaveLength(3)
    late.add(unanswered({ activityId: 'a-4' }))
    expect(lines.at(-1)!.facts).toMatchObject({ activityId: 'a-4' })
  })

  it('are logged with at most 100 activity ids and with their whole number in one line at the end of a minute', async () => {
    for (let index = 0; index < 151; index++) late.add(unanswered({ activityId: `a-${index}` }))
    await clock.runUntil(60_000)

    const { activityIds, count } = lines[1].facts as { activityIds: string[]; count: number }
    expect(activityIds).toHaveLength(100)
    expect(count).toBe(150)
  })

  it('L5 are logged one by one if their partition has moved', () => {
    const moved = workerOf(1)
    moved.lose()
    late.add(unanswered({ activityId: 'a-1', fences: [moved] }))
    late.add(unanswered({ activityId: 'a-2', fences: [moved] }))

    expect(lines.map(({ facts }) => facts)).toMatchObject([{ activityId: 'a-1' }, { activityId: 'a-2' }])
  })

  it('L5 are logged before their minute is over when a rebalance begins and when the sink ends', () => {
    for (const activityId of ['a-1', 'a-2']) late.add(unanswered({ activityId }))
    late.flush()
    expect(lines[1].facts).toMatchObject({ activityIds: ['a-2'], count: 1 })

    late.add(unanswered({ activityId: 'a-3' }))
    late.close()
    late.add(unanswered({ activityId: 'a-4' }))
    expect(lines.slice(2).map(({ facts }) => facts)).toMatchObject([
      { activityIds: ['a-3'], count: 1 },
      { activityId: 'a-4' }
    ])
  })

  it.each([
    ['cosmos.requestTimeout', 1000, 2000],
    ['kafka.handoverPeriod if that is longer', 3000, 3000]
  ])(
    'L5 leave their partition unresolved after they were given up, for %s',
    async (_what, handoverMs, unresolvedMs) => {
      late = openLate(handoverMs)
      late.add(unanswered({ fences: [workerOf(1)] }))

      await clock.runUntil(unresolvedMs - 1)
      expect([1, 2].map((partition) => late.isUnresolved(workerOf(partition)))).toEqual([true, false])
      await clock.runUntil(unresolvedMs)
      expect(late.isUnresolved(workerOf(1))).toBe(false)
    }
  )
})

describe('requests that Cosmos DB answered with 408 or 5xx', () => {
  it('L5 are counted and logged like requests without an answer, on lines of their own', async () => {
    late.add(unanswered({ activityId: 'a-1', stage: 'unanswered' }))
    for (const activityId of ['a-2', 'a-3']) late.add(unanswered({ activityId, stage: 'unknown' }))
    await clock.runUntil(60_000)

    expect(lines.map(({ facts }) => facts)).toMatchObject([
      { activityId: 'a-1', stage: 'unanswered' },
      { activityId: 'a-2', stage: 'unknown' },
      { activityIds: ['a-3'], count: 1, stage: 'unknown' }
    ])
    expect(lines[1].sentence).toMatch(/^late request: Cosmos DB answered with 408 or 5xx/)
    expect(late.counts).toEqual([
      { topic: 'orders', partition: 0, stage: 'unanswered', count: 1 },
      { topic: 'orders', partition: 0, stage: 'unknown', count: 2 }
    ])
  })

  it('L5 leave their partition unresolved for cosmos.requestTimeout, like requests without an answer', async () => {
    late.add(unanswered({ stage: 'unknown', fences: [workerOf(1)] }))
    await clock.runUntil(1999)
    expect([1, 2].map((partition) => late.isUnresolved(workerOf(partition)))).toEqual([true, false])
    await clock.runUntil(2000)
    expect(late.isUnresolved(workerOf(1))).toBe(false)
  })

  it('L5 are logged one by one if their partition has moved', () => {
    const moved = workerOf(1)
    moved.lose()
    for (const activityId of ['a-1', 'a-2']) late.add(unanswered({ activityId, stage: 'unknown', fences: [moved] }))

    expect(lines.map(({ facts }) => facts)).toMatchObject([{ activityId: 'a-1' }, { activityId: 'a-2' }])
  })
})

type Late = Parameters<LateRequests['add']>[0]

function openLate(handoverMs = 1000): LateRequests {
  return new LateRequests({
    log: { warn: (facts, sentence) => lines.push({ facts, sentence }) },
    clock,
    handoverMs,
    requestTimeoutMs: 2000
  })
}

function requestOf(changes: Partial<Late>): Late {
  return { rangeId: '0', activityId: 'a', stage: 'written', lateMs: 5000, fences: [workerOf(0)], ...changes }
}

function unanswered(changes: Partial<Late>): Late {
  return requestOf({ stage: 'unanswered', lateMs: 2000, ...changes })
}

function workerOf(partition: number): PartitionWorker {
  return create({ topic: 'orders', partition }).worker
}
