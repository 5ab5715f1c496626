import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDocumentDigest, type DigestOptions } from '../../src/digest/document-digest.ts'
import { hexOf } from '../../src/digest/hash-state.ts'
import { documents, write } from '../json/written-json.ts'

/**
 * Digests of texts by one digest that remembers their layouts, in the bytes of one page; undefined for one that is not
 * valid JSON.
 */
function together(texts: readonly string[], options: DigestOptions = {}): readonly (string | undefined)[] {
  const digest = createDocumentDigest(options)
  const page = new TextEncoder().encode(texts.join(',') + END)
  let end = -1
  return texts.map((text) => {
    const start = end + 1
    end = start + new TextEncoder().encode(text).length
    const into = new Int32Array(4)
    return digest(page, start, end, into) ? hexOf(into) : undefined
  })
}

/** After the last document of a page, at least as many bytes as a digest reads at once. */
const END = `],"_count":1}${' '.repeat(200)}`

/** The same digests, each without any document before. */
function apart(texts: readonly string[], options: DigestOptions = {}): readonly (string | undefined)[] {
  const known = new Map([...new Set(texts)].map((text) => [text, together([text], options)[0]]))
  return texts.map((text) => known.get(text))
}

// few names, so that many of them occur twice, and that layouts are those of earlier documents
const name = fc.constantFrom('"a"', '"b"', String.raw`"\u0061"`, '"_ts"', '"meta"', '"a long name with 21 b"')
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom('1', '-0.5', '"x"', 'null', 'true', 'false', String.raw`"\n"`, '{}', '[]', '?', 'nul', '01'),
    // strings around the length of one block and of two
    fc.nat({ max: 40 }).map((length) => `"${'0123456789'.repeat(4).slice(0, length)}"`),
    fc.nat({ max: 40 }).map((length) => `"${'äöü€'.repeat(10).slice(0, length)}${String.raw`\"x`}"`),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 4 }).map((members) => objectOf(members)),
    fc.array(tie('value'), { maxLength: 3 }).map((elements) => `[${elements.join(',')}]`)
  )
}))
const document = fc.array(fc.tuple(name, value), { maxLength: 5 }).map((members) => objectOf(members))

function objectOf(members: readonly (readonly [string, string])[]): string {
  return `{${members.map(([each, inner]) => `${each}:${inner}`).join(',')}}`
}

describe('documents after other documents', () => {
  it('gives each of them the digest that it has alone, also with repeated names and invalid documents', () => {
    const leaveOut = fc.subarray(['/a', '/meta/a', '/meta/0/a', '/meta/0/b/1', '/b/a/b', '/a/1/a'])
    fc.assert(
      fc.property(fc.array(document, { minLength: 2, maxLength: 8 }), fc.nat(), leaveOut, (some, seed, pointers) => {
        // each of them several times, in an order that mixes them
        const texts = Array.from(
          { length: 40 },
          (_, index) => some[(index * index + seed + (index >> 3)) % some.length]
        )
        const options = { leaveOut: pointers }
        expect(together(texts, options)).toEqual(apart(texts, options))
      }),
      { numRuns: 500 }
    )
  })

  it('gives digests that do not depend on the form of a document', () => {
    fc.assert(
      fc.property(documents, fc.infiniteStream(fc.nat()), (tree, numbers) => {
        const texts = Array.from({ length: 10 }, () => write(tree, (below) => (numbers.next().value ?? 0) % below))
        expect(new Set(together([...texts, ...texts])).size).toBe(1)
      }),
      { numRuns: 100 }
    )
  })

  it('reads a document that was cut off, after whole ones', () => {
    const text = '{"id":"1","a":{"b":[{"c":1},{"c":2}]},"_ts":3}'
    const digest = createDocumentDigest()
    const bytes = new TextEncoder().encode(text)
    const into = new Int32Array(4)
    const page = new TextEncoder().encode(text + END)
    for (let round = 0; round < 3; round++) expect(digest(page, 0, bytes.length, into)).toBe(true)
    for (let end = 0; end < bytes.length; end++) {
      expect(digest(page, 0, end, into)).toBe(false)
      expect(digest(bytes, 0, end, into)).toBe(false)
      expect(digest(bytes.slice(0, end), 0, end, into)).toBe(false)
    }
  })

  it('finds repeated names in an element after a document that leaves them out in another one', () => {
    const texts = ['{"a":[{"b":1,"b":2}]}', '{"a":[0,{"b":1,"b":2}]}', '{"a":[0,{"b":3,"b":2}]}']
    const options = { leaveOut: ['/a/0/b'] }
    // layouts are tried again only some documents after one that had none
    const all = [...Array.from({ length: 50 }, () => texts[0]), ...texts]
    const digests = together(all, options)
    expect(digests).toEqual(apart(all, options))
    expect(digests[51]).toBe(digests[52])
  })

  it('forgets layouts when there are too many of them', () => {
    const texts = Array.from({ length: 6000 }, (_, index) => `{"n${index}":1,"m${index % 3000}":2,"n${index}":3}`)
    const usual = Array.from({ length: 100 }, () => '{"id":"1","a":2}')
    const all = [...texts, ...usual, ...texts.slice(0, 50), ...usual]
    expect(together(all)).toEqual(apart(all))
  })
})
