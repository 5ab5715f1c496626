import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createWriter, type DocumentName, type Operation, type Writer } from '../../src/index.ts'

describe('an upsert with the document before the change', () => {
  let emulator: Emulator
  let writer: Writer

  beforeEach(async () => {
    emulator = await startEmulator({ auth: 'off', ranges: 4 })
    await post('dbs', { id: 'db' })
    await post('dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
    writer = await createWriter({
      endpoint: emulator.endpoint,
      key: emulator.key,
      database: 'db',
      container: 'c',
      plan: { into: '/pk', from: [{ field: '/area' }] }
    })
  })

  afterEach(async () => {
    await writer.close(0)
    await emulator.stop()
  })

  it.each<[string, DocumentName]>([
    ['key and id', { key: 'old', id: 'a' }],
    ['an object', { record: { id: 'a', area: 'old' } }],
    ['JSON bytes', { bytes: Buffer.from('{"id":"a","area":"old"}') }]
  ])('is stored under its new key, and no longer under the old one, which is given as %s', async (_form, before) => {
    await writer.upsert({ id: 'a', area: 'old' })

    const written = await writer.upsert({ id: 'a', area: 'new', n: 2 }, { before })

    expect(written).toMatchObject({ kind: 'written', twin: 'deleted' })
    expect(await stored()).toEqual([{ id: 'a', area: 'new', pk: 'new', n: 2 }])
    expect(writer.stats()).toMatchObject({
      written: 2,
      unchanged: 0,
      twins: { deleted: 1, absent: 0, changed: 0, newer: 0 }
    })
  })

  it('is stored once if the versions of the document alternate between two keys', async () => {
    const areas = Array.from({ length: 31 }, (_, index) => (index % 3 === 0 ? 'x' : 'y'))
    const outcomes = await Promise.all(
      areas.map((area, index) =>
        writer.upsert({ id: 'a', area, index }, index === 0 ? {} : { before: { id: 'a', key: areas[index - 1] } })
      )
    )

    expect(await stored()).toEqual([{ id: 'a', area: areas[30], pk: areas[30], index: 30 }])
    expect(outcomes.filter(({ twin }) => twin === 'absent')).toEqual([])
  })

  it('is rejected, and not stored, if the plan rejects the image', async () => {
    await writer.upsert({ id: 'a', area: 'old' })

    const outcome = await writer.write(changed({ record: { id: 'a' } }))

    expect(outcome).toMatchObject({ kind: 'rejected', code: 'BEFORE_INVALID', path: '/area' })
    expect(await stored()).toEqual([{ id: 'a', area: 'old', pk: 'old' }])
  })

  it.each<[string, Operation, string]>([
    ['an incomplete name', changed({ id: 'a' }), 'needs `key` and `id`'],
    ['a key of another form', changed({ id: 'a', key: ['x', 'y'] }), "The container's key has 1 level"],
    ['an unknown property', changed({ area: 'old' } as never), '`before` names the document'],
    ['a string', changed('old' as never), '`before` names the document'],
    ['a condition', { ...changed({ id: 'a', key: 'x' }), ifMatch: '"1"' }, 'cannot be used together'],
    ['another kind', { ...changed({ id: 'a', key: 'x' }), kind: 'create' }, 'not a property of the operation']
  ])('is refused with %s', async (_what, operation, sentence) => {
    await expect(writer.write(operation)).rejects.toThrow(sentence)
    expect(await stored()).toEqual([])
  })

  it('is refused in an atomic batch, which has only one key', async () => {
    const outcomes = await writer.writeAtomic([changed({ id: 'a', key: 'old' })])

    expect(outcomes).toMatchObject([{ kind: 'rejected', code: 'OPERATION_INVALID' }])
  })

  async function stored(): Promise<readonly object[]> {
    const headers = { 'x-ms-version': '2020-07-15', authorization: 'none', 'x-ms-max-item-count': '1000' }
    const response = await fetch(`${emulator.endpoint}dbs/db/colls/c/docs`, { headers })
    const { Documents } = (await response.json()) as { readonly Documents: readonly Record<string, unknown>[] }
    return Documents.map((document) =>
      Object.fromEntries(Object.entries(document).filter(([name]) => !name.startsWith('_')))
    )
  }

  async function post(path: string, body: object): Promise<void> {
    const headers = { 'x-ms-version': '2020-07-15', authorization: 'none' }
    await fetch(`${emulator.endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  }
})

function changed(before: DocumentName): Operation {
  return { kind: 'upsert', record: { id: 'a', area: 'new' }, before }
}
