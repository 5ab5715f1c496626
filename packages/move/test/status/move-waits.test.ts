import { VirtualClock } from '@keystamp/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import type { ContainerWait } from '../../src/containers/call-watch.ts'
import { MoveWaits, type WaitFacts } from '../../src/status/move-waits.ts'

const START_MS = Date.UTC(2026, 2, 1, 12)

let clock: VirtualClock
let waits: MoveWaits
let said: string[]
/** The state of the move, which the tests change. */
let state: { source?: ContainerWait; lag?: number; limit?: 'share' | 'throttling'; pausedFor?: string; step?: string }

beforeEach(() => {
  clock = new VirtualClock()
  said = []
  state = {}
  waits = new MoveWaits({ clock, wallMs: () => START_MS + clock.now(), onWait: (sentence) => said.push(sentence) })
})

/** Lets the time pass, with a look every half second. */
async function pass(seconds: number): Promise<void> {
  for (let count = 0; count < seconds * 2; count++) {
    waits.look(facts())
    await clock.runUntil(() => false, clock.now())
    await Promise.race([clock.sleep(500), clock.runUntil(() => false, clock.now() + 500)])
  }
}

function facts(): WaitFacts {
  return {
    source: { name: 'fleet/old', waiting: () => state.source },
    target: { name: 'fleet/new', waiting: () => undefined },
    limits: { source: state.limit, target: undefined },
    lagSeconds: state.lag,
    pausedFor: state.pausedFor,
    stepWait: state.step === undefined ? undefined : { reason: 'postpone', detail: state.step }
  }
}

describe('the waits of a move', () => {
  it('are said after 5 seconds with what for and since when, once a minute, and at their end', async () => {
    await pass(10)
    state.source = { sinceMs: clock.now(), detail: 'No answer.' }
    await pass(4)
    expect(waits.current).toEqual([])
    await pass(66)
    expect(waits.current).toEqual([
      { reason: 'source', detail: 'fleet/old: No answer.', since: '2026-03-01T12:00:10.000Z' }
    ])
    delete state.source
    await pass(1)
    expect(waits.current).toEqual([])
    expect(said).toEqual([
      'waiting since 12:00:10 UTC: fleet/old: No answer.',
      'waiting since 12:00:10 UTC: fleet/old: No answer.',
      'the source answers again after 70 s'
    ])
  })

  it('say nothing about a short failure', async () => {
    state.source = { sinceMs: clock.now(), detail: 'No answer.' }
    await pass(3)
    delete state.source
    await pass(3)
    expect(said).toEqual([])
  })

  it('are a used-up share only while the lag grows', async () => {
    state.limit = 'share'
    state.lag = 8
    await pass(20)
    expect(said).toEqual([])
    for (let second = 0; second < 20; second++) {
      state.lag += 1
      await pass(1)
    }
    expect(waits.current).toMatchObject([
      { reason: 'source_share', detail: expect.stringMatching(/^fleet\/old: its share is used up .*--share-from\.$/) }
    ])
    for (let second = 0; second < 20; second++) {
      state.lag -= 1
      await pass(1)
    }
    expect(waits.current).toEqual([])
    expect(said).toEqual([
      expect.stringMatching(/^waiting since 12:00:2\d UTC: fleet\/old: its share is used up/),
      expect.stringMatching(/^the lag does not grow any more after \d+ s$/)
    ])
  })

  it('tell throttling from a used-up share', async () => {
    state.limit = 'throttling'
    for (state.lag = 0; state.lag < 20; state.lag++) await pass(1)
    expect(waits.current).toMatchObject([{ detail: expect.stringContaining('Cosmos DB throttles') }])
  })

  it('are a pause and a postponed step at once', async () => {
    state.pausedFor = 'the file `pause` exists'
    state.step = 'the file `postpone` exists'
    await pass(1)
    expect(waits.current.map(({ reason }) => reason)).toEqual(['pause', 'postpone'])
    expect(said).toHaveLength(2)
  })
})
