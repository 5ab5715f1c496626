import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createPlanMapper } from '../../src/documents/plan-mapper.ts'
import { CHANGED_AT, joined, mapped, optionsFor, stored } from './mapped.ts'

const TENANT = [['tenantId']]
const PLAN: PlanDefinition = { into: '/pk', from: [{ field: '/tenantId' }, { field: '/day' }] }
const ORDER = { id: '1', tenantId: 't', day: 'd' }

/** Copies a document, and gives its members; `seconds` after its last change. */
function copyOf(document: object, others: Parameters<typeof optionsFor>[1] = {}, seconds = 0): unknown {
  const mapper = createPlanMapper(optionsFor(PLAN, others))
  const result = mapper.map(stored(document, TENANT), (CHANGED_AT + seconds) * 1000)
  return result.kind === 'mapped' ? JSON.parse(joined(result.stamped)) : result
}

describe('the bytes of a copy', () => {
  it('are those of the document with the key instead of the system properties', () => {
    const { stamped, identity } = mapped(createPlanMapper(optionsFor(PLAN)), stored({ ...ORDER, a: [1.5] }, TENANT))
    expect(joined(stamped)).toBe('{"id":"1","tenantId":"t","day":"d","a":[1.5],"pk":"t-d"}')
    expect(stamped.splices).toHaveLength(2)
    expect(identity).toEqual({ key: ['t-d'], id: '1' })
    expect(stamped).toMatchObject({ values: ['t-d'], id: '1' })
  })

  it('have no system properties, wherever they are in the document, but those of nested objects', () => {
    const text =
      '{ "_ts" : 5 , "_rid":"r","id":"1","_lsn":3, "tenantId":"t","a":{"_ts":1},"_self":"s" ,"day":"d","_etag":"e"}'
    const { stamped } = mapped(createPlanMapper(optionsFor(PLAN)), stored(text, TENANT))
    expect(joined(stamped)).toBe('{  "id":"1", "tenantId":"t","a":{"_ts":1} ,"day":"d","pk":"t-d"}')
  })
})

describe('a document that has the member of the key already', () => {
  it('is rejected if its value is another one, as the plan says', () => {
    expect(copyOf({ ...ORDER, pk: 'other' })).toMatchObject({ kind: 'rejected', code: 'KEY_DIFFERS' })
  })

  it('is marked, so that the way back restores the member', () => {
    expect(copyOf({ ...ORDER, pk: 't-d' })).toEqual({ ...ORDER, pk: 't-d', _keystamp: { '/pk': { was: 't-d' } } })
    const mapper = createPlanMapper(optionsFor({ ...PLAN, existing: 'overwrite' }))
    const { stamped } = mapped(mapper, stored({ ...ORDER, pk: [1, { a: '😀' }] }, TENANT))
    expect(joined(stamped)).toContain(String.raw`"_keystamp":{"/pk":{"was":[1,{"a":"😀"}]}}`)
  })
})

describe('the marker of a deleted document', () => {
  it('is not copied, though it lacks the fields of the plan', () => {
    expect(copyOf({ id: '1', tenantId: 't', _keystampDeleted: true })).toEqual({ kind: 'expiring' })
    expect(copyOf({ ...ORDER, _keystampDeleted: true })).toEqual({ kind: 'expiring' })
    expect(copyOf({ ...ORDER, _keystampDeleted: false })).toMatchObject({ _keystampDeleted: false, pk: 't-d' })
  })
})

describe('rejections', () => {
  it('pass on the code and the sentence of the plan, which contains no value', () => {
    expect(copyOf({ id: '1', tenantId: 'secret' })).toEqual({
      kind: 'rejected',
      code: 'FIELD_MISSING',
      message: expect.stringMatching(/^[^]*\/day[^]*$/)
    })
    expect(JSON.stringify(copyOf({ id: '1', tenantId: 'secret' }))).not.toContain('secret')
  })

  it('concern documents that have a member twice that the move changes', () => {
    const text = '{"id":"1","tenantId":"t","day":"d","ttl":1,"ttl":2}'
    expect(createPlanMapper(optionsFor(PLAN)).map(stored(text, TENANT), 0)).toMatchObject({ code: 'JSON_INVALID' })
  })
})

