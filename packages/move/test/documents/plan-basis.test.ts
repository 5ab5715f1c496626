import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createPlanMapper } from '../../src/documents/plan-mapper.ts'
import { describeBasis } from '../../src/documents/plan-basis.ts'
import { optionsFor } from './mapped.ts'

const TENANT = [['tenantId']]

describe('describeBasis', () => {
  it.each<[string, PlanDefinition, readonly string[]]>([
    ['the id and the key of the source', { into: '/pk', from: [{ field: '/tenantId' }, { id: true }] }, []],
    ['literals', { into: '/pk', from: [{ literal: 'a' }, { field: '/id' }] }, []],
    ['other fields', { into: '/pk', from: [{ field: '/b/c' }, { field: '/a' }] }, ['/a', '/b/c']],
    ['buckets of time', { into: '/pk', from: [{ bucket: 'day', of: '/at' }] }, ['/at']],
    [
      'fields of a suffix',
      { into: '/pk', from: [{ id: true }], suffix: { by: ['/device', '/id'], count: 5 } },
      ['/device']
    ],
    ['fields of an id', { into: '/pk', from: [{ id: true }], id: { from: [{ field: '/sku' }] } }, ['/sku']],
    ['an existing key that is kept', { into: '/pk', from: [{ id: true }], existing: 'keep' }, ['/pk']],
    [
      'fields of every level',
      {
        levels: [
          { into: '/tenantId', from: [{ field: '/tenantId' }] },
          { into: '/b', from: [{ field: '/b' }] }
        ]
      },
      ['/b']
    ],
    [
      'boundaries and fields of older versions',
      {
        into: '/pk',
        from: [{ id: true }],
        previous: [{ until: { field: '/number', before: 100 }, plan: { into: '/pk', from: [{ field: '/old' }] } }]
      },
      ['/number', '/old']
    ]
  ])('lists %s', (_title, plan, fields) => {
    expect(describeBasis(plan, TENANT)).toEqual(fields)
    expect(createPlanMapper(optionsFor(plan)).basis).toBe(fields.length === 0 ? 'identity' : 'fields')
  })
})

describe('plans that a move refuses', () => {
  it.each<[string, PlanDefinition]>([
    ['is random for /pk', { into: '/pk', from: [{ id: true }], suffix: { by: 'random', count: 5 } }],
    ['is the offset for /pk', { into: '/pk', from: [{ id: true }], suffix: { by: 'offset', count: 5 } }],
    ['reads the Kafka record', { into: '/pk', from: [{ kafka: 'topic' }] }],
    ['reads the Kafka record', { into: '/pk', from: [{ bucket: 'day', of: { kafka: 'timestamp' } }] }],
    [
      'reads /_ts, which changes with each write',
      { into: '/pk', from: [{ bucket: 'day', of: '/_ts', epoch: 'seconds' }] }
    ],
    ['is /_etag, which Cosmos DB or the move uses itself', { into: '/_etag', from: [{ id: true }] }],
    ['is /ttl, which Cosmos DB or the move uses itself', { into: '/ttl', from: [{ id: true }] }]
  ])('with a sentence: %s', (sentence, plan) => {
    expect(() => createPlanMapper(optionsFor(plan, {}))).toThrow(sentence)
  })

  it('because the new key would replace an object that contains the old one', () => {
    const plan: PlanDefinition = { into: '/tenant', from: [{ id: true }], existing: 'overwrite' }
    expect(() => createPlanMapper(optionsFor(plan, { sourceKeyPaths: [['tenant', 'id']] }))).toThrow(
      'would replace /tenant/id, a key of the source'
    )
  })
})
