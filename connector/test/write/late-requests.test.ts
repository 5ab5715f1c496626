import { describe, expect, it } from 'vitest'
import { PartitionFlow } from '../../src/offsets/partition-flow.ts'
import { LateRequests } from '../../src/write/late-requests.ts'

describe('late requests', () => {
  it('L5 are logged with topic, partition and activity id, and counted by partition', () => {
    const { late, lines } = open()
    late.heard(requestOf({ activityId: 'a-1', lateMs: 9504.6, fences: [flowOf(1), flowOf(2)] }))
    late.heard(requestOf({ activityId: 'a-2', lateMs: 120, fences: [flowOf(2)] }))

    expect(lines.map(({ facts }) => facts)).toEqual([
      { topic: 'orders', partition: 1, activityId: 'a-1', lateMs: 9505, stage: 'written' },
      { topic: 'orders', partition: 2, activityId: 'a-1', lateMs: 9505, stage: 'written' },
      { topic: 'orders', partition: 2, activityId: 'a-2', lateMs: 120, stage: 'written' }
    ])
    for (const { sentence } of lines) expect(sentence).toContain('late request')
    expect(late.counts).toEqual([
      { topic: 'orders', partition: 1, count: 1 },
      { topic: 'orders', partition: 2, count: 2 }
    ])
  })

  it('L5 have the handover period to be applied where they were sent in time', () => {
    const { late, lines } = open()
    late.heard(requestOf({ stage: 'answered', lateMs: 1000 }))
    expect(lines).toEqual([])

    late.heard(requestOf({ stage: 'answered', lateMs: 1001 }))
    expect(lines.map(({ facts }) => facts)).toMatchObject([{ stage: 'answered', lateMs: 1001 }])
    expect(lines[0].sentence).toContain('late request')
  })
})

type Late = Parameters<LateRequests['heard']>[0]

function open() {
  const lines: { readonly facts: object; readonly sentence: string }[] = []
  return { late: new LateRequests({ warn: (facts, sentence) => lines.push({ facts, sentence }) }, 1000), lines }
}

function requestOf(changes: Partial<Late>): Late {
  return { rangeId: '0', activityId: 'a', stage: 'written', lateMs: 5000, fences: [flowOf(0)], ...changes }
}

function flowOf(partition: number): PartitionFlow {
  return new PartitionFlow({ topic: 'orders', partition })
}
