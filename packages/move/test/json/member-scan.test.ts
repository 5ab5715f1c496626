import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemberScan } from '../../src/json/member-scan.ts'
import { canonical, documents, write } from './written-json.ts'

const POINTERS = [['a'], ['b'], ['c'], ['c', 'a'], ['c', 'b'], ['']]

function scanOf(text: string): { readonly scan: MemberScan; readonly bytes: Uint8Array } {
  const bytes = new TextEncoder().encode(text)
  const scan = new MemberScan(POINTERS)
  expect(scan.scan(bytes, 0, bytes.length)).toBe(true)
  return { scan, bytes }
}

function without(text: string, removed: readonly number[]): string {
  const { scan, bytes } = scanOf(text)
  let left = ''
  let from = 0
  for (const { at, end } of scan.cutsOf(removed)) {
    expect(at).toBeGreaterThanOrEqual(from)
    left += new TextDecoder().decode(bytes.subarray(from, at))
    from = end
  }
  return left + new TextDecoder().decode(bytes.subarray(from))
}

describe('MemberScan', () => {
  it('finds the values, the sizes of objects and nested members', () => {
    const { scan } = scanOf(
      String.raw` { "x" : [1,{"a":2}], "a": "}\"" , "c":{"b" :-1.5e3 ,"d":null,"a":{}},"\u0062":true}`.trim()
    )
    expect(POINTERS.map((_, index) => scan.textOf(index))).toEqual([
      String.raw`"}\""`,
      'true',
      '{"b" :-1.5e3 ,"d":null,"a":{}}',
      '{}',
      '-1.5e3',
      undefined
    ])
    expect([...scan.sizes]).toEqual([-1, -1, 3, -1, -1, -1])
  })

  it('removes any members as if they had never been there', () => {
    fc.assert(
      fc.property(
        documents,
        fc.subarray([0, 1, 2, 3, 4, 5]),
        fc.infiniteStream(fc.nat()),
        (document, removed, numbers) => {
          const text = write(document, (below) => (below === 8 ? 1 : (numbers.next().value ?? 0) % below))
          const value = JSON.parse(text) as Record<string, unknown>
          for (const index of removed) {
            const [name, inner] = POINTERS[index]
            const child = value[name]
            if (inner === undefined) delete value[name]
            else if (typeof child === 'object' && child !== null && !Array.isArray(child))
              delete (child as Record<string, unknown>)[inner]
          }
          expect(canonical(JSON.parse(without(text, removed)))).toBe(canonical(value))
        }
      ),
      { numRuns: 500 }
    )
  })

  it.each([
    ['{"a":1,"b":2,"x":3}', '{"x":3}'],
    ['{"x":3,"a":1,"b":2}', '{"x":3}'],
    ['{"a":1,"x":3,"b":2}', '{"x":3}'],
    ['{ "a" : 1 , "b" : 2 }', '{   }'],
    ['{"c":{"a":1},"x":{"a":1}}', '{"c":{},"x":{"a":1}}']
  ])('makes of %s without a, b and c/a: %s', (text, left) => {
    expect(without(text, [0, 1, 3])).toBe(left)
  })

  it.each([
    '',
    '[]',
    '{',
    '{"a":1',
    '{"a":1,"a":2}',
    '{"a" 1}',
    '{"a":1 "b":2}',
    '{"a":}',
    '{"a":"',
    '{"c":{"a":[}}',
    '{} '
  ])('refuses %s', (text) => {
    const bytes = new TextEncoder().encode(text)
    expect(new MemberScan(POINTERS).scan(bytes, 0, bytes.length)).toBe(false)
  })
})
