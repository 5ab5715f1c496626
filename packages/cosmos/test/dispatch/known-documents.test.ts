import { expect, it } from 'vitest'
import { KnownDocuments } from '../../src/dispatch/newest-writes.ts'

const known = (etag: string): { etag: string; position: { value: number; place: undefined }; isMarker: false } => ({
  etag,
  position: { value: 1, place: undefined },
  isMarker: false
})

it('KnownDocuments keeps the documents that were used last, up to a number', () => {
  const documents = new KnownDocuments(8)
  documents.set('kept', known('k'))
  for (let each = 0; each < 100; each++) {
    documents.set(`d${each}`, known(String(each)))
    expect(documents.get('kept')?.etag).toBe('k')
  }
  const found = Array.from({ length: 100 }, (_, each) => documents.get(`d${each}`)).filter((one) => one !== undefined)
  expect(found.length).toBeLessThanOrEqual(8)
  expect(documents.get('d99')?.etag).toBe('99')
  documents.forget('d99')
  expect(documents.get('d99')).toBeUndefined()
})
