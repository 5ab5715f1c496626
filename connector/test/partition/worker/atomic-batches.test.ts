import { describe, expect, it } from 'vitest'
import { batchOf, recordAt } from '../records.ts'
import { begin, WRITTEN } from './begin.ts'

describe('atomic batches', () => {
  it('contain consecutive records of one key, each of which gets its outcome', () => {
    const { worker, groups, submitted, answers } = begin({ isAtomic: true })
    const keys = ['a', 'a', 'b', 'a']
    worker.take(
      batchOf(
        keys.map((key, offset) => recordAt(offset, '{}', key)),
        0
      )
    )
    expect(groups.map(({ offsets }) => offsets)).toEqual([[0, 1]])
    expect(submitted).toEqual([2, 3])

    for (const { offsets, answer } of groups) answer(offsets.map(() => WRITTEN))
    for (const answer of answers) answer(WRITTEN)

    expect(worker.records.committable).toBe(4)
  })

  it('are no larger than Cosmos DB allows', () => {
    const { worker, groups } = begin({ isAtomic: true })
    worker.take(
      batchOf(
        Array.from({ length: 150 }, (_, offset) => recordAt(offset)),
        0
      )
    )

    expect(groups.map(({ offsets }) => offsets.length)).toEqual([100, 50])
  })
})
