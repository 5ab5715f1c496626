import { createPlan } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { proposeCandidates } from '../../src/candidates/propose.ts'
import type { FieldSummary } from '../../src/sample/field-summary.ts'

const NO_TYPES = { string: 0, number: 0, integer: 0, boolean: 0, null: 0, object: 0, array: 0 }

function field(path: string, changes: Partial<FieldSummary> = {}): FieldSummary {
  return {
    path,
    records: 1000,
    present: 1000,
    types: { ...NO_TYPES, string: 1000 },
    empty: 0,
    distinct: 200,
    discovered: 1000,
    minBytes: 5,
    maxBytes: 9,
    over101: 0,
    over2048: 0,
    withSeparator: 0,
    time: null,
    isId: false,
    personal: null,
    halves: null,
    ...changes
  }
}

const id = field('/id', { isId: true, distinct: 1000 })
const device = field('/deviceId')
const fleet = field('/fleetId', { distinct: 20 })
const at = field('/at', { time: 'iso', distinct: 1000 })
const workload = { queries: [], changingFields: [] }

describe('proposed candidates', () => {
  it('are the id, single fields, fields with a time bucket, and hierarchical keys', () => {
    const { candidates } = proposeCandidates([id, device, fleet, at], { ...workload, timeField: '/at' })

    expect(candidates.map(({ name }) => name)).toEqual([
      '/id',
      '/deviceId',
      '/fleetId',
      'day of /at',
      '/deviceId + day of /at',
      '/fleetId + day of /at',
      '/fleetId / /id',
      '/fleetId / /deviceId',
      '/deviceId / /fleetId',
      '/fleetId / /deviceId / /id',
      '/deviceId / /fleetId / /id'
    ])
  })

  it('have plans that compile', () => {
    const { candidates } = proposeCandidates([id, device, fleet, at], { ...workload, timeField: '/at' })

    const plans = candidates.flatMap(({ plan }) => (plan === null ? [] : [plan]))
    expect(plans.map((plan) => createPlan(plan).partitionKey.paths)).toEqual(plans.map(() => ['/partitionKey']))
  })

  it('include keys that join fields if queries filter by these fields together', () => {
    const together = { name: 'q', perSecond: 5, equal: ['/fleetId', '/deviceId'], between: [], byId: false, rows: 10 }
    const { candidates } = proposeCandidates([device, fleet], { ...workload, queries: [together] })

    expect(candidates.map(({ name }) => name)).toContain('/fleetId + /deviceId')
  })

  it('include a time bucket of the length of the time range in the queries', () => {
    const anHour = {
      name: 'q',
      perSecond: 5,
      equal: ['/deviceId'],
      between: [{ field: '/at', seconds: 3600 }],
      byId: false,
      rows: 10
    }
    const { candidates } = proposeCandidates([device, at], { ...workload, timeField: '/at', queries: [anHour] })

    expect(candidates.map(({ name }) => name)).toContain('/deviceId + hour of /at')
  })

  it.each([
    [
      'changes',
      field('/status'),
      ['/status'],
      'changes during the life of a document, but the value of a partition key cannot change'
    ],
    ['is often missing', field('/vin', { present: 700 }), [], 'is missing in 30 % of the records'],
    ['has one value', field('/type', { distinct: 1 }), [], 'has the same value in all records'],
    [
      'is an object',
      field('/owner', { types: { ...NO_TYPES, object: 1000 } }),
      [],
      'is an object or an array in some records'
    ],
    [
      'is measured',
      field('/speed', { types: { ...NO_TYPES, number: 1000, integer: 100 } }),
      [],
      'has fractions: it is probably a measurement, and not an identifier'
    ]
  ])(
    'do not contain a field that %s, which is in `dropped` with the reason',
    (_title, summary, changingFields, why) => {
      const { candidates, dropped } = proposeCandidates([summary, device], { queries: [], changingFields })

      expect(dropped).toEqual([{ name: summary.path, why }])
      expect(candidates.flatMap(({ partitionKeyPaths }) => partitionKeyPaths)).not.toContain(summary.path)
    }
  )

  it('begin with the present key of the container', () => {
    const { candidates } = proposeCandidates([device], { ...workload, presentKey: ['/date'] })

    expect(candidates[0].name).toBe('/date (present key)')
  })
})
