import { expect, test } from 'vitest'
import { parsePlanText } from '../../src/parse/parse-plan-text.ts'

test('reads JSON with comments and a byte order mark', () => {
  expect(parsePlanText('\ufeff{ "into": "/key", // where\n "from": [] }')).toEqual({ into: '/key', from: [] })
})

test('throws what JSON.parse throws', () => {
  expect(() => parsePlanText('{ "into" }')).toThrow(SyntaxError)
})
