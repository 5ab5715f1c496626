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
      const found = [...lines, ...splitter.rest()].map((line) => Buffer.from(line).toString())
      expect(found).toEqual(whole.split('\n').filter((line) => line.trim() !== ''))
    })
  )
})
