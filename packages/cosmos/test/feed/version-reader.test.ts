import { describe, expect, it } from 'vitest'
import { createDocumentReader } from '../../src/feed/document-reader.ts'
import { createVersionReader, type DocumentVersion } from '../../src/feed/version-reader.ts'

function read(change: object, paths: readonly string[] = ['/pk']): DocumentVersion | undefined {
  const bytes = Buffer.from(JSON.stringify({ _rid: 'x', Documents: [change], _count: 1 }))
  return createVersionReader(paths, createDocumentReader(paths))(bytes)?.[0]
}

/** A delete whose metadata name the document. */
const named = (partitionKey: object): object => ({ current: {}, metadata: { ...metadata, id: 'a', partitionKey } })
const metadata = { operationType: 'delete', lsn: 7, crts: 1770000000, previousImageLSN: 6 }

describe('reading a change of all versions and deletes', () => {
  it('takes the identity of a version from the document', () => {
    const current = { id: 'a', pk: 'k', _etag: '"1"', _ts: 1770000000 }
    const version = read({ current, metadata: { ...metadata, operationType: 'create' } })

    expect(version).toMatchObject({
      operation: 'create',
      identity: { key: ['k'], id: 'a' },
      lsn: 7,
      timestamp: 1770000000,
      isExpiry: false,
      previous: undefined
    })
    expect(version!.current).toMatchObject({ identity: { key: ['k'], id: 'a' }, etag: '"1"' })
  })

  it('takes the identity of a delete from its metadata, with undefined for a missing value', () => {
    expect(read(named({ pk: 'k' }))).toMatchObject({ operation: 'delete', identity: { key: ['k'], id: 'a' } })
    expect(read(named({}))!.identity).toEqual({ key: [undefined], id: 'a' })
    expect(read(named({ 'a/b': 1, c: null }), ['/a/b', '/c'])!.identity).toEqual({ key: [1, null], id: 'a' })
    expect(read(named({ a: { b: true } }), ['/a/b'])!.identity).toEqual({ key: [true], id: 'a' })
    expect(read(named({ pk: 'k' }))!.current).toBeUndefined()
  })

  it('takes the identity of a delete from the previous image if the metadata do not have it', () => {
    const version = read({ current: {}, previous: { id: 'a', pk: 'k', n: 1 }, metadata })

    expect(version).toMatchObject({ identity: { key: ['k'], id: 'a' }, previous: { etag: '', lsn: undefined } })
  })

  it('knows the end of a TTL', () => {
    const expiry = { ...metadata, timeToLiveExpired: true, id: 'a', partitionKey: { pk: 'k' } }
    expect(read({ current: {}, metadata: expiry })!.isExpiry).toBe(true)
  })

  it('rejects a page with a change that names no document, or has no metadata', () => {
    expect(read({ current: {}, metadata })).toBeUndefined()
    expect(read({ current: { id: 'a', pk: 'k' } })).toBeUndefined()
  })
})
