import { describe, expect, it } from 'vitest'
import type { LaneUsage } from '../../src/dispatch/pending-operation.ts'
import { ByteBudget } from '../../src/dispatch/byte-budget.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

// counted for each operation in addition to its body
const BESIDE = 1024
const KB = 1024

describe('a room', () => {
  it('is full at its bytes, and has room again when some left', () => {
    const { room } = open({ kilobytes: 10 })
    const lane = home()
    enter(room, lane, 4)
    expect(room.hasRoom(lane)).toBe(true)

    room.add(lane, KB)
    expect(room.hasRoom(lane)).toBe(false)

    room.remove(lane, KB)
    expect(room.hasRoom(lane)).toBe(true)
    expect(room.bytes).toBe(4 * (KB + BESIDE))
  })

  it('gives a lane a quarter at most, and the others theirs', () => {
    const { room } = open({ kilobytes: 80, lanes: 20 })
    const hot = home()
    const other = home()
    enter(room, hot, 10)

    expect(room.hasRoom(hot)).toBe(false)
    expect(room.hasRoom(other)).toBe(true)
  })

  it('admits no caller while no lane has demand', () => {
    const { room, wants } = open({ kilobytes: 80 })
    wants.more = false

    expect(room.hasRoom(home())).toBe(false)
  })

  it('lets in who waited longest, and no more than will fit', async () => {
    const { room } = open({ kilobytes: 10 })
    const lane = home()
    enter(room, lane, 5)
    const admitted = line(room, lane, ['a', 'b', 'c'])

    room.remove(lane, KB)
    room.admitWaiting()
    await turns()
    expect(admitted).toEqual(['a'])

    room.add(lane, KB)
    room.admitWaiting()
    await turns()
    expect(admitted).toEqual(['a'])

    leave(room, lane, 2)
    room.admitWaiting()
    await turns()
    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('admits one caller for one free slot, however many wait', async () => {
    const { room } = open({ kilobytes: 200 })
    const lane = home()
    let most = 0
    const comeIn = async (): Promise<void> => {
      await room.waitFor(lane)
      room.add(lane, KB)
      most = Math.max(most, room.bytes)
    }
    enter(room, lane, 100)
    for (let caller = 0; caller < 5000; caller++) {
      void comeIn()
    }
    for (let left = 0; left < 5000; left++) {
      room.remove(lane, KB)
      room.admitWaiting()
      await Promise.resolve()
    }

    expect(room.waiting).toBeLessThan(10)
    expect(most).toBeLessThanOrEqual(room.maxBytes + KB + BESIDE)
  })

  it('serves the lines of the lanes in turn', async () => {
    const { room } = open({ kilobytes: 16, lanes: 2 })
    const first = home()
    const second = home()
    enter(room, first, 4)
    enter(room, second, 4)
    const admitted: string[] = []
    line(room, first, ['a1', 'a2', 'a3'], admitted)
    line(room, second, ['b1'], admitted)

    for (const lane of [first, second]) {
      leave(room, lane, 2)
    }
    room.admitWaiting()
    await turns()

    expect(admitted).toEqual(['a1', 'b1', 'a2'])
  })

  it('does not reserve capacity forever for a caller that was admitted and wrote nothing', async () => {
    const { room, clock } = open({ kilobytes: 4 })
    const lane = home()
    enter(room, lane, 2)
    const admitted = line(room, lane, ['a', 'b', 'c'])
    leave(room, lane, 2)
    room.admitWaiting()

    await clock.runUntil(() => admitted.length === 3, 100)

    expect(admitted).toEqual(['a', 'b', 'c'])
  })

  it('lets everybody go when nothing will be taken any more', async () => {
    const { room } = open({ kilobytes: 2 })
    const lane = home()
    room.add(lane, KB)
    const admitted = line(room, lane, ['a', 'b'])

    room.admitAll()
    await turns()

    expect(admitted).toEqual(['a', 'b'])
    expect(room.waiting).toBe(0)
  })

  it('counts an operation where it moved to', () => {
    const { room } = open({ kilobytes: 80 })
    const from = home()
    const to = home()
    room.add(from, KB)

    room.move(from, to, KB)
    room.remove(to, KB)

    expect([from.bytes, to.bytes, room.bytes]).toEqual([0, 0, 0])
  })
})

function open({ kilobytes, lanes = 1 }: { readonly kilobytes: number; readonly lanes?: number }): {
  readonly room: ByteBudget
  readonly clock: VirtualClock
  readonly wants: { more: boolean }
} {
  const clock = new VirtualClock()
  const wants = { more: true }
  const room = new ByteBudget({ maxBytes: kilobytes * KB, isWanted: () => wants.more, clock })
  room.setLanes(lanes)
  return { room, clock, wants }
}

function home(): LaneUsage {
  return { pending: 0, bytes: 0, counts: { settled: 0, superseded: 0 } }
}

function enter(room: ByteBudget, lane: LaneUsage, times: number): void {
  for (let time = 0; time < times; time++) room.add(lane, KB)
}

function leave(room: ByteBudget, lane: LaneUsage, times: number): void {
  for (let time = 0; time < times; time++) room.remove(lane, KB)
}

function line(room: ByteBudget, lane: LaneUsage, names: readonly string[], admitted: string[] = []): string[] {
  for (const name of names) void room.waitFor(lane).then(() => admitted.push(name))
  return admitted
}

async function turns(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await Promise.resolve()
}
