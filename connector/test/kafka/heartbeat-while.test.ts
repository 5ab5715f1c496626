import { describe, expect, it } from 'vitest'
import { heartbeatWhile } from '../../src/kafka/member-events.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

describe('heartbeatWhile', () => {
  it('sends heartbeats until the promise is settled, and none afterwards', async () => {
    const clock = new VirtualClock()
    let resolve!: (result: string) => void
    const promise = new Promise<string>((settle) => {
      resolve = settle
    })
    const sentMs: number[] = []
    const heartbeat = async (): Promise<void> => void sentMs.push(clock.now())

    const waiting = heartbeatWhile(promise, { clock, everyMs: 100, heartbeat })
    await clock.runUntil(350)
    resolve('there')

    expect(await waiting).toBe('there')
    await clock.runUntil(1000)
    expect(sentMs).toEqual([100, 200, 300])
    expect(clock.pending).toBe(0)
  })

  it('rejects with the error of a heartbeat, such as a rebalance', async () => {
    const clock = new VirtualClock()
    const rebalance = new Error('The group is rebalancing')

    const waiting = heartbeatWhile(new Promise(() => {}), {
      clock,
      everyMs: 100,
      heartbeat: () => Promise.reject(rebalance)
    })

    await Promise.all([expect(waiting).rejects.toBe(rebalance), clock.runUntil(1000)])
    expect(clock.pending).toBe(0)
  })
})
