import type { PlanDefinition } from '@keystamp/core'
import type { Pointer } from '@keystamp/core/internal'
import { describe, expect, it } from 'vitest'
import { createPlanMapper } from '../../src/documents/plan-mapper.ts'
import { createReverseMapper } from '../../src/documents/reverse-mapper.ts'
import { joined, mapped, optionsFor, stored } from './mapped.ts'

const PLAN: PlanDefinition = { into: '/pk', from: [{ field: '/tenantId' }, { field: '/day' }] }
const PK: readonly Pointer[] = [['pk']]
const COPY = { id: '1', tenantId: 't', day: 'd', pk: 't-d' }

function originalOf(copy: object, options = optionsFor(PLAN), paths = PK): unknown {
  return JSON.parse(joined(mapped(createReverseMapper(options), stored(copy, paths)).stamped))
}

describe('a document that an application wrote into the target', () => {
  it('loses the new key, and gets the old one', () => {
    const { stamped, identity } = mapped(createReverseMapper(optionsFor(PLAN)), stored(COPY, PK))
    expect(joined(stamped)).toBe('{"id":"1","tenantId":"t","day":"d"}')
    expect(identity).toEqual({ key: ['t'], id: '1' })
    expect(stamped).toMatchObject({ values: ['t'], id: '1' })
  })

  it('is not copied if it is the marker of a deleted document', () => {
    const marker = { id: '1', pk: 't-d', _keystampDeleted: true }
    expect(createReverseMapper(optionsFor(PLAN)).map(stored(marker, PK), 0)).toEqual({ kind: 'expiring' })
  })

  it('is rejected without a field of the old key, with its path', () => {
    const back = createReverseMapper(optionsFor(PLAN, { sourceKeyPaths: [['tenantId'], ['a', 'b']] }))
    expect(back.map(stored({ ...COPY, a: {} }, PK), 0)).toEqual({
      kind: 'rejected',
      code: 'FIELD_MISSING',
      message: expect.stringContaining('A field of the old key is missing: /a/b. ')
    })
    expect(back.map(stored({ ...COPY, a: { b: [] } }, PK), 0)).toMatchObject({ code: 'FIELD_WRONG_TYPE' })
  })

  it('keeps the ttl that the application has set, even if the copy was marked', () => {
    const mark = { '/ttl': { was: 3600, now: 500 } }
    expect(originalOf({ ...COPY, ttl: 500, _keystamp: mark })).toEqual({ id: '1', tenantId: 't', day: 'd', ttl: 3600 })
    expect(originalOf({ ...COPY, ttl: 499, _keystamp: mark })).toEqual({ id: '1', tenantId: 't', day: 'd', ttl: 499 })
    expect(originalOf({ ...COPY, _keystamp: mark })).toEqual({ id: '1', tenantId: 't', day: 'd' })
    expect(originalOf({ ...COPY, ttl: 60 })).toEqual({ id: '1', tenantId: 't', day: 'd', ttl: 60 })
  })

  it('keeps a member with the name of the mark that is no mark', () => {
    expect(originalOf({ ...COPY, _keystamp: 'mine' })).toEqual({ id: '1', tenantId: 't', day: 'd', _keystamp: 'mine' })
  })
})

describe('objects around a nested key', () => {
  const options = optionsFor({ ...PLAN, into: '/meta/deep/pk' })
  const paths: readonly Pointer[] = [['meta', 'deep', 'pk']]
  const copy = { id: '1', tenantId: 't', day: 'd' }

  it('are removed with it if they have no other members', () => {
    expect(originalOf({ ...copy, meta: { deep: { pk: 't-d' } } }, options, paths)).toEqual(copy)
    expect(originalOf({ ...copy, meta: { deep: { pk: 't-d' }, a: 1 } }, options, paths)).toEqual({
      ...copy,
      meta: { a: 1 }
    })
    expect(originalOf({ ...copy, meta: { deep: { pk: 't-d', a: 1 } } }, options, paths)).toEqual({
      ...copy,
      meta: { deep: { a: 1 } }
    })
  })

  it('stay if the original had them empty', () => {
    const marked = { ...copy, meta: { deep: { pk: 't-d' } }, _keystamp: { '/meta': { was: {} } } }
    expect(originalOf(marked, options, paths)).toEqual({ ...copy, meta: {} })
  })
})

