import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createFlowControl, type FlowControl } from '../../src/partition/flow-control.ts'
import { PartitionFlow } from '../../src/partition/partition-flow.ts'
import { recordAt } from './records.ts'

describe('back-pressure', () => {
  it('pauses a partition whose share of memory is used up, and no other', () => {
    const { control, calls, flows } = begin(2)
    fill(flows[0], 6)
    control.adjust(flows[0])
    control.adjust(flows[1])

    expect(calls).toEqual(['pause 0'])
  })

  it('resumes it before its last record is settled', () => {
    const { control, calls, flows } = begin(2)
    const records = fill(flows[0], 6)
    control.adjust(flows[0])
    for (const record of records) {
      flows[0].settle(record)
      control.adjust(flows[0])
      if (calls.length > 1) break
    }

    expect(calls).toEqual(['pause 0', 'resume 0'])
    expect(flows[0].openCount).toBeGreaterThan(0)
  })

  it('L6 does not resume it while its share is used up', () => {
    const { control, calls, flows } = begin(2)
    const records = fill(flows[0], 6)
    control.adjust(flows[0])
    control.adjust(flows[0])
    expect(calls).toEqual(['pause 0'])

    // more than 0.7 of its half, less than 0.7 of the whole
    for (const record of records.slice(0, 2)) flows[0].settle(record)
    control.adjust(flows[0])

    expect(calls).toEqual(['pause 0'])
  })

  it('L6 lets work on no more than what decoding has made of it fits', () => {
    const { control, flows } = begin(2)
    const [record] = fill(flows[0], 1)
    flows[0].begin(record, 100_000_000)

    expect(control.hasRoom(flows[0])).toBe(false)
    expect(control.hasRoom(flows[1])).toBe(true)
  })

  it('resumes nothing after all partitions were paused', () => {
    const { control, calls, flows } = begin(2)
    const records = fill(flows[0], 6)
    control.adjust(flows[0])
    control.pauseAll(flows)
    for (const record of records) {
      flows[0].settle(record)
      control.adjust(flows[0])
    }

    expect(calls).toEqual(['pause 0', 'pause 1'])
  })
})

interface Begun {
  readonly control: FlowControl
  readonly calls: string[]
  readonly flows: readonly PartitionFlow[]
}

function begin(partitions: number): Begun {
  const calls: string[] = []
  const control = createFlowControl(
    {
      pause: (places) => calls.push(`pause ${places.map(({ partition }) => partition).join()}`),
      resume: (places) => calls.push(`resume ${places.map(({ partition }) => partition).join()}`)
    },
    10_000
  )
  control.divideBy(partitions)
  const flows = Array.from({ length: partitions }, (_, partition) => {
    const flow = new PartitionFlow({ topic: 'things', partition })
    flow.beginAt(toPosition(0))
    return flow
  })
  return { control, calls, flows }
}

function fill(flow: PartitionFlow, count: number): ReturnType<typeof recordAt>[] {
  const records = Array.from({ length: count }, (_, offset) => recordAt(offset, 'x'.repeat(500)))
  for (const record of records) flow.open(record)
  return records
}
