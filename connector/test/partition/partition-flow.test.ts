import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { PartitionFlow } from '../../src/partition/partition-flow.ts'
import { recordAt } from './records.ts'

describe('a partition that is ours', () => {
  it('is committable up to the first record without an outcome', () => {
    const flow = flowFrom(5)
    const [first, second, third] = [recordAt(5), recordAt(6), recordAt(9)]
    for (const record of [first, second, third]) flow.open(record)
    flow.passTo(toPosition(10))

    flow.settle(third)
    flow.settle(first)

    expect(flow.committable).toBe(6)
    expect(flow.oldestOpen).toBe(6)
  })

  it('is committable past invisible records after the last one, once nothing is in flight', () => {
    const flow = flowFrom(0)
    const record = recordAt(0)
    flow.open(record)
    flow.passTo(toPosition(3))
    expect(flow.committable).toBe(0)

    flow.settle(record)

    expect(flow.committable).toBe(3)
  })

  it('never commits a smaller offset than before, though records follow after what is invisible', () => {
    const flow = flowFrom(0)
    flow.open(recordAt(0))
    flow.passTo(toPosition(3))
    flow.settle(recordAt(0))
    expect(flow.committable).toBe(3)

    flow.open(recordAt(4))

    expect(flow.committable).toBe(3)
  })

  it('counts the bytes of what is open, and none when nothing is', () => {
    const flow = flowFrom(0)
    const record = recordAt(0, 'x'.repeat(1000))
    flow.open(record)
    expect(flow.openBytes).toBeGreaterThan(1000)

    flow.settle(record)

    expect(flow.openBytes).toBe(0)
  })

  it('begins at the first offset that it is given', () => {
    const flow = flowFrom(7)
    flow.beginAt(toPosition(3))

    expect(flow.expected).toBe(7)
  })

  it('has a lag: the records between its committable offset and the end of the partition', () => {
    const flow = flowFrom(10)
    flow.highWatermark = toPosition(25)

    expect(flow.lag).toBe(15)
  })

  it('forgets what it has not worked on when it is lost', () => {
    const flow = flowFrom(0)
    flow.open(recordAt(0))
    flow.lose()

    expect(flow.peek()).toBeUndefined()
    expect(flow.isReady).toBe(false)
  })
})

function flowFrom(position: number): PartitionFlow {
  const flow = new PartitionFlow({ topic: 'things', partition: 0 })
  flow.beginAt(toPosition(position))
  return flow
}
