import { createFieldReader } from '@keystamp/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPage } from '../../src/feed/cut-page.ts'

const fields = createFieldReader([])

/** The elements of a page as text; undefined if it is not a whole page. */
function cut(text: string): readonly string[] | undefined {
  // in the middle of a larger buffer, as small answers are
  const whole = Buffer.from(`]}"${text}]}"`)
  const bytes = whole.subarray(3, whole.length - 3)
  const elements: string[] = []
  const isWhole = cutPage(bytes, (start, limit) => {
    const end = fields.scan(bytes, start, limit)
    if (end >= 0) elements.push(bytes.subarray(start, end).toString())
    return end
  })
  return isWhole ? elements : undefined
}

describe('cutting a page into its documents', () => {
  it('returns the documents byte for byte', () => {
    const documents = ['{"id":"1","a":[{"b":"]}"}]}', '{ "id" : "\\"},{\\"" }', '{}']
    expect(cut(`{"_rid":"x","Documents":[${documents.join(',')}],"_count":3}`)).toEqual(documents)
    expect(cut(` {"_count":3 , "Documents" : [ ${documents.join(' , ')} ] }\r\n`)).toEqual(documents)
  })

  it('returns no document of an empty page', () => {
    expect(cut('{"_rid":"x","Documents":[],"_count":0}')).toEqual([])
    expect(cut('{"Documents":[ ]}')).toEqual([])
  })

  it('ignores arrays of the same name that are not the page’s own', () => {
    expect(cut('{"other":{"Documents":[{"a":1}]},"text":"\\"Documents\\":[","Documents":[{"b":2}]}')).toEqual([
      '{"b":2}'
    ])
  })

  it('rejects what is not a page', () => {
    for (const text of [
      '',
      '{}',
      '[]',
      '<html></html>',
      '{"code":"503"}',
      '{"Documents":{}}',
      '{"Documents":[1]}',
      '{"Documents":[{}{}]}',
      '{"Documents":[{},]}',
      '{"Documents":[{}]}}',
      '{"Documents":[{}]}{}',
      '{"Documents":[{"a":}]}',
      '{"Documents"[{}]}',
      '{Documents:[{}]}'
    ])
      expect([text, cut(text)]).toEqual([text, undefined])
  })

  it('rejects every page that was cut off', () => {
    const page = '{"_rid":"x","Documents":[{"id":"1","a":{"b":"}"}},{"id":"2"}],"_count":2}'
    for (let length = 0; length < page.length; length++) expect(cut(page.slice(0, length))).toBeUndefined()
  })

  it('returns the same documents as JSON.parse', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.nat(3), (documents, indent) => {
        const page = JSON.stringify({ _rid: 'x', Documents: documents, _count: documents.length }, undefined, indent)
        const found = cut(page)?.map((text) => JSON.parse(text) as unknown)
        expect(found).toEqual(JSON.parse(JSON.stringify(documents)))
      })
    )
  })
})
