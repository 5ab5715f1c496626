import { ownerOf, partitionHash, rangesOf } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { loadByRange } from '../../src/model/range-load.ts'
import type { KeyProfile } from '../../src/sample/key-profile.ts'
import {
  createProfiler,
  type KeyCandidate,
  type ProfilerOptions,
  type SampleProfile
} from '../../src/sample/profiler.ts'
import { createRandom } from '../../src/sample/random.ts'

const path = (...paths: string[]): KeyCandidate => ({ name: paths.join(), plan: null, partitionKeyPaths: paths })

const CANDIDATES: readonly KeyCandidate[] = [
  path('/tenant'),
  path('/tenant', '/user'),
  { ...path('/tenant'), hashVersion: 1 },
  {
    name: 'tenant and user',
    plan: { into: '/pk', from: [{ field: '/tenant' }, { field: '/user' }] },
    partitionKeyPaths: ['/pk']
  }
]

type Options = Partial<ProfilerOptions>

function profile(records: readonly unknown[], options: Options = {}): SampleProfile {
  const profiler = createProfiler({ candidates: CANDIDATES, fields: [], random: createRandom(1), ...options })
  for (const record of records) profiler.add(Buffer.from(JSON.stringify(record)))
  return profiler.finish()
}

const bytesOf = (record: unknown) => JSON.stringify(record).length

/** Records and bytes by partition hash, counted without any sketch. */
function countHashes(records: readonly Fields[], hashOf: (record: Fields) => string): Map<string, [number, number]> {
  const counts = new Map<string, [number, number]>()
  for (const record of records) {
    const [count, bytes] = counts.get(hashOf(record)) ?? [0, 0]
    counts.set(hashOf(record), [count + 1, bytes + bytesOf(record)])
  }
  return counts
}

interface Fields {
  readonly tenant?: string | number
  readonly user?: string
}

const fields = fc.record({
  tenant: fc.oneof(fc.nat(3), fc.constantFrom('a', 'b')),
  user: fc.constantFrom('u', 'v', 'w')
})

