import type { KeystampError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { watchForStalls } from '../../src/lifecycle/waits.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

describe('a stall', () => {
  it('is a record that waits too long while nothing explains it, and is named by its place', async () => {
    const { clock, stalls } = begin({})
    await clock.runUntil(80_000)

    expect(stalls).toEqual([expect.stringMatching(/^SINK_STALLED: No progress for 6\d s.*things\/0 at offset 7\.$/)])
  })

  it('is none while something moves', async () => {
    let progress = 0
    const { clock, stalls } = begin({ progress: () => progress++ })
    await clock.runUntil(300_000)

    expect(stalls).toEqual([])
  })

  it('is none while the wait has a name', async () => {
    const { clock, stalls } = begin({ waitingFor: () => 'request units' })
    await clock.runUntil(300_000)

    expect(stalls).toEqual([])
  })

  it('is none while nothing is open', async () => {
    const { clock, stalls } = begin({ oldestOpen: () => undefined })
    await clock.runUntil(300_000)

    expect(stalls).toEqual([])
  })
})

function begin(changes: Partial<Parameters<typeof watchForStalls>[0]>): { readonly clock: VirtualClock; readonly stalls: string[] } {
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
