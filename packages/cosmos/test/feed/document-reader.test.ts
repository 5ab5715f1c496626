import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keyText } from '../../src/client/container.ts'
import { createDocumentReader, type FeedDocument } from '../../src/feed/document-reader.ts'

/** Reads a page of one document. */
function read(document: object, paths: readonly string[] = ['/pk']): FeedDocument {
  const bytes = Buffer.from(JSON.stringify({ Documents: [document] }))
  return createDocumentReader(paths).page(bytes)![0]
}

describe('reading a document of a feed', () => {
  it('finds key, id and version', () => {
    const document = { id: 'a', pk: 'k', _etag: '"0000-1"', _ts: 1770000000, _lsn: 42 }
    const found = read(document)

    expect(found).toMatchObject({ identity: { key: ['k'], id: 'a' }, etag: '"0000-1"', timestamp: 1770000000, lsn: 42 })
    expect(JSON.parse(Buffer.from(found.bytes.subarray(found.start, found.end)).toString())).toEqual(document)
  })

  it.each([
    ['a string', 'ü"\\\u0000', 'ü"\\\u0000'],
    ['a number', 1.5, 1.5],
    ['a number beyond the whole numbers of a double', 9007199254740993n, 9007199254740992],
    ['true', true, true],
    ['false', false, false],
    ['null', null, null],
    ['a missing property', undefined, undefined],
    ['an object', { a: 1 }, undefined],
    ['an array', ['a'], undefined]
  ])('reads the value of the key from %s', (_name, stored, value) => {
    const text = typeof stored === 'bigint' ? String(stored) : JSON.stringify(stored)
    const member = stored === undefined ? '' : `"pk":${text},`
    const bytes = Buffer.from(`{"Documents":[{${member}"id":"a"}]}`)

    expect(createDocumentReader(['/pk']).page(bytes)![0].identity.key).toEqual([value])
  })

  it('reads hierarchical keys, nested paths and quoted paths', () => {
    const document = { id: 'a', tenant: { id: 7, 'user name': 'u' } }
    const paths = ['/tenant/id', '/tenant/"user name"', '/id', '/none/x']

    expect(read(document, paths).identity.key).toEqual([7, 'u', 'a', undefined])
  })

  it('decodes an ETag of any form', () => {
    for (const etag of [
      '"0000d826-0000-0700-0000-625c2d1d0000"',
      '""',
      '',
      'plain',
      '"ü"',
      '"a\\b"',
      '"a"b"',
      'W/"a"',
      '"a',
      'a"',
      '"',
      '\nabc"',
      '"abc\n',
      '"abc\\'
    ])
      expect(read({ id: 'a', _etag: etag }).etag).toBe(etag)
  })

  it('does not read a document without an id, which Cosmos DB never stores', () => {
    const reader = createDocumentReader(['/pk'])
    expect(reader.page(Buffer.from('{"Documents":[{"pk":"k"}]}'))).toBeUndefined()
    expect(reader.document(Buffer.from('{"pk":"k"}'))).toBeUndefined()
    expect(reader.document(Buffer.from('<html></html>'))).toBeUndefined()
    expect(reader.document(Buffer.from('{"id":"a"'))).toBeUndefined()
  })

  it('reads the same values as JSON.parse', () => {
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null)
    )
    const document = fc.record({
      other: fc.jsonValue(),
      id: fc.string({ unit: 'binary' }),
      tenant: fc.record({ id: value, more: fc.jsonValue() }),
      user: value,
      _etag: fc.string().map((text) => `"${text}"`),
      _ts: fc.nat(2 ** 31),
      _lsn: fc.nat()
    })
    const reader = createDocumentReader(['/tenant/id', '/user'])
    fc.assert(
      fc.property(fc.array(document), (documents) => {
        const text = JSON.stringify({ Documents: documents })
        const expected = (JSON.parse(text) as { Documents: typeof documents }).Documents
        const found = reader.page(Buffer.from(text))!
        expect(found.map(({ identity, etag, timestamp, lsn }) => ({ identity, etag, timestamp, lsn }))).toEqual(
          expected.map(({ id, tenant, user, _etag, _ts, _lsn }) => ({
            identity: { key: [tenant.id, user], id },
            etag: _etag,
            timestamp: _ts,
            lsn: _lsn
          }))
        )
      })
    )
  })
})

describe('the key in a header', () => {
  it('has an empty object for a missing value', () => {
    expect(keyText(['a"', 1, true, null, undefined, -0])).toBe('["a\\"",1,true,null,{},-0]')
  })
})
