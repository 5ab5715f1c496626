import { describe, expect, it } from 'vitest'
import type { LaneUsage } from '../../src/dispatch/pending-operation.ts'
import { ByteBudget } from '../../src/dispatch/byte-budget.ts'
import { VirtualClock } from '@keystamp/testkit'

// bytes that are counted for each operation in addition to its body
const OVERHEAD_BYTES = 1024
const KB = 1024

describe('a byte budget', () => {
  it('is full at its limit, and accepts operations again when some were removed', () => {
    const { budget } = open({ kilobytes: 10 })
    const lane = newLane()
    fill(budget, lane, 4)
    expect(budget.hasRoom(lane)).toBe(true)

    budget.add(lane, KB)
    expect(budget.hasRoom(lane)).toBe(false)

    budget.remove(lane, KB)
    expect(budget.hasRoom(lane)).toBe(true)
    expect(budget.bytes).toBe(4 * (KB + OVERHEAD_BYTES))
  })

  it('lets a lane use at most a quarter, so that other lanes keep their share', () => {
    const { budget } = open({ kilobytes: 80, lanes: 20 })
    const hot = newLane()
    const other = newLane()
    fill(budget, hot, 10)

    expect(budget.hasRoom(hot)).toBe(false)
    expect(budget.hasRoom(other)).toBe(true)
  })

  it('admits no caller while no lane has demand', () => {
    const { budget, demand } = open({ kilobytes: 80 })
    demand.has = false

    expect(budget.hasRoom(newLane())).toBe(false)
  })

  it('admits the caller that has waited longest, and no more callers than the free bytes allow', async () => {
    const { budget } = open({ kilobytes: 10 })
    const lane = newLane()
    fill(budget, lane, 5)
    const admitted = queueCallers(budget, lane, ['a', 'b', 'c'])

    budget.remove(lane, KB)
    budget.admitWaiting()
    await turns()
    expect(admitted).toEqual(['a'])

    budget.add(lane, KB)
    budget.admitWaiting()
    await turns()
    expect(admitted).toEqual(['a'])

    release(budget, lane, 2)
    budget.admitWaiting()
    await turns()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('admits only one caller if the bytes of one operation are free, even if many callers wait', async () => {
    const { budget } = open({ kilobytes: 200 })
    const lane = newLane()
    let max = 0
    const addWhenAdmitted = async (): Promise<void> => {
      await budget.waitFor(lane)
      budget.add(lane, KB)
      max = Math.max(max, budget.bytes)
    }
    fill(budget, lane, 100)
    for (let caller = 0; caller < 5000; caller++) {
      void addWhenAdmitted()
    }
    for (let left = 0; left < 5000; left++) {
      budget.remove(lane, KB)
      budget.admitWaiting()
      await Promise.resolve()
    }

    expect(budget.waiting).toBeLessThan(10)
    expect(max).toBeLessThanOrEqual(budget.maxBytes + KB + OVERHEAD_BYTES)
  })

  it('admits callers of the lanes in turn', async () => {
    const { budget } = open({ kilobytes: 16, lanes: 2 })
    const first = newLane()
    const second = newLane()
    fill(budget, first, 4)
    fill(budget, second, 4)
    const admitted: string[] = []
    queueCallers(budget, first, ['a1', 'a2', 'a3'], admitted)
    queueCallers(budget, second, ['b1'], admitted)

    for (const lane of [first, second]) {
      release(budget, lane, 2)
    }
    budget.admitWaiting()
    await turns()

    expect(admitted).toEqual(['a1', 'b1', 'a2'])
  })

  it('does not reserve capacity forever for a caller that was admitted and wrote nothing', async () => {
    const { budget, clock } = open({ kilobytes: 4 })
    const lane = newLane()
    fill(budget, lane, 2)
    const admitted = queueCallers(budget, lane, ['a', 'b', 'c'])
    release(budget, lane, 2)
    budget.admitWaiting()

    await clock.runUntil(() => admitted.length === 3, 100)

    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('admits all waiting callers when it ends', async () => {
    const { budget } = open({ kilobytes: 2 })
    const lane = newLane()
    budget.add(lane, KB)
    const admitted = queueCallers(budget, lane, ['a', 'b'])

    budget.admitAll()
    await turns()

    expect(admitted).toEqual(['a', 'b'])
    expect(budget.waiting).toBe(0)
  })

  it('counts a moved operation for its new lane', () => {
    const { budget } = open({ kilobytes: 80 })
    const from = newLane()
    const to = newLane()
    budget.add(from, KB)

    budget.move(from, to, KB)
    budget.remove(to, KB)

    expect([from.bytes, to.bytes, budget.bytes]).toEqual([0, 0, 0])
  })
})

function open({ kilobytes, lanes = 1 }: { readonly kilobytes: number; readonly lanes?: number }): {
  readonly budget: ByteBudget
  readonly clock: VirtualClock
  readonly demand: { has: boolean }
} {
  const clock = new VirtualClock()
  const demand = { has: true }
  const budget = new ByteBudget({ maxBytes: kilobytes * KB, isWanted: () => demand.has, clock })
  budget.setLanes(lanes)
  return { budget, clock, demand }
}

function newLane(): LaneUsage {
  return { pending: 0, bytes: 0, counts: { settled: 0, superseded: 0 } }
}

function fill(budget: ByteBudget, lane: LaneUsage, times: number): void {
  for (let time = 0; time < times; time++) budget.add(lane, KB)
}

function release(budget: ByteBudget, lane: LaneUsage, times: number): void {
  for (let time = 0; time < times; time++) budget.remove(lane, KB)
}

function queueCallers(
  budget: ByteBudget,
  lane: LaneUsage,
  names: readonly string[],
  admitted: string[] = []
): string[] {
  for (const name of names) void budget.waitFor(lane).then(() => admitted.push(name))
  return admitted
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve()
}