describe('the time to live of a copy', () => {
  const withTtl = { ...ORDER, ttl: 3600 }

  it('is the time that is left, marked with the original', () => {
    expect(copyOf(withTtl, { sourceDefaultTtl: -1 }, 600)).toEqual({
      ...ORDER,
      pk: 't-d',
      ttl: 3000,
      _keystamp: { '/ttl': { was: 3600, now: 3000 } }
    })
  })

  it('is the time that is left of the default of the source if the document has none', () => {
    const copy = { ...ORDER, pk: 't-d', ttl: 900, _keystamp: { '/ttl': { now: 900 } } }
    expect(copyOf(ORDER, { sourceDefaultTtl: 1000 }, 100)).toEqual(copy)
    expect(copyOf({ ...ORDER, ttl: null }, { sourceDefaultTtl: 1000 }, 100)).toEqual({
      ...copy,
      _keystamp: { '/ttl': { was: null, now: 900 } }
    })
  })

  it('is never longer than that of the original', () => {
    expect(copyOf(withTtl, { sourceDefaultTtl: -1 }, -500)).toMatchObject({ ttl: 3600 })
    expect(copyOf(withTtl, { sourceDefaultTtl: -1 }, 0.001)).toMatchObject({ ttl: 3599 })
  })

  it('ends the copy: with 60 seconds or less left, the document is not copied', () => {
    expect(copyOf(withTtl, { sourceDefaultTtl: -1 }, 3539)).toMatchObject({ ttl: 61 })
    for (const seconds of [3540, 3600, 10_000])
      expect(copyOf(withTtl, { sourceDefaultTtl: -1 }, seconds)).toEqual({ kind: 'expiring' })
    expect(copyOf(ORDER, { sourceDefaultTtl: 30 })).toEqual({ kind: 'expiring' })
  })

  it.each([
    ['documents that never expire', { ...ORDER, ttl: -1 }, { sourceDefaultTtl: 1000 }],
    ['a source without a default for documents without a ttl', ORDER, { sourceDefaultTtl: -1 }],
    ['a source in which nothing expires', withTtl, {}],
    ['a move that restarts the time', withTtl, { sourceDefaultTtl: 1000, ttl: 'restart' as const }]
  ])('stays as it is for %s', (_title, document, others) => {
    expect(copyOf(document, others, 500_000)).toEqual({ ...document, pk: 't-d' })
  })
})

describe('new ids', () => {
  const plan: PlanDefinition = { ...PLAN, id: { from: [{ field: '/day' }], existing: 'overwrite' } }

  it('keep the old one in a member of the document', () => {
    const mapper = createPlanMapper(optionsFor(plan, { keepIdIn: '/oldId' }))
    const { stamped, identity } = mapped(mapper, stored(ORDER, TENANT))
    expect(JSON.parse(joined(stamped))).toEqual({ ...ORDER, id: 'd', oldId: '1', pk: 't-d' })
    expect(identity).toEqual({ key: ['t-d'], id: 'd' })
  })

  it('are refused without such a member', () => {
    expect(() => createPlanMapper(optionsFor(plan))).toThrow('name a member that keeps the old one')
    for (const keepIdIn of ['/id', '/pk', '/ttl', 'oldId', '/a/b', '/', '/_keystamp'])
      expect(() => createPlanMapper(optionsFor(plan, { keepIdIn }))).toThrow('The old id cannot be kept in')
  })

  it('leave documents alone whose id the plan makes too', () => {
    const mapper = createPlanMapper(optionsFor({ ...plan, id: { from: [{ field: '/day' }] } }))
    expect(mapper.map(stored(ORDER, TENANT), 0)).toMatchObject({ kind: 'rejected', code: 'ID_DIFFERS' })
    const { stamped } = mapped(mapper, stored({ ...ORDER, id: 'd' }, TENANT))
    expect(JSON.parse(joined(stamped))).toEqual({ ...ORDER, id: 'd', pk: 't-d' })
  })
})

describe('the place of a copy from the identity alone', () => {
  const plan: PlanDefinition = { into: '/pk', from: [{ field: '/tenantId' }, { id: true }] }

  it('is that of the copy, if the plan reads only the identity', () => {
    const mapper = createPlanMapper(optionsFor(plan, { sourceKeyPaths: [['tenantId'], ['a', 'b']] }))
    expect(mapper.basis).toBe('identity')
    expect(mapper.targetOf({ key: ['t', 5], id: '7' })).toEqual({ key: ['t-7'], id: '7' })
    expect(mapper.targetOf({ key: [undefined, 5], id: '7' })).toMatchObject({ kind: 'rejected', code: 'FIELD_MISSING' })
  })

  it('reads nested key paths', () => {
    const nested: PlanDefinition = { into: '/pk', from: [{ field: '/a/b' }, { field: '/a/c' }] }
    const mapper = createPlanMapper(
      optionsFor(nested, {
        sourceKeyPaths: [
          ['a', 'b'],
          ['a', 'c']
        ]
      })
    )
    expect(mapper.basis).toBe('identity')
    expect(mapper.targetOf({ key: ['x', 5], id: '7' })).toEqual({ key: ['x-5'], id: '7' })
  })
})

describe('the original of a copy', () => {
  it('is unknown for bytes that cannot be read', () => {
    const mapper = createPlanMapper(optionsFor(PLAN))
    expect(mapper.sourceOf(stored({ ...ORDER, tenantId: { a: 1 } }, []))).toBeUndefined()
    expect(mapper.sourceOf(stored('{"id":"1","ttl":1,"ttl":2}', TENANT))).toBeUndefined()
  })

  it('may lack a field of the key', () => {
    const mapper = createPlanMapper(optionsFor(PLAN))
    expect(mapper.sourceOf(stored({ id: '1' }, TENANT))).toEqual({ key: [undefined], id: '1' })
  })
})
