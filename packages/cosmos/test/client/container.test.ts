import { describe, expect, it } from 'vitest'
import { toContainerDefinition, toContainerRanges } from '../../src/client/container.ts'

describe('toContainerDefinition', () => {
  it('uses version 1 for a key definition without a version, as the service does', () => {
    const { partitionKey } = toContainerDefinition({ partitionKey: { paths: ['/pk'] } })

    expect(partitionKey).toEqual({ paths: ['/pk'], kind: 'Hash', version: 1 })
  })

  it('has no default ttl if documents do not expire', () => {
    expect(toContainerDefinition({ partitionKey: { paths: ['/pk'] } }).defaultTtl).toBeUndefined()
  })
})

describe('toContainerRanges', () => {
  it('sorts ranges by their lower boundary, not by the order of the list', () => {
    const ranges = toContainerRanges([listed('2', '1F', 'FF', ['0']), listed('1', '', '1F', ['0'])])

    expect(ranges).toEqual([
      { id: '1', min: '', max: '1F', parents: ['0'], throughputFraction: 1 },
      { id: '2', min: '1F', max: 'FF', parents: ['0'], throughputFraction: 1 }
    ])
  })

  it.each([
    ['a gap in the middle', [listed('1', '', '1F'), listed('2', '2F', 'FF')]],
    ['a gap at the beginning', [listed('2', '1F', 'FF')]],
    ['a gap at the end', [listed('1', '', '1F')]],
    ['a parent together with its children', [listed('0', '', 'FF'), listed('1', '', '1F'), listed('2', '1F', 'FF')]],
    ['no entries', []]
  ])('throws for a list with %s, so that the list is read again', (_, list) => {
    expect(() => toContainerRanges(list)).toThrow(
      expect.objectContaining({ code: 'COSMOS_UNAVAILABLE', retriable: true })
    )
  })
})

function listed(id: string, minInclusive: string, maxExclusive: string, parents: string[] = []) {
  return { id, minInclusive, maxExclusive, parents, ridPrefix: 0, throughputFraction: 1, status: 'online' }
}