describe('the basis of the way back', () => {
  const keys: PlanDefinition = {
    levels: [
      { into: '/tenantId', from: [{ field: '/tenantId' }] },
      { into: '/day', from: [{ field: '/day' }] }
    ]
  }

  it('is the identity if the old key is in the new key or in the id', () => {
    const back = createReverseMapper(optionsFor(keys, { sourceKeyPaths: [['day'], ['id']] }))
    expect(back.basis).toBe('identity')
    expect(back.targetOf({ key: ['t', 5], id: '7' })).toEqual({ key: [5, '7'], id: '7' })
  })

  it('is the identity if the old key is a component of the new one, with a declared type', () => {
    const plan: PlanDefinition = {
      into: '/pk',
      from: [
        { field: '/tenantId', type: 'text' },
        { literal: 'x' },
        { field: '/number', type: 'integer' },
        { field: '/day' }
      ],
      suffix: { by: '/id', count: 5 }
    }
    const options = optionsFor(plan, { sourceKeyPaths: [['number'], ['tenantId'], ['id']] })
    const original = stored({ id: '1', tenantId: 'a-b.c', number: -7, day: '-1-2' }, options.sourceKeyPaths)
    const copy = mapped(createPlanMapper(options), original)
    const back = createReverseMapper(options)
    expect(back.basis).toBe('identity')
    expect(back.targetOf(copy.identity)).toEqual({ key: [-7, 'a-b.c', '1'], id: '1' })
    expect(back.targetOf({ key: ['a'], id: '1' })).toMatchObject({ kind: 'rejected', code: 'KEY_NOT_DECODABLE' })
  })

  it('does not allow documents whose new key has other values than their fields', () => {
    const plan: PlanDefinition = { into: '/pk', from: [{ field: '/tenantId', type: 'text' }, { field: '/day' }] }
    const back = createReverseMapper(optionsFor(plan))
    expect(mapped(back, stored(COPY, PK)).identity).toEqual({ key: ['t'], id: '1' })
    for (const pk of ['other-d', 'other'])
      expect(back.map(stored({ ...COPY, pk }, PK), 0)).toMatchObject({ kind: 'rejected', code: 'KEY_DIFFERS' })
  })

  it('gives no place if the old key does not follow', () => {
    const back = createReverseMapper(optionsFor(PLAN))
    expect(back.targetOf({ key: ['t-d'], id: '1' })).toMatchObject({ kind: 'rejected' })
  })

  it.each<[string, Parameters<typeof optionsFor>]>([
    ['the old key is another field', [keys, { sourceKeyPaths: [['other']] }]],
    ['the old key is a component without a type', [PLAN]],
    [
      'the component may have a substitute',
      [{ into: '/pk', from: [{ field: '/tenantId', type: 'text', missing: { use: 'x' } }, { id: true }] }]
    ],
    [
      'the key cannot be split',
      [{ into: '/pk', from: [{ field: '/tenantId', type: 'text' }, { id: true }], encoding: 'plain' }]
    ],
    [
      'long keys are cut',
      [{ into: '/pk', from: [{ field: '/tenantId', type: 'text' }, { id: true }], tooLong: 'hash' }]
    ],
    [
      'the new key may be one that a document had',
      [{ into: '/pk', from: [{ field: '/tenantId', type: 'text' }, { id: true }], existing: 'keep' }]
    ],
    ['the plan changes the value', [{ into: '/tenantId', from: [{ field: '/tenantId', normalize: 'NFC' }] }]],
    [
      'the plan makes ids',
      [{ ...keys, id: { from: [{ field: '/day' }], existing: 'overwrite' } }, { keepIdIn: '/oldId' }]
    ]
  ])('is fields if %s', (_title, [plan, others]) => {
    expect(createReverseMapper(optionsFor(plan, others)).basis).toBe('fields')
  })
})
