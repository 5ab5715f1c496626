import { describe, expect, it } from 'vitest'
import { CanonicalDocument, knownMembersOf } from '../../src/store/document.ts'
import { readCanonicalOperations } from '../../src/wire/batch-operation.ts'

const known = knownMembersOf([['pk']])
const read = (body: string | Uint8Array): Record<string, unknown>[] | undefined =>
  readCanonicalOperations(Buffer.from(body), known)
const upsert = (resourceBody: object, key: unknown[] = ['a']): object => ({
  operationType: 'Upsert',
  partitionKey: JSON.stringify(key),
  resourceBody
})

describe('the reader of canonical operations', () => {
  it('reads creates and upserts in which the key is before or after the document, and keeps the documents as bytes', () => {
    const first = { operationType: 'Create', partitionKey: '["é\\"",1]', resourceBody: { id: '1', pk: 'é"', n: [1] } }
    const second = { operationType: 'Upsert', resourceBody: { pk: 'a', id: '\n', ttl: 5 }, partitionKey: '["a"]' }
    const operations = read(JSON.stringify([first, second]))!

    expect(operations.map(({ operationType, partitionKey }) => [operationType, partitionKey])).toEqual([
      ['Create', '["é\\"",1]'],
      ['Upsert', '["a"]']
    ])
    const documents = operations.map(({ resourceBody }) => resourceBody as CanonicalDocument)
    expect(documents.every((document) => document instanceof CanonicalDocument)).toBe(true)
    expect(documents.map(({ id, ttl, text, isAscii }) => [id, ttl, text, isAscii])).toEqual([
      ['1', undefined, JSON.stringify(first.resourceBody), false],
      ['\n', 5, JSON.stringify(second.resourceBody), true]
    ])
  })

  it('reads up to a hundred operations', () => {
    const many = Array.from({ length: 101 }, () => upsert({}))

    expect(read(JSON.stringify(many.slice(1)))).toHaveLength(100)
    expect(read(JSON.stringify(many))).toBeUndefined()
  })

  const one = JSON.stringify([upsert({ id: '1' })])
  it.each([
    ['an empty body', ''],
    ['an empty array', '[]'],
    ['an object', '{}'],
    ['whitespace', one.replace('[', '[ ')],
    ['whitespace after the end', `${one} `],
    ['a second text', `${one}${one}`],
    ['one bracket too many', `${one}]`],
    ['a comma at the end', one.replace(/\]$/, ',]')],
    ['a missing comma', `${one.slice(0, -1)}${one.slice(1)}`],
    ['a byte order mark', `\u{feff}${one}`],
    ['another operation', one.replace('Upsert', 'Replace')],
    ['a missing operation type', one.replace('"operationType":"Upsert",', '')],
    ['a precondition', one.replace('"}}', '"},"ifMatch":"*"}')],
    ['a missing key', one.replace(/"partitionKey":"[^,]*,/, '')],
    ['two keys', one.replace(/("partitionKey":"[^,]*,)/, '$1$1')],
    ['two documents', one.replace(/(,"resourceBody".*)\}\]/, '$1$1}]')],
    ['a missing document', one.replace(/,"resourceBody".*\}\]/, '}]')],
    ['a key that is an array', one.replace('"[\\"a\\"]"', '["a"]')],
    ['a key with an unknown escape', one.replace('\\"a', '\\"\\x')],
    ['a document that is null', one.replace('{"id":"1"}', 'null')],
    ['a document that is an array', one.replace('{"id":"1"}', '[]')],
    ['a document with a system property', one.replace('"id"', '"_ts"')],
    ['a document that is not canonical', one.replace('"1"', '1.0')],
    ['a missing end', one.slice(0, -1)],
    ['only half of the text', one.slice(0, 60)]
  ])('returns undefined for %s', (_, body) => {
    expect(read(one)).toBeDefined()
    expect(read(body)).toBeUndefined()
  })

  it('returns undefined for bytes that are not UTF-8', () => {
    const bytes = Buffer.from(JSON.stringify([upsert({ id: 'x' })]))
    bytes[bytes.indexOf('x')] = 0xff

    expect(read(bytes)).toBeUndefined()
  })
})
