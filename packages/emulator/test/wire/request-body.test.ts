import { describe, expect, it } from 'vitest'
import { knownMembersOf } from '../../src/store/document.ts'
import { readCanonicalBody } from '../../src/wire/request-body.ts'

const read = (body: string | Uint8Array): string | undefined =>
  readCanonicalBody(Buffer.from(body), knownMembersOf([['pk']]))?.text

describe('the reader of a canonical body', () => {
  it('reads one document', () => {
    expect(read('{"id":"é","pk":1}')).toBe('{"id":"é","pk":1}')
  })

  it.each([
    ['an empty body', ''],
    ['a document and more', '{"id":"1"} '],
    ['two documents', '{"id":"1"}{"id":"2"}'],
    ['an array', '[{"id":"1"}]'],
    ['a document that is not canonical', '{"id" :"1"}'],
    ['a byte order mark', '\u{feff}{"id":"1"}'],
    ['bytes that are not UTF-8', Buffer.from('{"id":"é"}', 'latin1')]
  ])('returns undefined for %s', (_, body) => {
    expect(read(body)).toBeUndefined()
  })
})
