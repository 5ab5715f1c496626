import { describe, expect, it } from 'vitest'
import { fieldCandidate, joinedCandidate } from '../../src/candidates/candidate.ts'
import { keySizes } from '../../src/evaluate/key-sizes.ts'
import type { Reservoir } from '../../src/sample/reservoir.ts'
import type { StorageForecast } from '../../src/service/storage.ts'

const DAY_SECONDS = 86_400
const perDay = joinedCandidate(['/tenant'], { of: '/at', unit: 'day', epoch: null })
const tenant = fieldCandidate('/tenant')

/** 10 GB a day, kept for a number of days. */
const keptFor = (days: number): StorageForecast => ({ gb: days * 10, kind: 'steady', growthBytesPerDay: 10e9 })
const GROWING: StorageForecast = { gb: 100, kind: 'growing', growthBytesPerDay: 10e9 }

function sampleOf(days: number): Reservoir {
  const times = Float64Array.of(Number.NaN, 0, days * DAY_SECONDS * 1000)
  return { size: 3, records: 3, times, bytes: new Uint32Array(3), keys: [] }
}

describe('the size of a key', () => {
  it('is its share of the size of all documents, if the key has no time bucket', () => {
    expect(keySizes(tenant, false, sampleOf(1), keptFor(30)).gbOf(0.4)).toBe(120)
  })

  it('is its share of the size of the documents of one bucket, if the sample covers a shorter time than the bucket', () => {
    expect(keySizes(perDay, true, sampleOf(0.1), keptFor(30)).gbOf(0.4)).toBeCloseTo(4, 9)
  })

  it('is its share of the size of the documents of the sampled time, if that time is longer than the bucket', () => {
    // 0.4 / 3 of the records of three days: 40 % of one day
    expect(keySizes(perDay, true, sampleOf(3), keptFor(30)).gbOf(0.4 / 3)).toBeCloseTo(4, 9)
    expect(keySizes(perDay, true, sampleOf(30), keptFor(1)).gbOf(0.4 / 30)).toBeCloseTo(4, 9)
  })

  it('is its share of all documents or of the documents of the sampled time, whichever is larger, if it depends on time but has no bucket', () => {
    expect(keySizes(tenant, true, sampleOf(30), keptFor(1)).gbOf(1 / 30)).toBeCloseTo(10, 9)
    expect(keySizes(tenant, true, sampleOf(1), keptFor(30)).gbOf(0.1)).toBeCloseTo(30, 9)
  })

  it('is at most the size of all documents, and is unknown if the size of all documents is unknown', () => {
    expect(keySizes(tenant, true, sampleOf(30), keptFor(1)).gbOf(0.5)).toBe(10)
    expect(keySizes(tenant, false, sampleOf(1), { ...GROWING, gb: null }).gbOf(0.5)).toBeNull()
  })

  it('reaches the limit of 20 GB on a day that is reported, unless the key has a time bucket', () => {
    const now = Date.UTC(2026, 0, 1)

    expect(keySizes(tenant, false, sampleOf(1), GROWING).fullOn(0.1, now)).toBe('2026-01-11')
    expect(keySizes(perDay, true, sampleOf(1), GROWING).fullOn(0.1, now)).toBeNull()
  })
})
