import { VirtualClock } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { createShareControl } from '../../src/containers/share-control.ts'

describe('the share of a move', () => {
  it('is halved when reads of the container in charge are throttled, for both containers', async () => {
    const { control, source, parts, pass } = start()
    await pass(1000)
    source.counts.reads = 1
    await pass(1000)
    expect(control.part()).toBe(0.5)
    expect(parts).toEqual([0.5, 0.5])
  })

  it('stays when writes, or reads of the other container, are throttled', async () => {
    const { control, source, target, pass } = start()
    await pass(1000)
    source.counts.writes = 10
    target.counts.reads = target.counts.writes = 10
    await pass(1000)
    expect(control.part()).toBe(1)
  })

  it('grows again after some seconds without throttling', async () => {
    const { control, source, pass } = start()
    await pass(1000)
    source.counts.reads = 1
    await pass(1000)
    await pass(5000)
    expect(control.part()).toBe(0.75)
    await pass(5000)
    expect(control.part()).toBe(1)
  })

  it('is divided between the processes of a move, also while it is reduced', async () => {
    let own = 0.25
    const { source, parts, pass } = start(() => own)
    await pass(1000)
    source.counts.reads = 1
    await pass(1000)
    own = 1
    await pass(1000)
    expect(parts).toEqual([0.25, 0.25, 0.125, 0.125, 0.5, 0.5])
  })
})

function start(ownPart?: () => number) {
  const clock = new VirtualClock()
  const parts: number[] = []
  const create = () => {
    const counts = { reads: 0, writes: 0 }
    const stats = () => ({
      reads: {
        requests: 0,
        chargeRu: 0,
        throttled: counts.reads,
        failed: 0,
        pacedMs: 0,
        ruPerSecond: undefined,
        lastFailure: undefined,
        unansweredSinceMs: undefined
      },
      writes: { throttledOperations: counts.writes } as never
    })
    return { counts, stats, usePart: (part: number) => parts.push(part) }
  }
  const [source, target] = [create(), create()]
  const control = createShareControl([source, target], () => source, clock, ownPart)
  const pass = async (ms: number): Promise<void> => {
    clock.schedule(ms, () => {})
    await clock.runUntil(() => false, clock.now() + ms)
    control.adjust()
  }
  return { control, source, target, parts, pass }
}
