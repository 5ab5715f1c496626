import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { toOneLine } from '../../src/array/element-output.ts'

test('toOneLine writes the same JSON as JSON.stringify, with any whitespace in its input', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(1, 3, '\t', '\r\n'), (json, space) => {
      const value = JSON.parse(json) as unknown
      // JSON.stringify cannot indent with \r\n
      const spaced = JSON.stringify(value, undefined, space === '\r\n' ? 2 : space)
      const bytes = Buffer.from(`##${space === '\r\n' ? spaced.replaceAll('\n', '\r\n') : spaced}`)

      expect(bytes.toString('utf8', 2, toOneLine(bytes, 2, bytes.length))).toBe(JSON.stringify(value))
    })
  )
})