describe('createProfiler', () => {
  test('counts records and bytes by the partition hash', () => {
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 60 }), (records) => {
        const { keys } = profile(records)
        const hashes = [
          (record: Fields) => partitionHash([record.tenant], { version: 2 }),
          (record: Fields) => partitionHash([record.tenant, record.user], { kind: 'MultiHash' }),
          (record: Fields) => partitionHash([record.tenant], { version: 1 }),
          (record: Fields) => partitionHash([`${record.tenant}-${record.user}`], { version: 2 })
        ]
        for (const [candidate, hashOf] of hashes.entries()) {
          const counts = countHashes(records, hashOf)
          const { heavy, distinct, once, records: counted, bytes } = keys[candidate] as KeyProfile
          expect(byCount(heavy.map((key) => [key.records, key.bytes]))).toEqual(byCount([...counts.values()]))
          expect(distinct).toBe(counts.size)
          expect(once).toBe([...counts.values()].filter(([count]) => count === 1).length)
          expect(counted).toBe(records.length)
          expect(bytes).toBe(records.reduce((sum, record) => sum + bytesOf(record), 0))
        }
      })
    )
  })

  test('reports frequent keys with the beginning of their hash and with their values', () => {
    const { keys } = profile([
      { tenant: 'a', user: 'u' },
      { tenant: 'a', user: 'u' }
    ])
    const [flat, hierarchical, old] = keys.map((key) => key?.heavy[0])
    expect(flat).toMatchObject({ hash: partitionHash(['a'], { version: 2 }).slice(0, 16), values: ['a'], records: 2 })
    const whole = partitionHash(['a', 'u'], { kind: 'MultiHash' })
    expect(hierarchical).toMatchObject({ hash: `${whole.slice(0, 8)}-${whole.slice(32, 40)}`, values: ['a', 'u'] })
    expect(old?.hash).toBe(partitionHash(['a'], { version: 1 }).slice(0, 16))
  })

  test.each([1, 2] as const)(
    'assigns keys to the physical partitions of a container with hash version %d',
    (version) => {
      const records = Array.from({ length: 300 }, (_, index) => ({ tenant: index % 2 === 0 ? index : `t${index}` }))
      const { keys } = profile([...records, ...records], { candidates: [{ ...path('/tenant'), hashVersion: version }] })
      for (const count of [1, 2, 7, 50]) {
        const ranges = rangesOf(count, { version })
        for (const { position, values } of keys[0]!.heavy) {
          const owner = ownerOf(ranges, partitionHash(values!, { version }))
          expect(ranges[Math.floor(position * count)]).toBe(owner)
        }
      }
    }
  )

  test('assigns a hierarchical key to a physical partition by its first level alone', () => {
    const records = Array.from({ length: 500 }, (_, index) => ({ tenant: 'a', user: `u${index}` }))
    const { keys } = profile(records)
    expect(keys[1]).toMatchObject({ distinct: 500, placed: { distinct: 1 } })
    expect(loadByRange(keys[1] as KeyProfile, 10).filter((load) => load > 0)).toEqual([1])
    expect(loadByRange(keys[3] as KeyProfile, 10).every((load) => load > 0.02)).toBe(true)
  })

  test('identifies whole keys in the reservoir, also if only their first level decides the position', () => {
    const users = ['u', 'v', 'u']
    const { reservoir } = profile(users.map((user) => ({ tenant: 'a', user })))
    const [flat, hierarchical, old, joined] = reservoir.keys.map((keys) => ({
      ids: Array.from(keys!.ids, (id) => keys!.ids.indexOf(id)),
      positions: new Set(keys!.positions).size
    }))
    expect(flat).toEqual({ ids: [0, 0, 0], positions: 1 })
    expect(hierarchical).toEqual({ ids: [0, 1, 0], positions: 1 })
    expect(old).toEqual({ ids: [0, 0, 0], positions: 1 })
    expect(joined).toEqual({ ids: [0, 1, 0], positions: 2 })
  })

  test('returns the same counts for any order of the records, except for the halves of the sample', () => {
    const options: Options = { timeField: '/at', transactions: ['/user'], reservoirSize: 100 }
    const timed = fc.record({
      tenant: fc.nat(3),
      user: fc.constantFrom('u', 'v'),
      at: fc.nat(1e6).map((ms) => new Date(ms).toISOString())
    })
    const shuffled = fc
      .array(timed, { maxLength: 50 })
      .chain((records) => fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })))
    fc.assert(
      fc.property(shuffled, ([records, others]) => {
        expect(withoutOrder(profile(others, options))).toEqual(withoutOrder(profile(records, options)))
      }),
      { numRuns: 30 }
    )
  })

  test('counts records that a key rejects by their code, and records without a value', () => {
    const { keys, invalid, records } = profile([
      { tenant: 'a' },
      { tenant: {}, user: 'u' },
      { user: 'u' },
      7,
      { tenant: 'b', user: 'u' }
    ])
    expect([records, invalid]).toEqual([4, 1])
    expect(keys[0]).toMatchObject({
      records: 3,
      rejected: 1,
      missing: 1,
      rejections: [{ code: 'FIELD_WRONG_TYPE', records: 1 }]
    })
    expect(keys[3]).toMatchObject({ records: 1, rejected: 3, missing: 0 })
  })

  test('stops counting a dropped candidate, and returns the counts of the other candidates before the end', () => {
    const profiler = createProfiler({ candidates: CANDIDATES, fields: [], random: createRandom(1) })
    profiler.add(Buffer.from('{"tenant":1}'))
    profiler.drop(0)
    profiler.add(Buffer.from('{"tenant":1}'))
    expect(profiler.peek(0)).toBeNull()
    expect(profiler.peek(1)).toMatchObject({ records: 2 })
    const { keys, reservoir } = profiler.finish()
    expect([keys[0], reservoir.keys[0]]).toEqual([null, null])
    expect(keys[1]).toMatchObject({ records: 2 })
  })

  test('gives the memory of a dropped candidate to the other candidates', () => {
    const profiler = createProfiler({
      candidates: [path('/a'), path('/b')],
      fields: [],
      random: createRandom(1),
      maxKeys: 1500
    })
    for (let key = 0; key < 1000; key++) {
      profiler.add(Buffer.from(`{"a":${key},"b":${key}}`))
      if (key === 700) profiler.drop(0)
    }
    expect(profiler.finish().keys[1]).toMatchObject({ isExact: true, distinct: 1000 })
  })

  test('counts the first half of the sample separately from the second half', () => {
    const { keys } = profile(Array.from({ length: 1000 }, (_, index) => ({ tenant: index < 500 ? 'a' : 'b' })))
    const { first, second } = keys[0]!.halves!
    const sums = [first, second].map((cells) => cells.reduce((sum, count) => sum + count, 0))
    expect(sums).toEqual([512, 488])
    expect(first.filter((count, cell) => count > 0 && second[cell] > 0)).toHaveLength(1)
  })

  test('keeps a uniform sample of the records with their times', () => {
    const records = Array.from({ length: 4000 }, (_, index) => ({ tenant: index, at: 1_700_000_000_000 + index }))
    const { reservoir } = profile(records, { timeField: '/at', reservoirSize: 1000 })
    expect([reservoir.size, reservoir.records]).toEqual([1000, 4000])
    const offsets = Array.from(reservoir.times!, (time) => time - 1_700_000_000_000)
    expect(new Set(offsets).size).toBe(1000)
    const early = offsets.filter((offset) => offset < 1000).length
    expect(early).toBeGreaterThan(200)
    expect(early).toBeLessThan(300)
  })

  test('refuses a path that is not a JSON pointer', () => {
    expect(() => createProfiler({ candidates: [path('tenant')], fields: [], random: createRandom(1) })).toThrow(
      '"tenant" is not a JSON pointer: write "/a/b" for b in a.'
    )
  })
})

