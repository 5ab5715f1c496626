import { expect, it } from 'vitest'
import { createIdentityReader, readStoredDocument } from '../../src/documents/identity-reader.ts'

const read = (text: string, paths: readonly (readonly string[])[] = [['a', 'b'], ['c']]) => {
  const bytes = new TextEncoder().encode(`,${text},`)
  return readStoredDocument(bytes, 1, bytes.length - 1, paths)
}

it('reads the values of the key paths, the id, the ETag, the time and the number of the change', () => {
  expect(read(String.raw`{"id":"\u0041","a":{"b":1.50},"c":null,"_etag":"\"e\"","_ts":7,"_lsn":12}`)).toMatchObject({
    start: 1,
    identity: { key: [1.5, null], id: 'A' },
    etag: '"e"',
    timestamp: 7,
    lsn: 12
  })
})

it('gives undefined for a part of the key or a number of the change that the document does not have', () => {
  expect(read('{"id":"1","a":"x","_etag":"e","_ts":7}')).toMatchObject({
    identity: { key: [undefined, undefined] },
    lsn: undefined
  })
})

it('gives undefined for bytes that are no document', () => {
  for (const text of ['{}', '[]', '{"id":1}', '{"id":"1"']) expect(read(text)).toBeUndefined()
})

it('reads documents of one container one after the other', () => {
  const readNext = createIdentityReader([['a']])
  const bytes = new TextEncoder().encode('{"id":"1","a":1}{"id":"2"}')
  expect(readNext(bytes, 0, 16)?.identity).toEqual({ key: [1], id: '1' })
  expect(readNext(bytes, 16, 26)?.identity).toEqual({ key: [undefined], id: '2' })
})
