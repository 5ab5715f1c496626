import { describe, expect, it } from 'vitest'
import type { OperationSettings } from '../../src/config/settings.ts'
import { mapOne, SAMPLE_PLAN, type Setting } from './sample.ts'

const VALUES: OperationSettings['values'] = new Map([
  ['I', 'store'],
  ['D', 'delete'],
  ['X', 'ignore'],
  ['1', 'delete'],
  ['true', 'delete']
])

function settingOf(operation: Partial<OperationSettings> = {}): Setting {
  const whole: OperationSettings = {
    from: { field: '/meta/op' },
    values: VALUES,
    other: 'reject',
    missing: 'reject',
    ...operation
  }
  return { plan: SAMPLE_PLAN, write: { operation: whole } }
}

const withOp = (op: unknown): object => ({ id: 'a', device: 'd', meta: { op } })

describe('the operation of a record', () => {
  it.each<[unknown, string]>([
    ['I', 'upsert'],
    ['D', 'delete'],
    [1, 'delete'],
    [true, 'delete']
  ])('in a field is read from its value: %j', (op, kind) => {
    expect(mapOne(withOp(op), settingOf())).toMatchObject({ kind, stamped: { values: ['d'] } })
  })

  it('deletes with every write strategy; a missing document is no error', () => {
    const { plan, write } = settingOf()

    expect(mapOne(withOp('D'), { plan, write: { ...write, strategy: 'patch' } })).toMatchObject({
      kind: 'delete',
      ignore: [404]
    })
  })

  it('ignores a record that has no key', () => {
    expect(mapOne({ meta: { op: 'X' } }, settingOf())).toBe('ignore')
  })

  it('is read from the last header of its name', () => {
    const setting = settingOf({ from: { header: 'op' } })

    expect(
      mapOne(withOp('I'), { ...setting, record: { headers: { op: [Buffer.from('I'), Buffer.from('D')] } } })
    ).toMatchObject({
      kind: 'delete'
    })
    expect(mapOne(withOp('I'), { ...setting, record: { headers: { op: 'I' } } })).toMatchObject({ kind: 'upsert' })
    expect(mapOne(withOp('I'), setting)).toMatchObject({ code: 'OPERATION_MISSING', path: '' })
  })

  it.each<[string, object, string]>([
    ['missing', { id: 'a', device: 'd' }, 'OPERATION_MISSING'],
    ['null', withOp(null), 'OPERATION_MISSING'],
    ['an object', withOp({}), 'OPERATION_MISSING'],
    ['not listed', withOp('Z'), 'OPERATION_UNKNOWN'],
    ['empty', withOp(''), 'OPERATION_UNKNOWN']
  ])('rejects a record if it is %s', (_what, value, code) => {
    expect(mapOne(value, settingOf())).toMatchObject({ ok: false, stage: 'map', code, path: '/meta/op' })
  })

  it('may have an effect if it is missing or not listed', () => {
    const setting = settingOf({ other: 'store', missing: 'delete' })

    expect(mapOne(withOp('Z'), setting)).toMatchObject({ kind: 'upsert' })
    expect(mapOne({ id: 'a', device: 'd' }, setting)).toMatchObject({ kind: 'delete' })
  })

  it('leaves records that are not valid JSON to the plan, which says why', () => {
    expect(mapOne('{"id":}', settingOf())).toMatchObject({ code: 'JSON_INVALID' })
    expect(mapOne('[]', settingOf())).toMatchObject({ code: 'JSON_NOT_OBJECT' })
  })

  it('does not matter for a tombstone', () => {
    const { plan, write } = settingOf()

    expect(mapOne(undefined, { plan, write: { ...write, tombstones: 'ignore' } })).toBe('ignore')
  })
})
