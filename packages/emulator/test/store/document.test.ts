import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseContainerDefinition } from '../../src/store/container-definition.ts'
import { Container } from '../../src/store/container.ts'
import { type Document, ObjectDocument, scanDocument } from '../../src/store/document.ts'

const place = { rid: 'AAAAAAAAAAA=', number: 1, database: 'd', databaseSelf: 'dbs/d/', timestamp: 0 }
const containerOf = (paths: string[], excluded: string[] = []): Container => {
  const kind = paths.length > 1 ? 'MultiHash' : 'Hash'
  const indexingPolicy = { includedPaths: [{ path: '/*' }], excludedPaths: excluded.map((path) => ({ path })) }
  return new Container(
    place,
    parseContainerDefinition({ id: 'c', partitionKey: { paths, kind, version: 2 }, indexingPolicy }),
    1
  )
}
const containers = [
  containerOf(['/pk']),
  containerOf(['/pk', '/id', '/ttl']),
  containerOf(['/pk/a']),
  containerOf(['/toString']),
  containerOf(['/é'], ['/pk/?', '/x/[]/?'])
]

function scan(text: string, container: Container): Document | undefined {
  const bytes = Buffer.from(`[${text}]`)
  return scanDocument(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), 1, container.knownMembers)
}

const said = (document: Document, container: Container): unknown[] => [
  document.id,
  document.ttl,
  document.keyText(container),
  document.terms(container),
  document.text,
  document.length,
  document.isAscii,
  document.value
]

describe('a canonical document', () => {
  it('has the same properties as when it is parsed into an object', () => {
    const plain = fc.constantFrom(
      'a',
      'é',
      'q"\\',
      '',
      1,
      -0.5,
      null,
      true,
      {},
      [],
      [1, [2]],
      { a: 'é' },
      { a: { a: 1 } }
    )
    const value = fc.oneof({ weight: 12, arbitrary: plain }, { weight: 1, arbitrary: fc.jsonValue() })
    const document = fc.record(
      { pk: value, id: value, ttl: value, x: value, é: value, toString: value },
      { requiredKeys: [], noNullPrototype: true }
    )
    const counts = { canonical: 0, all: 0 }
    fc.assert(
      fc.property(document, fc.constantFrom(...containers), (object, container) => {
        const text = JSON.stringify(object)
        const asObject = new ObjectDocument(JSON.parse(text) as Record<string, unknown>)
        const canonical = scan(text, container)
        counts.all += 1
        counts.canonical += canonical === undefined ? 0 : 1

        expect(said(canonical ?? asObject, container)).toEqual(said(asObject, container))
      }),
      { numRuns: 2000 }
    )
    expect(counts.canonical * 2).toBeGreaterThan(counts.all)
  })

  it.each(['_rid', '_self', '_etag', '_attachments', '_ts'])(
    'has no system property %s, but may have properties with similar names',
    (name) => {
      expect(scan(`{"a":1,"${name}":1}`, containers[0])).toBeUndefined()
      expect(scan(`{"a":{"${name}":1},"_x":1,"${name}x":1}`, containers[0])).toBeDefined()
    }
  )
})
