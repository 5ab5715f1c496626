import { createPlan, type Plan, type StampedBytes } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { bodyText } from '../../src/dispatch/batch-encoder.ts'
import { PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { keysFromRecord } from '../../src/writer/keys-from-record.ts'
import type { Operation } from '../../src/writer/operation.ts'
import { prepare, prepareGroup } from '../../src/writer/prepare.ts'

const plan = createPlan({ into: '/pk', from: [{ field: '/day' }] }, { requireId: true }) as Plan
const preparation = { keys: plan, definition: { paths: ['/pk'], version: 2 as const }, canExpire: true }
const nothing = (): void => {}

function pendingOf(operation: Operation): PendingOperation {
  const prepared = prepare(preparation, operation, nothing)
  if (!(prepared instanceof PendingOperation)) throw new Error(`${prepared.code}: ${prepared.message}`)
  return prepared
}

function codeOf(operation: Operation): string {
  const prepared = prepare(preparation, operation, nothing)
  return prepared instanceof PendingOperation ? 'taken' : prepared.code
}

function canRepeatPatch(step: object, ifMatch?: string): boolean {
  const condition = ifMatch === undefined ? {} : { ifMatch }
  return pendingOf({ kind: 'patch', key: 'a', id: 'x', steps: [step as never], ...condition }).conditions.isRepeatable
}

describe('an operation', () => {
  it('accepts a missing value of the key only with the option `missingKeys`', () => {
    const operation: Operation = { kind: 'delete', key: [undefined], id: 'a' }
    const prepared = prepare({ ...preparation, missingKeys: true }, operation, nothing)

    expect(codeOf(operation)).toBe('OPERATION_INVALID')
    expect(prepared).toMatchObject({ keyText: '[{}]', document: '[{}]a' })
    expect((prepared as PendingOperation).epk).not.toBe(pendingOf({ ...operation, key: [null] }).epk)
  })

  it('is identified by the key and the id of its document, given as an object or as bytes', () => {
    const fromRecord = pendingOf({ kind: 'upsert', record: { id: 'a', day: 'monday' } })
    const fromBytes = pendingOf({ kind: 'upsert', bytes: Buffer.from('{ "id":"a","day":"monday" }') })

    expect(fromRecord.document).toBe('["monday"]a')
    expect(fromBytes.document).toBe('["monday"]a')
    expect(fromBytes.epk).toBe(fromRecord.epk)
    expect(JSON.parse(bodyText(fromBytes.body!))).toEqual(JSON.parse(bodyText(fromRecord.body!)))
  })

  it('distinguishes documents whose key and id are the same text when joined', () => {
    const one = pendingOf({ kind: 'delete', key: 'a', id: '"]b' })
    const other = pendingOf({ kind: 'delete', key: 'a"]b', id: 'c' })

    expect(one.document).not.toBe(other.document)
  })

  it('writes its ttl in place of the ttl in the document', () => {
    const bodies = [
      '{"id":"a","day":"d"}',
      '{"id":"a","ttl": 7 ,"day":"d"}',
      '{"ttl":7,"day":"d","id":"a","pk":"d"}'
    ].map((text) => JSON.parse(bodyText(pendingOf({ kind: 'upsert', bytes: Buffer.from(text), ttl: 60 }).body!)))
    bodies.push(
      JSON.parse(bodyText(pendingOf({ kind: 'upsert', record: { id: 'a', day: 'd', ttl: 7 }, ttl: 60 }).body!))
    )

    for (const body of bodies) expect(body).toEqual({ id: 'a', day: 'd', pk: 'd', ttl: 60 })
  })

  it('is rejected with an explanation how to pass a record that is JSON text', () => {
    const record = '{"id":"a","day":"d"}' as unknown as object

    expect(prepare(preparation, { kind: 'upsert', record }, nothing)).toMatchObject({
      code: 'RECORD_NOT_OBJECT',
      message: 'The record is a string, not an object: pass JSON text as `bytes`, with Buffer.from(text).'
    })
  })

  it('is rejected with the possible causes if its record has no JSON form', () => {
    const circular: { id: string; day: string; self?: object } = { id: 'a', day: 'd' }
    circular.self = circular
    for (const record of [circular, { id: 'a', day: 'd', big: 1n }, { id: 'a', day: 'd', toJSON: nothing }]) {
      expect(prepare(preparation, { kind: 'upsert', record }, nothing)).toMatchObject({
        code: 'RECORD_UNREADABLE',
        message: expect.stringContaining('cannot be written as JSON')
      })
    }
  })

  it('is rejected if it patches the key or the id of its document', () => {
    const deep = { ...preparation, definition: { paths: ['/owner/pk'], version: 2 as const } }
    const sentenceOf = (step: object): unknown =>
      (prepare(deep, { kind: 'patch', key: 'a', id: 'x', steps: [step as never] }, nothing) as { message?: string })
        .message

    for (const path of ['/id', '/owner/pk', '/owner'])
      expect(sentenceOf({ op: 'set', path, value: 'y' })).toContain('cannot be changed')
    expect(sentenceOf({ op: 'move', from: '/id', path: '/a' })).toContain('cannot be changed')
    for (const path of ['/own', '/owner/name', '/pk'])
      expect(sentenceOf({ op: 'set', path, value: 'y' })).toBeUndefined()
  })

  it('may have an empty string as its key without a plan, because a container accepts it', () => {
    const inPlace = { ...preparation, keys: keysFromRecord(preparation.definition) }
    const bytes = Buffer.from('{"id":"a","pk":""}')

    expect(prepare(inPlace, { kind: 'upsert', record: { id: 'a', pk: '' } }, nothing)).toBeInstanceOf(PendingOperation)
    expect(prepare(inPlace, { kind: 'upsert', bytes }, nothing)).toBeInstanceOf(PendingOperation)
    expect(codeOf({ kind: 'upsert', record: { id: 'a', day: '' } })).toBe('FIELD_EMPTY')
  })

  it('is rejected with a reason if it cannot be stored', () => {
    expect(codeOf({ kind: 'upsert', record: { id: 'a' } })).toBe('FIELD_MISSING')
    expect(codeOf({ kind: 'upsert', record: { day: 'd' } })).toBe('ID_MISSING')
    expect(codeOf({ kind: 'upsert', bytes: Buffer.from('{"id":"a","day":') })).toBe('JSON_INVALID')
    expect(codeOf({ kind: 'upsert', record: { id: 'a', day: 'd', big: 1n } })).toBe('RECORD_UNREADABLE')
    expect(codeOf({ kind: 'upsert', record: { id: 'a', day: 'd', text: 'x'.repeat(3e6) } })).toBe('DOCUMENT_TOO_LARGE')
    expect(codeOf({ kind: 'upsert', record: { id: 'a', day: 'd' }, ttl: 0 })).toBe('OPERATION_INVALID')
    expect(codeOf({ kind: 'delete', key: ['a', 'b'], id: 'x' })).toBe('OPERATION_INVALID')
    expect(codeOf({ kind: 'delete', key: 'a', id: 'x/y' })).toBe('ID_INVALID')
    expect(codeOf({ kind: 'patch', key: 'a', id: 'x', steps: [] })).toBe('OPERATION_INVALID')
  })

  it('is rejected if it has its document in two forms', () => {
    const record = { id: 'a', day: 'd' }
    const bytes = Buffer.from('{"id":"b","day":"d"}')
    const prepared = prepare(preparation, { kind: 'upsert', record, bytes }, nothing)

    expect(prepared).toMatchObject({
      code: 'OPERATION_INVALID',
      message: expect.stringContaining('one of `record`, `bytes`') as string
    })
    expect(codeOf({ kind: 'delete', bytes, stamped: plan.stampBytes(bytes) as StampedBytes })).toBe('OPERATION_INVALID')
  })

  it('is rejected if a value of its key is invalid', () => {
    expect(codeOf({ kind: 'delete', key: Number.NaN, id: 'x' })).toBe('OPERATION_INVALID')
    expect(codeOf({ kind: 'delete', key: {} as string, id: 'x' })).toBe('OPERATION_INVALID')
    expect(codeOf({ kind: 'delete', key: null, id: 'x' })).toBe('taken')
  })

  it('keeps its key if the caller reuses the array of the key', () => {
    const key = ['a']
    const pending = pendingOf({ kind: 'delete', key, id: 'x' })
    key[0] = 'b'

    expect(pending.keyText).toBe('["a"]')
  })

  it('is rejected if it has a ttl and the documents of its container do not expire', () => {
    const prepared = prepare(
      { ...preparation, canExpire: false },
      { kind: 'upsert', record: { id: 'a', day: 'd' }, ttl: 60 },
      nothing
    )

    expect(prepared).toMatchObject({
      code: 'OPERATION_INVALID',
      message: expect.stringContaining('Set the default TTL to -1') as string
    })
  })

  it('may be retried unless a retry would change the document again', () => {
    expect(canRepeatPatch({ op: 'set', path: '/a', value: 1 })).toBe(true)
    expect(canRepeatPatch({ op: 'add', path: '/a', value: 1 })).toBe(true)
    expect(canRepeatPatch({ op: 'add', path: '/a/-', value: 1 })).toBe(false)
    expect(canRepeatPatch({ op: 'add', path: '/a/0', value: 1 })).toBe(false)
    expect(canRepeatPatch({ op: 'incr', path: '/a', value: 1 })).toBe(false)
    expect(canRepeatPatch({ op: 'remove', path: '/a' })).toBe(false)
    expect(canRepeatPatch({ op: 'incr', path: '/a', value: 1 }, '"etag"')).toBe(true)
  })
})

describe('a patch with more than ten steps', () => {
  it('becomes one atomic batch whose first part has the condition', () => {
    const steps = Array.from({ length: 23 }, (_, index) => ({ op: 'set' as const, path: `/f${index}`, value: index }))
    const pending = pendingOf({
      kind: 'patch',
      key: 'a',
      id: 'x',
      steps,
      condition: 'from c where c.n = 1',
      ifMatch: '"e"'
    })

    const parts = pending.group!.parts
    const bodies = parts.map((part) => JSON.parse(bodyText(part.body!)) as { operations: object[]; condition?: string })
    expect(bodies.map(({ operations }) => operations.length)).toEqual([10, 10, 3])
    expect(bodies.map(({ condition }) => condition)).toEqual(['from c where c.n = 1', undefined, undefined])
    expect(parts.map(({ conditions: { ifMatch } }) => ifMatch)).toEqual(['"e"', undefined, undefined])
    expect(pending.group!.firsts).toHaveLength(1)
  })
})

describe('an atomic batch', () => {
  it('is rejected if it has two keys, and the message names the operation', () => {
    const prepared = prepareGroup(
      preparation,
      [
        { kind: 'upsert', record: { id: 'a', day: 'd' } },
        { kind: 'upsert', record: { id: 'b', day: 'e' } }
      ],
      nothing,
      nothing
    )

    expect(prepared).toMatchObject({ index: 1, reason: { code: 'OPERATION_INVALID' } })
  })

  it('waits only once for each of its documents', () => {
    const prepared = prepareGroup(
      preparation,
      [
        { kind: 'create', record: { id: 'a', day: 'd' } },
        { kind: 'upsert', record: { id: 'b', day: 'd' } },
        { kind: 'delete', key: 'd', id: 'a' }
      ],
      nothing,
      nothing
    )

    expect((prepared as PendingOperation).group!.firsts.map(({ document, type }) => [document, type])).toEqual([
      ['["d"]a', 'Create'],
      ['["d"]b', 'Upsert']
    ])
  })
})
