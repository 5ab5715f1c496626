import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDocumentDigest } from '../../src/digest/document-digest.ts'
import { hashIdentity } from '../../src/digest/identity-hash.ts'
import { CONTENT, createPageDigests, type PageDigest, PLACE } from '../../src/digest/page-digest.ts'
import { createIdentityReader } from '../../src/documents/identity-reader.ts'

const value = fc.constantFrom<unknown>(
  'a',
  'a longer text of more than 16 bytes',
  'ä',
  'quote " and \\',
  '',
  1,
  -0.5,
  true,
  null,
  { a: ['b', 1, {}] },
  undefined
)
const document = fc.record({
  id: fc.constantFrom('1', 'document-2', 'ü', '"', 'a very long id of more than 16 bytes'),
  pk: value,
  a: value,
  b: value,
  isReversed: fc.boolean()
})
const LEAVE_OUT = ['/b']

describe('the hashes of a page', () => {
  it.each(['pk', 'id'])('are those of its documents, one by one, in a container with the key /%s', (key) => {
    const read = createIdentityReader([[key]])
    const digest = createDocumentDigest({ leaveOut: LEAVE_OUT })
    fc.assert(
      fc.property(fc.array(document, { minLength: 1, maxLength: 4 }), fc.nat({ max: 30 }), (some, count) => {
        const page = createPageDigests({ leaveOut: LEAVE_OUT }, key)()
        const all = Array.from({ length: count }, (_, index) => some[(index + (index >> 3)) % some.length])
        // a page that is read again, in the same memory
        for (let round = 0; round < 2; round++) {
          const { bytes, places } = pageOf(all)
          readInto(page, bytes, places, key)
          const expected = places.map(([start, end]) => {
            const found = read(bytes, start, end)!
            const [identity, content] = [new Int32Array(4), new Int32Array(4)]
            hashIdentity(found.identity, identity)
            digest(bytes, start, end, content)
            return [[...identity], [...content], found.identity.key[0] !== undefined]
          })
          expect(rowsOf(page)).toStrictEqual(expected)
          expect(page.length).toBe(places.reduce((sum, [start, end]) => sum + end - start, 0))
        }
      }),
      { numRuns: 300 }
    )
  })

  it('have room for any number of documents', () => {
    const page = createPageDigests({}, 'pk')()
    const all = Array.from({ length: 3000 }, (_, index) => ({ id: `${index}`, pk: 'a', a: 1, b: 2, isReversed: false }))
    const { bytes, places } = pageOf(all)
    readInto(page, bytes, places)
    expect(new Set(rowsOf(page).map(([place]) => String(place))).size).toBe(3000)
  })

  it('are not complete if a document is not valid', () => {
    const page = createPageDigests({}, 'pk')()
    const { bytes, places } = pageOf([{ id: '1', pk: 'a', a: 1, b: 2, isReversed: false }])
    bytes[places[0][1] - 1] = 0x5d
    page.begin(bytes)
    expect(page.read(places[0][0], bytes.length, () => undefined)).toBeLessThan(0)
  })
})

interface Written {
  readonly id: string
  readonly pk: unknown
  readonly a: unknown
  readonly b: unknown
  readonly isReversed: boolean
}

/** Documents as an answer has them, and where they are. */
function pageOf(all: readonly Written[]): { bytes: Buffer; places: (readonly [number, number])[] } {
  const texts = all.map(({ isReversed, ...members }, index) => {
    const own = Object.entries(members)
    const system = { _etag: `"${index}"`, _ts: 1_700_000_000 + index, _lsn: index }
    return JSON.stringify({ ...Object.fromEntries(isReversed ? own.toReversed() : own), ...system })
  })
  let end = '{"Documents":['.length - 1
  const places = texts.map((text) => {
    const start = end + 1
    end = start + Buffer.byteLength(text)
    return [start, end] as const
  })
  return { bytes: Buffer.from(`{"Documents":[${texts.join(',')}],"_count":${texts.length}}${' '.repeat(200)}`), places }
}

function readInto(
  page: PageDigest,
  bytes: Buffer,
  places: readonly (readonly [number, number])[],
  key: string = 'pk'
): void {
  const read = createIdentityReader([[key]])
  page.begin(bytes)
  for (const [start, end] of places) expect(page.read(start, bytes.length, () => read(bytes, start, end))).toBe(end)
}

function rowsOf(page: PageDigest): readonly (readonly [number[], number[], boolean])[] {
  return Array.from({ length: page.size }, (_, index) => {
    const at = page.at(index)
    const words = (from: number): number[] => [...page.words.subarray(at + from, at + from + 4)]
    return [words(PLACE), words(CONTENT), page.hasKey(index)] as const
  })
}
