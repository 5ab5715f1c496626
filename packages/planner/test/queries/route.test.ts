import { partitionHash } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import {
  type Candidate,
  fieldCandidate,
  hierarchicalCandidate,
  hotCandidate,
  joinedCandidate,
  suffixCandidate
} from '../../src/candidates/candidate.ts'
import { routeQuery } from '../../src/queries/route.ts'
import type { QueryLoad } from '../../src/workload/workload.ts'

const PARTITIONS = 20

function query(filters: Partial<QueryLoad>): QueryLoad {
  return { name: 'q', perSecond: 1, equal: [], between: [], byId: false, rows: 10, ...filters }
}

const byDevice = query({ equal: ['/deviceId'] })
const byDeviceInADay = query({ equal: ['/deviceId'], between: [{ field: '/at', seconds: 86_400 }] })
const bucketed = joinedCandidate(['/deviceId'], { of: '/at', unit: 'day', epoch: null })
const spread = suffixCandidate(joinedCandidate([], { of: '/at', unit: 'day', epoch: null }), '/deviceId', 400)

describe('the route of a query', () => {
  const rows: readonly (readonly [string, QueryLoad, Candidate, object])[] = [
    ['one key, if the key is known', byDevice, fieldCandidate('/deviceId'), { kind: 'key', ranges: 1 }],
    ['all partitions, if the key is not known', byDevice, fieldCandidate('/fleetId'), { kind: 'all', ranges: 20 }],
    [
      'a point read, if key and id are known',
      query({ equal: ['/deviceId', '/id'], byId: true }),
      fieldCandidate('/deviceId'),
      { kind: 'point', ranges: 1 }
    ],
    [
      'a point read by the id alone, if the id is the key',
      query({ equal: ['/id'], byId: true }),
      fieldCandidate('/id'),
      { kind: 'point', ranges: 1 }
    ],
    [
      'the partitions of the keys, if the query names several values of the key',
      query({ equal: ['/deviceId'], several: [{ field: '/deviceId', values: 3 }] }),
      fieldCandidate('/deviceId'),
      { kind: 'ranges', ranges: expect.closeTo(2.85, 2) }
    ],
    ['all partitions, if a part of a joined key is unknown', byDevice, bucketed, { kind: 'all', ranges: 20 }],
    [
      'one key, if all fields of a joined key are known',
      query({ equal: ['/a', '/b'] }),
      joinedCandidate(['/a', '/b']),
      { kind: 'key', ranges: 1 }
    ],
    [
      'one key, if the field of the suffix is known',
      query({ equal: ['/at', '/deviceId'] }),
      spread,
      { kind: 'key', ranges: 1 }
    ],
    [
      'every partition once, if the suffix is unknown',
      query({ equal: ['/at'] }),
      spread,
      { kind: 'ranges', ranges: 20 }
    ],
    [
      'one partition, if the first level of a hierarchical key is known',
      query({ equal: ['/tenantId'] }),
      hierarchicalCandidate(['/tenantId', '/userId']),
      { kind: 'ranges', ranges: 1 }
    ],
    [
      'all partitions, if only a later level is known',
      query({ equal: ['/userId'] }),
      hierarchicalCandidate(['/tenantId', '/userId']),
      { kind: 'all', ranges: 20 }
    ]
  ]

  it.each(rows)('is %s', (_title, asked, candidate, route) => {
    expect(routeQuery(asked, candidate, PARTITIONS)).toEqual(route)
  })

  it('leads to the partitions of two days for a time range of one day', () => {
    // two keys lie in 1.95 of 20 partitions on average
    expect(routeQuery(byDeviceInADay, bucketed, PARTITIONS)).toEqual({
      kind: 'ranges',
      ranges: expect.closeTo(1.95, 2)
    })
  })

  it('leads to little more than one day for a time range of one hour', () => {
    const anHour = query({ equal: ['/deviceId'], between: [{ field: '/at', seconds: 3600 }] })

    expect(routeQuery(anHour, bucketed, PARTITIONS).ranges).toBeCloseTo(1 + 1 / 24, 2)
  })

  it('leads to all suffixes of a frequent value and to one key of other values, weighted by their shares of the records', () => {
    const base = joinedCandidate(['/tenant'])
    const hot = hotCandidate(base, '/order', [{ value: 'tenant-0', count: 16, share: 0.4 }])

    // 16 even suffixes lie in 16 partitions, one key in one: 0.4 x 16 + 0.6 x 1
    expect(routeQuery(query({ equal: ['/tenant'] }), hot, PARTITIONS)).toEqual({
      kind: 'ranges',
      ranges: expect.closeTo(7, 9)
    })
    expect(routeQuery(query({ equal: ['/tenant', '/order'] }), hot, PARTITIONS)).toEqual({ kind: 'key', ranges: 1 })
  })

  it('is one partition for the even suffix of a known value on two days, because both keys are in the same slice', () => {
    const inADay = query({ equal: ['/deviceId'], between: [{ field: '/at', seconds: 86_400 }] })

    expect(routeQuery(inADay, spread, PARTITIONS)).toEqual({ kind: 'ranges', ranges: 1 })
  })

  it('counts the partitions of keys with fewer even suffixes than partitions', () => {
    const few = suffixCandidate(joinedCandidate([], { of: '/at', unit: 'day', epoch: null }), '/deviceId', 5)
    const day = { field: '/at', seconds: 86_400 }

    // a slice has 4 partitions: two keys of one slice are in 1.75 of them on average
    expect(routeQuery(query({ equal: ['/deviceId'], between: [day] }), few, PARTITIONS).ranges).toBeCloseTo(1.75, 9)
    expect(routeQuery(query({ between: [day] }), few, PARTITIONS).ranges).toBeCloseTo(5 * 1.75, 9)
  })

  it('counts the partitions of the numbered suffixes of a named value by their hashes', () => {
    const even = hotCandidate(joinedCandidate(['/tenant']), '/order', [{ value: 'tenant-0', count: 16, share: 0.4 }])
    const plan = {
      into: '/partitionKey',
      from: [{ field: '/tenant' }],
      suffix: { by: '/order', count: 1, hot: { 'tenant-0': 16 } }
    } as const
    const [{ parts, suffix }] = even.levels
    const numbered = {
      ...even,
      plan,
      levels: [{ parts, suffix: { ...suffix!, isEven: false, hot: [{ value: 'tenant-0', count: 16, share: 0.4 }] } }]
    }
    const heads = Array.from({ length: 16 }, (_, index) =>
      Number.parseInt(partitionHash([`tenant-0.${index + 1}`], { version: 2 }).slice(0, 8), 16)
    )
    const partitions = new Set(heads.map((head) => Math.floor((head / 2 ** 30) * 8)))

    expect(partitions.size).toBe(8)
    // on average, 16 keys are in 7.06 of 8 partitions
    expect(routeQuery(query({ equal: ['/tenant'] }), numbered, 8).ranges).toBeCloseTo(0.4 * 8 + 0.6, 9)
  })
})
