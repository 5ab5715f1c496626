import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePartitionKey } from '../../src/partition/partition-key.ts'

describe('a partition key', () => {
  it('with any string is read from its JSON', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\ud800', 'é', ']') })
        ),
        (text) => {
          expect(parsePartitionKey(JSON.stringify([text]))).toEqual({ values: [text], text: JSON.stringify(text) })
        }
      )
    )
  })

  it.each([
    ['[]', [], ''],
    ['["a","b"]', ['a', 'b'], '"a","b"'],
    ['["a",1,null,true,{}]', ['a', 1, null, true, undefined], '"a",1,null,true,{}'],
    [' [ "a" ] ', ['a'], '"a"'],
    ['["\\u0061\\/"]', ['a/'], '"a/"'],
    ['["\ud800"]', ['\ud800'], '"\\ud800"'],
    ['[-0]', [-0], '-0']
  ])('has the same text for every spelling: %s', (json, values, text) => {
    expect(parsePartitionKey(json)).toEqual({ values, text })
  })

  it.each(['', '"a"', '["a"', '["a]', '["a\n"]', '["a\u0000"]', '["a"]]', '[["a"]]', '[{"a":1}]'])(
    'is refused when it is not a JSON array of values: %j',
    (json) => {
      expect(() => parsePartitionKey(json)).toThrow('Partition key is invalid')
    }
  )
})
