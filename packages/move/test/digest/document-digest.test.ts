import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDocumentDigest, type DigestOptions } from '../../src/digest/document-digest.ts'
import { hexOf } from '../../src/digest/hash-state.ts'
import { canonical, documents, type Member, type Tree, write } from '../json/written-json.ts'

function digestOf(text: string, options: DigestOptions = {}): string | undefined {
  const bytes = new TextEncoder().encode(text)
  const into = new Int32Array(4)
  return createDocumentDigest(options)(bytes, 0, bytes.length, into) ? hexOf(into) : undefined
}

const plain = (value: Tree): string => write(value, () => 0)

describe('forms of the same content', () => {
  it('gives the same digest for any order, whitespace, escapes, forms of numbers and repeated names', () => {
    fc.assert(
      fc.property(documents, fc.infiniteStream(fc.nat()), (document, numbers) => {
        const choose = (below: number): number => (numbers.next().value ?? 0) % below
        const text = write(document, choose)
        const other = write(document, choose)
        expect(digestOf(other)).toBe(digestOf(text))
        expect(digestOf(text)).toBeDefined()
      }),
      { numRuns: 400 }
    )
  })

  it.each([
    ['{"a":"A"}', String.raw`{"a":"\u0041"}`],
    ['{"a":1}', '{"a":1.0}'],
    ['{"a":1}', '{ "a" : 1e0 }'],
    ['{"a":1e400}', '{"a":1e500}'],
    ['{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['{"a":0.1}', '{"a":0.10000000000000000555}'],
    ['{"b":2,"a":1}', '{"a":1,"b":2}'],
    ['{"a":2}', '{"a":[1],"a":{},"a":2}'],
    ['{"a":{"b":1}}', String.raw`{"\u0061":{"b":0,"b":1}}`],
    [String.raw`{"a":"\ud83d\ude00"}`, '{"a":"😀"}'],
    [String.raw`{"a":"\/"}`, '{"a":"/"}']
  ])('gives %s and %s the same digest', (one, other) => {
    expect(digestOf(one)).toBe(digestOf(other))
    expect(digestOf(one)).toBeDefined()
  })
})

describe('other content', () => {
  it('gives equal digests exactly for texts that JSON.parse reads as equal values', () => {
    fc.assert(
      fc.property(documents, documents, (one, other) => {
        const [first, second] = [plain(one), plain(other)]
        const isSame = canonical(JSON.parse(first)) === canonical(JSON.parse(second))
        expect(digestOf(first) === digestOf(second)).toBe(isSame)
      })
    )
  })

  it('gives another digest after any single change of a value, a name, a type or the nesting', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.nat(), (document, place, change) => {
        const edited = changeAt(document, { left: place % countOf(document) }, change)
        const [before, after] = [plain(document), plain(edited)]
        fc.pre(canonical(JSON.parse(before)) !== canonical(JSON.parse(after)))
        expect(digestOf(after)).not.toBe(digestOf(before))
      }),
      { numRuns: 1000 }
    )
  })

  it.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":1}', '{"a":true}'],
    ['{"a":0}', '{"a":-0}'],
    ['{"a":null}', '{}'],
    ['{"a":{}}', '{"a":[]}'],
    ['{"a":""}', '{"a":null}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":[[1],2]}', '{"a":[1,[2]]}'],
    ['{"a":{"b":1},"c":{}}', '{"a":{},"c":{"b":1}}'],
    ['{"a":1,"b":2}', '{"a":2,"b":1}'],
    [String.raw`{"a":"\u0000"}`, '{"a":""}'],
    [String.raw`{"a":"\ud800"}`, String.raw`{"a":"\ufffd"}`],
    ['{"a":[{}]}', '{"a":[{},{}]}'],
    ['{"a":[[]]}', '{"a":[]}'],
    ['{"_ts":{"_ts":1}}', '{"a":{"_ts":1}}']
  ])('gives %s and %s other digests', (one, other) => {
    expect(digestOf(one)).not.toBe(digestOf(other))
  })
})

describe('members that are left out', () => {
  it('leaves out the properties that Cosmos DB adds, but only those of the document itself', () => {
    const text = '{"_rid":"x","id":"1","_self":"s","_etag":"e","_attachments":"a","a":{"_ts":1},"_ts":2,"_lsn":3}'
    expect(digestOf(text)).toBe(digestOf('{"id":"1","a":{"_ts":1}}'))
    expect(digestOf(text)).not.toBe(digestOf('{"id":"1","a":{}}'))
  })

  it('leaves out nested members, elements, and ttl if it is told to', () => {
    const leaveOut = ['/pk', '/meta/key', '/list/1', '/a~1b']
    const one = '{"pk":1,"meta":{"key":{"x":[2]},"other":1},"list":[1,2,3],"a/b":3,"ttl":5}'
    const other = '{"meta":{"other":1},"list":[1,"?",3],"ttl":6}'
    expect(digestOf(one, { leaveOut, leaveOutTtl: true })).toBe(digestOf(other, { leaveOut, leaveOutTtl: true }))
    expect(digestOf(one, { leaveOut })).not.toBe(digestOf(other, { leaveOut }))
    expect(digestOf('{"list":[1,2,3]}', { leaveOut })).not.toBe(digestOf('{"list":[1,3]}', { leaveOut }))
  })

  it('does not count an object on the way to a member that is left out if it has no other members', () => {
    const leaveOut = ['/meta/deep/key']
    const digest = (text: string) => digestOf(text, { leaveOut })
    expect(digest('{"meta":{"deep":{"key":1}}}')).toBe(digest('{}'))
    expect(digest('{"meta":7,"meta":{"deep":{"key":1}}}')).toBe(digest('{}'))
    expect(digest('{"meta":{"deep":{"key":1}},"meta":7}')).toBe(digest('{"meta":7}'))
    expect(digest('{"meta":{"deep":{}, "x":{}}}')).toBe(digest('{"meta":{"x":{}}}'))
    expect(digest('{"other":{}}')).not.toBe(digest('{}'))
  })

  it('refuses a string that is no JSON pointer', () => {
    expect(() => createDocumentDigest({ leaveOut: ['pk'] })).toThrow('"pk" is no JSON pointer')
  })
})

