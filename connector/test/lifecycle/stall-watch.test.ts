import type { KeystampError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { watchForStalls } from '../../src/lifecycle/waits.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

describe('a stall', () => {
  it('is reported with the offset of a record that waits too long without a known reason', async () => {
    const { clock, stalls } = begin({})
    await clock.runUntil(80_000)

    expect(stalls).toEqual([expect.stringMatching(/^SINK_STALLED: No progress for 6\d s.*things\/0 at offset 7\.$/)])
  })

  it('is not reported while records progress', async () => {
    let progress = 0
    const { clock, stalls } = begin({ progress: () => progress++ })
    await clock.runUntil(300_000)

    expect(stalls).toEqual([])
  })

  it('is not reported while a reason is known', async () => {
    const { clock, stalls } = begin({ waitingFor: () => 'request units' })
    await clock.runUntil(300_000)

    expect(stalls).toEqual([])
  })

  it('is not reported while no record is in flight', async () => {
    const { clock, stalls } = begin({ oldestOpen: () => undefined })
    await clock.runUntil(300_000)

    expect(stalls).toEqual([])
  })
})

function begin(changes: Partial<Parameters<typeof watchForStalls>[0]>): {
  readonly clock: VirtualClock
  readonly stalls: string[]
} {
  const clock = new VirtualClock()
  const stalls: string[] = []
  watchForStalls({
    clock,
    stallMs: 60_000,
    progress: () => 0,
    oldestOpen: () => 'things/0 at offset 7',
    waitingFor: () => undefined,
    onStall: (error) => stalls.push(`${(error as KeystampError).code}: ${error.message}`),
    ...changes
  })
  return { clock, stalls }
}
