import { describe, expect, it } from 'vitest'

import {
  createPlan,
  joinedLength,
  joinInto,
  partitionHash,
  type Plan,
  type PlanDefinition,
  type StampedBytes
} from '../../src/index.ts'

const idLevel = { into: '/id', from: [{ id: true }] } as const
const tenantLevel = { into: '/tenantId', from: [{ field: '/tenantId' }] }
const tenants: PlanDefinition = { levels: [tenantLevel, idLevel] }
const days: PlanDefinition = {
  levels: [
    tenantLevel,
    { into: '/day', from: [{ bucket: 'day', of: '/at' }], suffix: { by: '/deviceId', count: 16 } },
    idLevel
  ],
  id: { from: [{ field: '/deviceId' }, { field: '/n' }] }
}
const drive = { tenantId: 7, at: '2018-08-09T07:00:00Z', deviceId: 'd-1', n: 5 }

/**
 * Returns the result for a record: the key, the id and the document; or the rejection. Expects the same from both front
 * ends.
 */
function stampedBy(plan: Plan, record: object): unknown {
  const fromObject = plan.stamp(structuredClone(record))
  const fromBytes = plan.stampBytes(Buffer.from(JSON.stringify(record)))
  const outcome = fromObject.ok
    ? { values: fromObject.values, id: fromObject.id, document: fromObject.record }
    : fromObject
  expect(
    fromBytes.ok ? { values: fromBytes.values, id: fromBytes.id, document: documentOf(fromBytes) } : fromBytes
  ).toEqual(outcome)
  return outcome
}

function documentOf(stamped: StampedBytes): unknown {
  const target = Buffer.alloc(joinedLength(stamped))
  joinInto(stamped, target, 0)
  return JSON.parse(target.toString())
}

function tenantsWith(existing: 'verify' | 'overwrite' | 'keep'): Plan {
  return createPlan({ ...tenants, id: { from: [{ field: '/n' }], existing } }) as Plan
}