describe('a profiler with more keys than fit in memory', () => {
  const records = Array.from({ length: 30_000 }, (_, index) => ({
    tenant: index % 3 === 0 ? 'big' : `t${Math.floor(index / 2)}`
  }))
  const exact = profile(records, { candidates: [path('/tenant')] }).keys[0] as KeyProfile
  const sketched = profile(records, { candidates: [path('/tenant')], maxKeys: 2000 }).keys[0] as KeyProfile

  test('estimates the number of distinct keys, and marks it as not exact', () => {
    expect([exact.isExact, sketched.isExact]).toEqual([true, false])
    expect(exact.distinct).toBe(15_001)
    expect(Math.abs(sketched.distinct / exact.distinct - 1)).toBeLessThan(0.03)
    expect(sketched.atLeast).toBeGreaterThan(1900)
    expect(sketched.atLeast).toBeLessThanOrEqual(exact.distinct)
  })

  test('estimates how many keys have one record', () => {
    expect(Math.abs(sketched.once / exact.once - 1)).toBeLessThan(0.15)
  })

  test('bounds the counts of the most frequent keys', () => {
    const [first, second] = sketched.heavy
    expect(first).toMatchObject({ hash: exact.heavy[0].hash, values: ['big'] })
    expect(first.records).toBeGreaterThanOrEqual(10_000)
    expect(first.records - first.error).toBeLessThanOrEqual(10_000)
    expect(second.records - second.error).toBeLessThanOrEqual(2)
  })

  test('counts the slices of the hash space exactly', () => {
    expect(sketched.slices).toEqual(exact.slices)
    expect(sketched.sliceBytes).toEqual(exact.sliceBytes)
    for (const ranges of [1, 7, 64]) {
      const loads = loadByRange(exact, ranges)
      for (const [range, load] of loadByRange(sketched, ranges).entries()) expect(load).toBeCloseTo(loads[range], 3)
    }
  })
})

/** A profile without its halves, and with the records of the reservoir in an order of their own. */
function withoutOrder({ keys, reservoir, ...rest }: SampleProfile): unknown {
  const rows = Array.from({ length: reservoir.size }, (_, record) => {
    const ofKeys = reservoir.keys.map((each) => each && [each.ids[record], each.positions[record]])
    return JSON.stringify([reservoir.times?.[record], reservoir.bytes[record], ofKeys])
  })
  return { ...rest, rows: rows.toSorted(), keys: keys.map((key) => key && sortedKey(key)) }
}

function sortedKey(key: KeyProfile): unknown {
  const slices = Array.from(key.slices, (records, slice) => `${slice} ${records} ${key.sliceBytes[slice]}`)
  const sorted = { slices: slices.filter((slice) => !slice.includes(' 0 ')), sliceBytes: null, halves: null }
  return { ...key, ...sorted, all: sortedAll(key), placed: { ...key.placed, all: sortedAll(key.placed) } }
}

function sortedAll({ all }: Pick<KeyProfile, 'all'>): unknown {
  return all && Array.from(all.positions, (position, key) => `${position} ${all.records[key]}`).toSorted()
}

function byCount(list: readonly (readonly number[])[]): unknown {
  return list.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
}
