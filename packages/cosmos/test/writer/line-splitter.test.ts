import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineSplitter } from '../../src/writer/line-splitter.ts'

it('gives the same lines however the bytes are cut', () => {
  const text = fc.array(fc.constantFrom('{"a":1}', '', '  ', '{"é":"日本"}', '\r'), { maxLength: 20 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, fc.array(fc.nat(200), { maxLength: 8 }), (whole, cuts) => {
      const splitter = new LineSplitter()
      const bytes = Buffer.from(whole)
      const bounds = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b), bytes.length]
      const lines = bounds.slice(1).flatMap((end, index) => splitter.split(bytes.subarray(bounds[index], end)))
      const found = [...lines, ...splitter.rest()].map((each) => [each.line, Buffer.from(each.bytes).toString()])
      const numbered = whole.split('\n').map((line, index) => [index + 1, line] as const)
      expect(found).toEqual(numbered.filter(([, line]) => line.trim() !== ''))
    })
  )
})

it('leaves out the mark that some editors put before the first line, and no other', () => {
  const splitter = new LineSplitter()
  const lines = [...splitter.split(Buffer.from('\uFEFF{"a":1}\n\uFEFF{}')), ...splitter.rest()]

  expect(lines.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual(['{"a":1}', '\uFEFF{}'])
})

it('does not gather what has no end', () => {
  const splitter = new LineSplitter()
  splitter.split(Buffer.from('{}\n'))
  const piece = Buffer.alloc(1024 * 1024, 0x20)
  const gather = (): void => {
    for (let count = 0; count < 17; count++) splitter.split(piece)
  }

  expect(gather).toThrow('Line 2 has no end within 16777216 bytes')
})
