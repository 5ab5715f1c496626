import { PlanError } from '@keystamp/core'
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
      makesIds: false
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
      makesIds: true
    })
  })

  it('refuses a plan that a move cannot use', () => {
    const random = { into: '/pk', from: [{ field: '/tenantId' }], suffix: { by: 'random', count: 4 } } as const

    expect(() => readCheckedPlan(optionsFor(random))).toThrow(PlanError)
  })
})
