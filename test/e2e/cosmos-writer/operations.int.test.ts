import { operationFor } from '@keystamp/cosmos'
import { describe, expect, it } from 'vitest'
import { codeOf, useContainer } from './container-fixture.ts'

const fixture = useContainer()

describe('operations of a writer', () => {
  it('create, replace, patch and delete documents', async () => {
    const writer = await fixture.open()
    const record = { id: 'a', pk: 'k', n: 1 }

    expect(codeOf(await writer.write({ kind: 'create', record }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'create', record }))).toBe('ALREADY_EXISTS')
    expect(codeOf(await writer.write({ kind: 'replace', record: { ...record, n: 2 } }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'replace', record: { ...record, id: 'b' } }))).toBe('NOT_FOUND')
    expect(
      codeOf(await writer.write({ kind: 'patch', id: 'a', key: 'k', steps: [{ op: 'incr', path: '/n', value: 5 }] }))
    ).toBe('written')
    expect(await fixture.read('a', 'k')).toMatchObject({ n: 7 })
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k' }))).toBe('written')
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k' }))).toBe('NOT_FOUND')
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k', ignore: [404] }))).toBe('unchanged')
  })

  it('change a document only if it has the given ETag', async () => {
    const writer = await fixture.open()
    const first = await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 1 } })
    const etag = first.kind === 'written' ? first.etag : undefined

    expect(etag).toBe(await fixture.etagOf('a', 'k'))
    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 2 }, ifMatch: etag! }))).toBe(
      'written'
    )
    expect(codeOf(await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 3 }, ifMatch: etag! }))).toBe(
      'PRECONDITION_FAILED'
    )
    expect(codeOf(await writer.write({ kind: 'delete', id: 'a', key: 'k', ifMatch: etag!, ignore: [412] }))).toBe(
      'unchanged'
    )
    expect(await fixture.read('a', 'k')).toMatchObject({ n: 2 })
  })

  it('give a document its time to live', async () => {
    const writer = await fixture.open()
    await writer.write({ kind: 'upsert', bytes: Buffer.from('{"id":"a","pk":"k"}'), ttl: 90 })

    expect(await fixture.read('a', 'k')).toMatchObject({ ttl: 90 })
  })

  it('apply a patch of many operations as a whole', async () => {
    const writer = await fixture.open()
    await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k' } })
    const steps = Array.from({ length: 25 }, (_, index) => ({ op: 'set' as const, path: `/f${index}`, value: index }))

    expect(codeOf(await writer.write({ kind: 'patch', id: 'a', key: 'k', steps }))).toBe('written')
    expect(await fixture.read('a', 'k')).toMatchObject({ f0: 0, f24: 24 })

    const broken = [
      ...steps.slice(0, 24).map((step) => ({ ...step, value: 'changed' })),
      { op: 'replace' as const, path: '/missing/x', value: 1 }
    ]
    expect(codeOf(await writer.write({ kind: 'patch', id: 'a', key: 'k', steps: broken }))).toBe('COSMOS_REJECTED')
    expect(await fixture.read('a', 'k')).toMatchObject({ f0: 0 })
  })

  it('can have the write strategies of Kafka sinks', async () => {
    const writer = await fixture.open()
    const write = async (strategy: Parameters<typeof operationFor>[0], record: object): Promise<string> =>
      codeOf(await writer.write(operationFor(strategy, { record })))

    expect(await write('append', { id: 'a', pk: 'k', n: 1 })).toBe('written')
    expect(await write('append', { id: 'a', pk: 'k', n: 2 })).toBe('unchanged')
    expect(await write('overwrite', { id: 'a', pk: 'k', n: 3 })).toBe('written')
    const stale = await fixture.etagOf('a', 'k')
    expect(await write('overwriteIfNotModified', { id: 'a', pk: 'k', n: 4, _etag: stale })).toBe('written')
    expect(await write('overwriteIfNotModified', { id: 'a', pk: 'k', n: 5, _etag: stale })).toBe('unchanged')
    expect(await write('overwriteIfNotModified', { id: 'a', pk: 'k', n: 6 })).toBe('unchanged')
    expect(await write('deleteIfNotModified', { id: 'a', pk: 'k', _etag: stale })).toBe('unchanged')
    expect(await fixture.read('a', 'k')).toMatchObject({ n: 4 })
    expect(await write('deleteIfNotModified', { id: 'a', pk: 'k', _etag: await fixture.etagOf('a', 'k') })).toBe(
      'written'
    )
    expect(await write('delete', { id: 'a', pk: 'k' })).toBe('unchanged')
  })

  it.each([
    ['an object', { record: { id: 'a', pk: 'k' } }],
    ['an object with an empty ETag', { record: { id: 'a', pk: 'k', _etag: '' } }],
    ['bytes', { bytes: Buffer.from('{"id":"a","pk":"k"}') }],
    ['bytes with an ETag that is not a string', { bytes: Buffer.from('{"id":"a","pk":"k","_etag":null}') }]
  ])(
    'under `deleteIfNotModified` are rejected for a record without an ETag, given as %s, and delete nothing',
    async (_, document) => {
      const writer = await fixture.open()
      await writer.write({ kind: 'upsert', record: { id: 'a', pk: 'k', n: 1 } })
      const operation = operationFor('deleteIfNotModified', document)

      expect(codeOf(await writer.write(operation))).toBe('ETAG_MISSING')
      expect((await writer.writeAtomic([operation])).map(codeOf)).toEqual(['ETAG_MISSING'])
      expect(await fixture.read('a', 'k')).toMatchObject({ n: 1 })
    }
  )
})
