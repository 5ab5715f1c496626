import { describe, expect, it } from 'vitest'
import { fieldCandidate, presentCandidate } from '../../src/candidates/candidate.ts'
import { findTimeField } from '../../src/candidates/find-time-field.ts'
import { refineCandidates, type RefineOptions } from '../../src/candidates/refine.ts'
import type { FieldSummary } from '../../src/sample/field-summary.ts'
import type { KeyProfile } from '../../src/sample/key-profile.ts'

const types = { string: 1000, number: 0, integer: 0, boolean: 0, null: 0, object: 0, array: 0 }

function field(path: string, distinct: number, time: FieldSummary['time'] = null): FieldSummary {
  return { path, distinct, time, records: 1000, present: 1000, types } as FieldSummary
}

/** Counts of 1,000 records in which the largest key has this share. */
function profile(share: number): KeyProfile {
  const heavy = [{ hash: 'a', values: ['large'], position: 0, records: share * 1000, bytes: 0, error: 0 }]
  return { records: 1000, heavy, atLeast: 500 } as unknown as KeyProfile
}

const options: RefineOptions = {
  fields: [field('/tenant', 200), field('/id', 1000)],
  queries: [],
  changingFields: [],
  partitions: 1,
  gb: null
}

function namesOf(share: number, changes: Partial<RefineOptions>, concentration = 0): readonly string[] {
  const counted = { candidate: fieldCandidate('/tenant'), profile: profile(share), concentration }
  return refineCandidates([counted], { ...options, ...changes }).map(({ name }) => name)
}

describe('suffixes for a candidate', () => {
  it('are proposed if the largest key has too much load for one physical partition, in a number that spreads this load', () => {
    expect(namesOf(0.4, { partitions: 10 })).toEqual([
      '/tenant + 64 suffixes by /id',
      '/tenant + up to 64 suffixes by /id for the largest value'
    ])
    expect(namesOf(0.4, { partitions: 1 })).toEqual([])
    expect(namesOf(0.001, { partitions: 10 })).toEqual([])
  })

  it('are also proposed in the smaller number that keeps the largest key below 20 GB', () => {
    expect(namesOf(0.4, { partitions: 10, gb: 300 })).toEqual([
      '/tenant + 16 suffixes by /id',
      '/tenant + 64 suffixes by /id',
      '/tenant + up to 64 suffixes by /id for the largest value'
    ])
  })

  it('are proposed in a larger number if one key gets all records of its time', () => {
    expect(namesOf(1 / 30, { partitions: 10 })[0]).toBe('/tenant + 4 suffixes by /id')
    expect(namesOf(1 / 30, { partitions: 10 }, 29 / 30)[0]).toBe('/tenant + 128 suffixes by /id')
  })

  it('are also proposed for the present key of the container', () => {
    const counted = { candidate: presentCandidate(['/tenant']), profile: profile(0.4) }

    expect(refineCandidates([counted], { ...options, partitions: 10 })[0].name).toBe('/tenant + 64 suffixes by /id')
  })

  it('are not computed from a field with few values, even if queries filter by it', () => {
    const byRegion = { name: 'q', perSecond: 5, equal: ['/region'], between: [], byId: false, rows: 1 }
    const fields = [...options.fields, field('/region', 20)]

    expect(namesOf(0.4, { partitions: 10, fields, queries: [byRegion] })[0]).toBe('/tenant + 64 suffixes by /id')
  })
})

describe('the time field that is found in a sample', () => {
  const none = { queries: [], changingFields: [] }
  const at = field('/at', 1000, 'iso')

  it('is the only field with times if all other time fields have only dates', () => {
    expect(findTimeField([field('/id', 1000), at, field('/date', 30, 'iso')], none)).toBe('/at')
  })

  it('is the time field that queries filter by a range', () => {
    const queries = [
      { name: 'q', perSecond: 1, equal: [], between: [{ field: '/updated', seconds: 60 }], byId: false, rows: 1 }
    ]

    expect(findTimeField([at, field('/updated', 1000, 'iso')], { ...none, queries })).toBe('/updated')
  })

  it('is undefined if several fields are possible, and is never a field that changes or is often missing', () => {
    const updated = field('/updated', 1000, 'iso')

    expect(findTimeField([at, updated], none)).toBeUndefined()
    expect(findTimeField([at, updated], { ...none, changingFields: ['/updated'] })).toBe('/at')
    expect(findTimeField([{ ...at, present: 900 }], none)).toBeUndefined()
    expect(findTimeField([field('/id', 1000)], none)).toBeUndefined()
  })
})