describe('a hierarchical key whose last level is the id', () => {
  it('ends in the id of the record, and does not change the id', () => {
    const record = { tenantId: 't', id: 'i', n: 1 }

    expect(stampedBy(createPlan(tenants) as Plan, record)).toEqual({ values: ['t', 'i'], id: 'i', document: record })
  })

  it('ends in the id that the plan makes, and the record gets this id once', () => {
    expect(stampedBy(createPlan(days) as Plan, drive)).toEqual({
      values: [7, '2018-08-09.14', 'd-1-5'],
      id: 'd-1-5',
      document: { ...drive, day: '2018-08-09.14', id: 'd-1-5' }
    })
    expect(stampedBy(createPlan(days) as Plan, { ...drive, id: 'd-1-5', day: '2018-08-09.14' })).toMatchObject({
      id: 'd-1-5'
    })
  })

  it('replaces, keeps or verifies an existing id according to the plan', () => {
    expect(stampedBy(tenantsWith('verify'), { tenantId: 't', n: 5, id: 'x' })).toMatchObject({
      code: 'ID_DIFFERS',
      path: '/id'
    })
    expect(stampedBy(tenantsWith('verify'), { tenantId: 't', n: 5, id: 5 })).toMatchObject({
      values: ['t', '5'],
      document: { id: '5' }
    })
    expect(stampedBy(tenantsWith('overwrite'), { tenantId: 't', n: 5, id: 'x' })).toMatchObject({
      values: ['t', '5'],
      id: '5'
    })
    expect(stampedBy(tenantsWith('keep'), { tenantId: 't', n: 5, id: 'x' })).toMatchObject({
      values: ['t', 'x'],
      id: 'x'
    })
  })

  it.each([
    ['missing', {}, 'ID_MISSING'],
    ['a number', { id: 7 }, 'ID_NOT_TEXT'],
    ['empty', { id: '' }, 'ID_NOT_TEXT'],
    ['with a slash', { id: 'a/b' }, 'ID_INVALID']
  ])('rejects the record if the id is %s, even without `requireId`', (_what, rest, code) => {
    expect(stampedBy(createPlan(tenants) as Plan, { tenantId: 't', ...rest })).toMatchObject({
      ok: false,
      code,
      path: '/id'
    })
  })

  it('has the hash of the two levels in the container', () => {
    const { partitionKey, keyFor } = createPlan(tenants)

    expect(partitionKey).toEqual({ paths: ['/tenantId', '/id'], kind: 'MultiHash', version: 2 })
    expect(partitionHash(keyFor({ tenantId: 't', id: 'i' }).values, partitionKey)).toBe(
      partitionHash(['t'], { kind: 'Hash', version: 2 }) + partitionHash(['i'], { kind: 'Hash', version: 2 })
    )
  })

  it('is looked up as a whole key with the id, and as a prefix without the id', () => {
    const plan = createPlan(days)

    expect(plan.keyFor(drive).key).toEqual([7, '2018-08-09.14', 'd-1-5'])
    expect(plan.keyFor({ ...drive, n: undefined, id: 'own' }).key).toEqual([7, '2018-08-09.14', 'own'])
    expect(plan.keysFor({ ...drive, n: undefined }).map(({ values }) => values)).toEqual([[7, '2018-08-09.14']])
    expect(plan.keysFor({ tenantId: 7 }).map(({ values }) => values)).toEqual([[7]])
    expect(
      createPlan(tenants)
        .keysFor({ tenantId: 't', id: 'i' })
        .map(({ values }) => values)
    ).toEqual([['t', 'i']])
    expect(() => createPlan(tenants).keyFor({ tenantId: 't' })).toThrow('The record has no id: /id.')
  })

  it('is decoded, as a whole key and as a prefix', () => {
    const { decode } = createPlan(days)

    expect(decode([7, '2018-08-09.14', 'd-1-5'])).toMatchObject({
      levels: [{ parts: [{ of: '/tenantId', value: 7 }] }, { slot: 14 }, { parts: [{ of: '/id', value: 'd-1-5' }] }]
    })
    expect(decode([7, '2018-08-09.14'])).toMatchObject({ ok: true })
    expect(decode([7, '2018-08-09.14', 'a/b'])).toMatchObject({ ok: false, code: 'KEY_NOT_DECODABLE' })
    expect(decode([7, '2018-08-09.14', 5])).toMatchObject({ ok: false, code: 'KEY_NOT_DECODABLE' })
  })

  it('keeps the id if only the levels before it differ between versions of a plan', () => {
    const older = { levels: [{ into: '/tenantId', from: [{ literal: 'v0' }, { field: '/t' }] }, idLevel] } as const
    const newer = { levels: [{ into: '/tenantId', from: [{ field: '/t' }] }, idLevel] } as const
    const plan = createPlan({ ...newer, previous: [{ until: { field: '/n', before: 5 }, plan: older }] }) as Plan

    expect(stampedBy(plan, { t: 't', n: 4, id: 'i' })).toMatchObject({ values: ['v0-t', 'i'] })
    expect(stampedBy(plan, { t: 't', n: 5, id: 'i' })).toMatchObject({ values: ['t', 'i'] })
    expect(plan.keyFor({ t: 't', id: 'i' })).toMatchObject({ key: ['t', 'i'], older: [{ key: ['v0-t', 'i'] }] })
  })

  it('causes only the warnings of its other levels', () => {
    expect(createPlan(days).warnings).toEqual([])
    expect(
      createPlan({ levels: [{ into: '/tenantId', existing: 'keep', from: [{ field: '/t' }] }, idLevel] }).warnings
    ).toMatchObject([{ code: 'KEEPS_EXISTING', path: '/levels/0/existing' }])
  })

  it.each<[string, object, string]>([
    [
      'the only level',
      { levels: [idLevel] },
      '/levels/0/into must not be the id: only the last of several levels can be'
    ],
    [
      'the key of a plan of one level',
      { into: '/id', from: [{ id: true }] },
      '/into must not be the id: a container whose key path is /id'
    ],
    ['the first level', { levels: [idLevel, tenantLevel] }, '/levels/0/into must not be the id'],
    [
      'taken from a field',
      { levels: [tenantLevel, { into: '/id', from: [{ field: '/a' }] }] },
      '/levels/1/from must be [{ "id": true }]'
    ],
    [
      'combined with a suffix',
      { levels: [tenantLevel, { ...idLevel, suffix: { by: '/a', count: 4 } }] },
      '/levels/1/suffix has no effect'
    ]
  ])('is refused in a plan if the id is %s', (_what, definition, message) => {
    expect(() => createPlan(definition as PlanDefinition)).toThrow(message)
  })
})
