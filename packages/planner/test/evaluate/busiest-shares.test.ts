import { describe, expect, it } from 'vitest'
import { BusiestShares } from '../../src/evaluate/busiest-shares.ts'
import { costOfKey } from '../../src/evaluate/key-cost.ts'
import { createRandom, neededThroughput, parseWorkload, type SampleBasis, type SampleProfile } from '../../src/index.ts'
import type { KeyProfile } from '../../src/sample/key-profile.ts'
import { type Counted, profileOf } from '../model/profiles.ts'

const LOAD = 430_000
const workload = parseWorkload({})
const demand = { keyedRuPerSecond: LOAD, everyRangeRuPerSecond: () => 0, queriesAt: () => [] }

describe('the search for the cheapest number of partitions', { timeout: 120_000 }, () => {
  it('counts the load for every number of partitions if the sample has all documents', () => {
    const profile = uniform(3000)
    const shares = new BusiestShares(sampleOf(profile), { method: 'whole', population: profile.records }, seeded)

    expect(shares.areCounted(0)).toBe(true)
    const share = shares.of(0, 1)
    expect([97, 98, 99, 613].map((ranges) => share(ranges) < 1)).toEqual([true, true, true, true])
  })

  it('skips most large numbers of partitions if each number needs a simulation', () => {
    const profile = uniform(1000)
    const share = new BusiestShares(sampleOf(profile), sampled(profile), seeded).of(0, 40)

    const tried = Array.from({ length: 200 }, (_, index) => index + 1).filter((ranges) => share(ranges) < 1)
    expect(tried.length).toBeLessThan(50)
    expect(tried).toEqual(expect.arrayContaining([2, 3, 11, 12, 40, 41, 42]))
  })

  it.each([
    ['an even key', uniform(3000)],
    ['a key with some large values', skewed(3000)],
    ['a key with few values', uniform(400)]
  ])('returns a price at most 5 % above that of a search with all numbers: %s', (_title, profile) => {
    const shares = new BusiestShares(sampleOf(profile), sampled(profile), seeded)
    const { answer } = costOfKey(0, demand, {
      sample: sampleOf(profile),
      basis: sampled(profile),
      shares,
      workload,
      gb: null
    })
    const all = new BusiestShares(sampleOf(profile), sampled(profile), seeded)
    const busiestShareOf = (ranges: number) => (ranges > 120 ? 1 : all.of(0, ranges)(ranges))
    const full = neededThroughput({ busiestShareOf, loadRuPerSecond: LOAD, gb: null }).needed!

    expect(answer.needed!.monthlyPrice).toBeLessThanOrEqual(full.monthlyPrice * 1.05)
  })
})

/** A sample of one key without a time. */
function sampleOf(profile: KeyProfile): SampleProfile {
  const reservoir = { size: 0, records: 0, times: null, bytes: new Uint32Array(0), keys: [null] }
  return { records: profile.records, bytes: 0, invalid: 0, fields: [], keys: [profile], reservoir, transactions: [] }
}

const seeded = (): (() => number) => createRandom(1)

function sampled({ records }: KeyProfile): SampleBasis {
  return { method: 'uniform', population: records * 100 }
}

function uniform(keys: number): KeyProfile {
  const random = createRandom(keys)
  return profileOf(Array.from({ length: keys }, (): Counted => [random(), 1 + Math.floor(random() * 4)]))
}

function skewed(keys: number): KeyProfile {
  const random = createRandom(keys + 1)
  return profileOf(Array.from({ length: keys }, (_, rank): Counted => [random(), 1 + Math.floor(40 / (rank + 1))]))
}
