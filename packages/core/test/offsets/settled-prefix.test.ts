import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSettledPrefix, toPosition } from '../../src/offsets/settled-prefix.ts'
import { createNaivePrefix } from './naive-prefix.ts'

const at = toPosition
const broken = expect.objectContaining({ code: 'INVARIANT_BROKEN' })

describe('createSettledPrefix', () => {
  it('reports the first position as committable before any record is opened', () => {
    const prefix = createSettledPrefix({ first: at(42n) })

    expect(prefix.committable).toBe(42)
    expect(prefix.openCount).toBe(0)
    expect(prefix.oldestOpen).toBeUndefined()
  })

  // checks L1
  it('does not advance beyond an open record, even if many records after it are settled', () => {
    const prefix = createSettledPrefix({ first: at(10) })
    for (let position = 10; position < 20; position++) prefix.open(at(position))
    for (let position = 11; position < 20; position++) prefix.settle(at(position))

    expect(prefix.committable).toBe(10)
    expect(prefix.oldestOpen).toBe(10)
    prefix.settle(at(10))
    expect(prefix.committable).toBe(20)
  })

  it('reports the position after the last settled record as committable if positions have gaps', () => {
    const prefix = createSettledPrefix({ first: at(0) })
    for (const position of [5, 9, 30]) prefix.open(at(position))

    expect(prefix.committable).toBe(0)
    prefix.settle(at(5))
    expect(prefix.committable).toBe(6)
    prefix.settle(at(30))
    expect(prefix.committable).toBe(6)
    prefix.settle(at(9))
    expect(prefix.committable).toBe(31)
  })

  it('does not advance while the oldest open record is not settled, even if the position of the newest record is much higher', () => {
    const prefix = createSettledPrefix({ first: at(0) })
    prefix.open(at(3))
    prefix.settle(at(3))
    prefix.open(at(1_000_000))

    expect(prefix.committable).toBe(4)
  })

  // checks L2
  it('throws if a record is settled twice', () => {
    const prefix = createSettledPrefix({ first: at(0) })
    for (const position of [0, 1, 2]) prefix.open(at(position))
    prefix.settle(at(1))

    expect(() => prefix.settle(at(1))).toThrow(broken)
    prefix.settle(at(0))
    expect(() => prefix.settle(at(0))).toThrow(broken)
    expect(() => prefix.settle(at(1))).toThrow(broken)
  })

  // checks L2
  it('throws if a record is settled that was not opened', () => {
    const prefix = createSettledPrefix({ first: at(5) })
    expect(() => prefix.settle(at(5))).toThrow(broken)
    prefix.open(at(7))
    prefix.open(at(9))

    for (const position of [0, 6, 8, 10]) expect(() => prefix.settle(at(position))).toThrow(broken)
  })

  it('throws if positions do not ascend', () => {
    const prefix = createSettledPrefix({ first: at(5) })
    expect(() => prefix.open(at(4))).toThrow(broken)
    prefix.open(at(7))

    expect(() => prefix.open(at(7))).toThrow(broken)
    expect(() => prefix.open(at(6))).toThrow(broken)
  })

  // checks L1
  it('agrees with a naive model for any order of opening and settling', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
        expect(playBoth(steps)).toEqual([])
      }),
      { numRuns: 100 }
    )
  })

  // checks L6
  it('handles a million records after an open one in little time and memory', () => {
    const prefix = createSettledPrefix({ first: at(0) })
    prefix.open(at(0))
    for (let position = 1; position <= 1_000_000; position++) {
      prefix.open(at(position))
      prefix.settle(at(position))
    }

    expect(prefix.openCount).toBe(1)
    expect(prefix.committable).toBe(0)
    prefix.settle(at(0))
    expect(prefix.committable).toBe(1_000_001)
  })
})

// opens records more often than it settles them, so that many are open at a time
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ open: fc.constant(true), pick: fc.oneof(fc.constant(0), fc.nat(5), fc.nat(100_000)) })
  },
  { weight: 2, arbitrary: fc.record({ open: fc.constant(false), pick: fc.nat(1_000) }) }
)

/** Runs the steps on both, and returns every step after which they differ. */
function playBoth(steps: readonly { open: boolean; pick: number }[]): unknown[] {
  const prefix = createSettledPrefix({ first: at(100) })
  const naive = createNaivePrefix(100)
  const differences: unknown[] = []
  let next = 100
  for (const { open, pick } of steps) {
    const openPositions = naive.openPositions()
    if (open) {
      prefix.open(at(next + pick))
      naive.open(next + pick)
      next += pick + 1
    } else if (openPositions.length > 0) {
      const position = openPositions[pick % openPositions.length]
      prefix.settle(at(position))
      naive.settle(position)
    }
    const got = [prefix.committable, prefix.openCount, prefix.oldestOpen]
    const wanted = [naive.committable(), naive.openPositions().length, naive.openPositions()[0]]
    if (String(got) !== String(wanted)) differences.push({ got, wanted })
  }
  return differences
}
