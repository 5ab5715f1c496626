import { type PlanDefinition, PlanError } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { readCheckedPlan } from '../../src/check/checked-plan.ts'
import { optionsFor } from '../documents/mapped.ts'

describe('readCheckedPlan', () => {
  it('reads a plan that follows from key and id, and back', () => {
    expect(readCheckedPlan(optionsFor({ into: '/tenantId', from: [{ field: '/tenantId' }] }))).toEqual({
      basis: 'identity',
      fields: [],
      reverseBasis: 'identity',
      keyPaths: ['/tenantId'],
      hashVersion: 2,
      makesIds: false,
      oldKey: 'as-text'
    })
  })

  it('reads a plan that depends on other fields', () => {
    const plan = {
      into: '/pk',
      from: [{ field: '/tenantId' }, { field: '/region' }],
      hashVersion: 1 as const,
      id: { from: [{ field: '/number' }], existing: 'overwrite' as const }
    }

    expect(readCheckedPlan({ ...optionsFor(plan), keepIdIn: '/oldId' })).toEqual({
      basis: 'fields',
      fields: ['/number', '/region'],
      reverseBasis: 'fields',
      keyPaths: ['/pk'],
      hashVersion: 1,
      makesIds: true,
      oldKey: 'lost'
    })
  })

  it.each<readonly [string, PlanDefinition, string]>([
    ['a field of one type', { into: '/pk', from: [{ field: '/tenantId', type: 'text' }, { field: '/b' }] }, 'kept'],
    ['a field of any type', { into: '/pk', from: [{ field: '/b' }, { field: '/tenantId' }] }, 'as-text'],
    ['another field', { into: '/pk', from: [{ field: '/b' }] }, 'lost'],
    [
      'a field in another spelling',
      { into: '/pk', from: [{ field: '/tenantId', type: 'text', normalize: 'NFC' }] },
      'lost'
    ],
    [
      'a field with a default',
      { into: '/pk', from: [{ field: '/tenantId', type: 'text', missing: { use: 'x' } }] },
      'lost'
    ],
    ['a plain encoding', { into: '/pk', from: [{ field: '/tenantId', type: 'text' }], encoding: 'plain' }, 'lost'],
    [
      'a level of its own',
      {
        levels: [
          { into: '/a', from: [{ field: '/b' }] },
          { into: '/c', from: [{ field: '/tenantId', type: 'text' }] }
        ]
      },
      'kept'
    ],
    [
      'an older version',
      {
        into: '/pk',
        from: [{ field: '/tenantId', type: 'text' }],
        previous: [{ until: { field: '/n', before: 5 }, plan: { into: '/pk', from: [{ field: '/b' }] } }]
      },
      'lost'
    ]
  ])('tells whether the old key follows from the new one: %s', (_title, plan, oldKey) => {
    expect(readCheckedPlan(optionsFor(plan)).oldKey).toBe(oldKey)
  })

  it('knows that the id of a document stays', () => {
    const byDay: PlanDefinition = { into: '/pk', from: [{ field: '/day' }] }

    expect(readCheckedPlan(optionsFor(byDay, { sourceKeyPaths: [['id']] })).oldKey).toBe('kept')
  })

  it('refuses a plan that a move cannot use', () => {
    const random = { into: '/pk', from: [{ field: '/tenantId' }], suffix: { by: 'random', count: 4 } } as const

    expect(() => readCheckedPlan(optionsFor(random))).toThrow(PlanError)
  })
})
