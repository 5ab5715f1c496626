import { toPosition } from '@keystamp/core'
import { expect, it } from 'vitest'
import { watchEnds } from '../../src/partition/end-watch.ts'
import { PartitionFlow } from '../../src/partition/partition-flow.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

it('reads the lag of a paused partition, and of no other', async () => {
  const clock = new VirtualClock()
  const [paused, other] = [0, 1].map((partition) => {
    const flow = new PartitionFlow({ topic: 'things', partition })
    flow.beginAt(toPosition(10))
    flow.highWatermark = toPosition(20)
    return flow
  })
  paused.isPaused = true
  const asked: number[][] = []
  const watch = watchEnds({
    consumer: {
      ends: (places) => {
        asked.push(places.map(({ partition }) => partition))
        return Promise.resolve(new Map([['things/0', toPosition(5000)]]))
      }
    },
    clock,
    flows: () => [paused, other]
  })
  await clock.runUntil(5001)
  watch.stop()
  await clock.runUntil(60_000)

  expect(paused.lag).toBe(4990)
  expect(other.lag).toBe(10)
  expect(asked).toEqual([[0]])
})

it('reads the lag of a partition of which nothing was delivered yet', async () => {
  const clock = new VirtualClock()
  const flow = new PartitionFlow({ topic: 'things', partition: 0 })
  flow.beginAt(toPosition(10))
  const consumer = { ends: () => Promise.resolve(new Map([['things/0', toPosition(110)]])) }
  const watch = watchEnds({ consumer, clock, flows: () => [flow] })
  await clock.runUntil(5001)
  watch.stop()

  expect(flow.lag).toBe(100)
})
