import type { Operation } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { beginGroup, joinGroup } from '../../src/write/atomic-groups.ts'
import type { Target } from '../../src/write/target.ts'
import { SAMPLE_PLAN, sampleRecord, mapOne } from '../map/sample.ts'

const target = { container: 'one' } as Target
const record = sampleRecord()

function upsert(device: string, bytes = 10): Operation {
  return mapOne({ id: 'i', device, text: 'x'.repeat(bytes) }, { plan: SAMPLE_PLAN }) as Operation
}

function patch(steps: number): Operation {
  return {
    kind: 'patch',
    key: ['d'],
    id: 'i',
    steps: Array.from({ length: steps }, (_, at) => ({ op: 'set', path: `/m${at}`, value: 1 }))
  }
}

describe('an atomic group', () => {
  it('accepts operations of all kinds on its partition key', () => {
    const group = beginGroup(target, record, upsert('d'))
    const others: Operation[] = [upsert('d'), patch(10), { kind: 'delete', key: 'd', id: 'i' }]

    expect(others.map((operation) => joinGroup(group, target, record, operation))).toEqual([true, true, true])
    expect([group.operations.length, group.records.length]).toEqual([4, 4])
  })

  it.each<[string, Target, Operation]>([
    ['on another partition key', target, upsert('other')],
    ['for another container', { container: 'two' } as Target, upsert('d')],
    ['that makes the group too large', target, upsert('d', 1_000_000)],
    ['that is sent as a batch of its own', target, patch(11)]
  ])('accepts no operation %s', (_, where, operation) => {
    const group = beginGroup(target, record, upsert('d', 1_000_000))

    expect(joinGroup(group, where, record, operation)).toBe(false)
    expect(group.operations).toHaveLength(1)
  })

  it('accepts no further operation if it begins with a patch of more than ten operations', () => {
    expect(joinGroup(beginGroup(target, record, patch(11)), target, record, upsert('d'))).toBe(false)
  })

  it('accepts at most 100 operations', () => {
    const group = beginGroup(target, record, upsert('d'))
    while (joinGroup(group, target, record, upsert('d')));

    expect(group.operations).toHaveLength(100)
  })
})