describe('unusual documents', () => {
  it('accepts exactly the objects that JSON.parse accepts', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.constantFrom(...'{}[]",:\\u0-.eE+ tnf1')), { maxLength: 3 })
    fc.assert(
      fc.property(documents, changes, (document, edits) => {
        let text = plain(document)
        for (const [at, mark] of edits) {
          const place = at % (text.length + 1)
          text = text.slice(0, place) + mark + text.slice(place + (at & 1))
        }
        expect(digestOf(text) !== undefined).toBe(isObjectText(text))
      }),
      { numRuns: 3000 }
    )
  })

  it.each([
    '',
    '{',
    '[]',
    '1',
    '{"a":01}',
    '{"a":1.}',
    '{"a":.5}',
    '{"a":-}',
    '{"a":+1}',
    '{"a":tru}',
    '{"a" 1}',
    '{}}'
  ])('refuses %s', (text) => {
    expect(digestOf(text)).toBeUndefined()
  })

  it('reads only the bytes of the document', () => {
    const bytes = new TextEncoder().encode('{"x":1}  {"id":"1","a":"b"}  ,{"y":2}')
    const digest = createDocumentDigest()
    const into = new Int32Array(4)
    expect(digest(bytes, 9, 27, into)).toBe(true)
    expect(hexOf(into)).toBe(digestOf('{"id":"1","a":"b"}'))
    for (let end = 10; end < 27; end++) expect(digest(bytes, 9, end, into)).toBe(false)
  })

  it('reads objects and arrays of 1,000 levels', () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}']
    ]) {
      const nested = (levels: number): string => `{"x":${open.repeat(levels)}1${close.repeat(levels)}}`
      expect(digestOf(nested(1000))).toBeDefined()
      expect(digestOf(nested(1000))).not.toBe(digestOf(nested(999)))
    }
  })

  it('finds repeated names among 50,000, and keeps no memory of them for the next document', () => {
    const members = Array.from({ length: 50_000 }, (_, index) => `"n${index}":${index}`)
    const text = `{${members.join(',')}}`
    expect(digestOf(`{"n7":"old",${members.toReversed().join(',')}}`)).toBe(digestOf(text))
    const digest = createDocumentDigest()
    const into = new Int32Array(4)
    for (const each of [text, '{"n1":1}', text, '{"n1":1}']) {
      const bytes = new TextEncoder().encode(each)
      digest(bytes, 0, bytes.length, into)
      expect(hexOf(into)).toBe(digestOf(each))
    }
  })

  it('reads strings and numbers of a million bytes', () => {
    const long = 'x'.repeat(1_000_000)
    expect(digestOf(`{"a":"${long}"}`)).not.toBe(digestOf(`{"a":"${long}x"}`))
    expect(digestOf(String.raw`{"a":"\u0078${long}"}`)).toBe(digestOf(`{"a":"x${long}"}`))
    expect(digestOf(`{"a":${'9'.repeat(1_000_000)}}`)).toBe(digestOf('{"a":1e400}'))
    expect(digestOf(`{"a":0.${'0'.repeat(1_000_000)}}`)).toBe(digestOf('{"a":0}'))
  })
})

it('gives the digests that it gave in earlier versions', () => {
  const text = '{"id":"1","a":[1,-2.5,"x",true,false,null,{"b":"A long text with more than 16 bytes"}]}'
  expect(digestOf(text)).toBe('4d55320f540ab2c67798d755ec60f45e')
})

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

function countOf(value: Tree): number {
  if (typeof value !== 'object' || value === null) return 1
  const inner = 'members' in value ? value.members.map((member) => member.value) : value
  return 1 + inner.reduce<number>((sum, each) => sum + countOf(each), 0)
}

/** Changes the value at a place, counted in the order of the text. */
function changeAt(value: Tree, counter: { left: number }, change: number): Tree {
  if (counter.left-- === 0) return changed(value, change)
  if (typeof value !== 'object' || value === null) return value
  if (!('members' in value)) return value.map((each) => changeAt(each, counter, change))
  return { members: value.members.map((each) => ({ ...each, value: changeAt(each.value, counter, change) })) }
}

function changed(value: Tree, change: number): Tree {
  if (typeof value === 'object' && value !== null && 'members' in value)
    return { members: changedMembers(value.members, change) }
  const others: readonly Tree[] = [
    [value],
    JSON.stringify(value),
    typeof value === 'number' ? value + 1 : 0,
    typeof value === 'string' ? `${value}\0` : '',
    typeof value === 'string' ? value.slice(1) : null,
    Array.isArray(value) ? value.toReversed() : true,
    Array.isArray(value) ? value.slice(1) : false
  ]
  return others[change % others.length]
}

function changedMembers(members: readonly Member[], change: number): readonly Member[] {
  const [first, ...rest] = members
  if (first === undefined) return [{ name: 'new', value: null }]
  const others = [
    rest,
    [{ ...first, name: `${first.name}x` }, ...rest],
    [...members, { name: 'new name', value: 0 }],
    [{ ...first, value: { members: [first] } }, ...rest],
    [
      { name: first.name, value: rest[0]?.value ?? 0 },
      ...rest.map((each, at) => (at === 0 ? { ...each, value: first.value } : each))
    ]
  ]
  return others[change % others.length]
}
