import { describe, expect, it, test } from 'vitest'
import { type ChargedWrite, pointReadCharge, queryCharge, readFactor, writeCharge } from '../../src/index.ts'

const write = (operation: ChargedWrite['operation'], more: Partial<ChargedWrite> = {}): number =>
  writeCharge({ operation, itemBytes: 1024, indexedValues: 10, ...more })

describe('the charge of a write', () => {
  // Microsoft's examples for 1 KB: 7.0, 7.0, 10.8, 11.6
  test.each([
    ['create', {}, 6.95],
    ['delete', {}, 6.95],
    ['replace', { changedValues: 2 }, 10.7],
    ['patch', { changedValues: 2 }, 11.5],
    ['patch', { changedValues: 2, patchOperations: 1 }, 11.1],
    ['replace', {}, 13.9],
    ['upsert', {}, 6.95],
    ['upsert', { existingShare: 1, changedValues: 2 }, 10.7],
    ['upsert', { existingShare: 0.5, changedValues: 2 }, 8.825]
  ] as const)('of a %s of 1 KB with %j is %d RU', (operation, more, charge) => {
    expect(write(operation, more)).toBeCloseTo(charge, 9)
  })

  test.each([
    [1, 4.95],
    [1000, 4.95],
    [1024, 4.95],
    [1536, 5.62],
    [2048, 6.29],
    [64 * 1024, 22.67],
    [2048 * 1024, 1250]
  ])('of %i bytes without an index is the charge in the published table: %d RU', (itemBytes, charge) => {
    expect(write('create', { itemBytes, indexedValues: 0 })).toBeCloseTo(charge, 9)
  })

  it('never falls with the size', () => {
    const charges = Array.from({ length: 3000 }, (_, at) => write('create', { itemBytes: at * 777 }))

    expect(charges).toEqual(charges.toSorted((a, b) => a - b))
  })
})

describe('the charge of a read', () => {
  test.each([
    [100, 1],
    [1024, 1],
    [3 * 1024, 1.09],
    [512 * 1024, 40.95]
  ])('of %i bytes by key and id is %d RU', (bytes, charge) => {
    expect(pointReadCharge(bytes, 'session')).toBeCloseTo(charge, 9)
  })

  it('doubles with strong consistency and bounded staleness', () => {
    expect(pointReadCharge(1024, 'strong')).toBe(2)
    expect(readFactor('boundedStaleness')).toBe(2)
    expect([readFactor('eventual'), readFactor('consistentPrefix'), readFactor('session')]).toEqual([1, 1, 1])
    expect(queryCharge({ ranges: 1, resultBytes: 0, consistency: 'strong' })).toBeCloseTo(5.62, 9)
  })

  it('grows with the number of partitions that a query reads, and with the size of its result', () => {
    const query = { ranges: 1, resultBytes: 100 * 1024, consistency: 'session' } as const

    expect(queryCharge(query)).toBeCloseTo(2.81 + 1.52, 9)
    expect(queryCharge({ ...query, ranges: 21 }) - queryCharge(query)).toBeCloseTo(20 * 2.8, 9)
  })
})
