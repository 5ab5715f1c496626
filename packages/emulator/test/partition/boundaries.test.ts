import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HIGHEST, initialBoundaries, LOWEST, middleBoundary } from '../../src/partition/boundaries.ts'
import type { KeyScheme } from '../../src/partition/effective-key.ts'

const { boundaries } = JSON.parse(readFileSync(new URL('./vectors.json', import.meta.url), 'utf8')) as {
  boundaries: { v1: Record<string, string[]>; v2: Record<string, string[]> }
}
const v1: KeyScheme = { kind: 'Hash', version: 1 }
const v2: KeyScheme = { kind: 'Hash', version: 2 }

describe('the boundaries of a new container', () => {
  it.each(Object.entries(boundaries.v2))('of %s ranges in V2 are %j', (count, expected) => {
    expect(initialBoundaries(Number(count), v2)).toEqual(expected)
  })

  it.each(Object.entries(boundaries.v1))('of %s ranges in V1 are %j', (count, expected) => {
    expect(initialBoundaries(Number(count), v1)).toEqual(expected)
  })
})

describe('the boundary of a split', () => {
  it('halves the upper half of a V2 container', () => {
    expect(middleBoundary('1FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF', HIGHEST, v2)).toBe('2FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF')
  })

  it('halves the last of 25 V1 ranges at the value in the tests of the .NET SDK', () => {
    expect(middleBoundary(initialBoundaries(25, v1)[23], HIGHEST, v1)).toBe('05C1EFAF0B1F46')
  })

  it('does not exist if there is no key between the ends', () => {
    expect(middleBoundary('00000000000000000000000000000001', '00000000000000000000000000000002', v2)).toBeUndefined()
    expect(middleBoundary(LOWEST, '00000000000000000000000000000000', v2)).toBeUndefined()
  })
})
