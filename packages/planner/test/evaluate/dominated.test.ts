import { describe, expect, it } from 'vitest'
import { fieldCandidate, joinedCandidate, presentCandidate } from '../../src/candidates/candidate.ts'
import { type FirstCounts, findDominated } from '../../src/evaluate/dominated.ts'
import { parseWorkload } from '../../src/index.ts'
import { profileOf } from '../model/profiles.ts'

const even = profileOf(Array.from({ length: 6000 }, (_, index) => [(index + 0.5) / 6000, 1]))
const few = profileOf(Array.from({ length: 6 }, (_, index) => [index / 6, 1000]))

const counts: FirstCounts = {
  candidates: [fieldCandidate('/id'), fieldCandidate('/region')],
  sample: { records: 6000, keys: [even, few], transactions: [] },
  concentrationOf: () => 0,
  queries: [],
  partitions: 50
}

describe('findDominated', () => {
  it('returns a key that spreads the records worse than another key, and that no query filters by', () => {
    expect(findDominated(counts)).toEqual([
      {
        candidate: counts.candidates[1],
        why: 'spreads the records less evenly than /id (in the first 6,000 records), and is no better for any query'
      }
    ])
  })

  const { queries } = parseWorkload({ queries: ['region @ 5/s'] })
  const joined = [joinedCandidate(['/id', '/region']), fieldCandidate('/region')]
  const torn = [{ field: '/cart', groups: 10, torn: [10, 0] }] as unknown as FirstCounts['sample']['transactions']
  it.each([
    ['a query filters by this key', { queries }],
    ['the other key is joined from more fields', { candidates: joined }],
    ['this key is the present key', { candidates: [counts.candidates[0], presentCandidate(['/region'])] }],
    ['the other key divides transactions', { sample: { ...counts.sample, transactions: torn } }],
    ['the other key has few values at any one time', { concentrationOf: (number: number) => (number === 0 ? 0.9 : 0) }],
    ['one physical partition is enough', { partitions: 1 }],
    ['there are too few records', { sample: { ...counts.sample, records: 1000 } }]
  ])('does not return a key that spreads the records worse than another key, if %s', (_title, change) => {
    expect(findDominated({ ...counts, ...change })).toEqual([])
  })
})
