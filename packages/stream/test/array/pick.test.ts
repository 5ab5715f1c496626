import { describe, expect, test } from 'vitest'
import { type Rejected, stampArray, stampArrayStage } from '../../src/index.ts'
import { cutBytes, runBytes } from '../collect-bytes.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

describe('stampArray with pick', () => {
  test('stamps an array inside a document, however the input is divided into chunks', async () => {
    const document = Buffer.from(
      '{"next":null,"a":{"b":[{"id":"á","n":12345678901234567890.10},{"id":"b","l":[1,{"x":[]}],"t":true}],"c":[{"id":"no"}]},"b":[{}]}'
    )

    for (const size of [1, 3, 7, 1000]) {
      const output = await runBytes(stampArray(PLAN, { pick: 'a.b' }), cutBytes(document, [size]))

      expect(output).toBe(
        '{"id":"á","n":12345678901234567890.10,"pk":"á"}\n{"id":"b","l":[1,{"x":[]}],"t":true,"pk":"b"}\n'
      )
    }
  })

  test('writes a JSON array with `to: array`', async () => {
    const output = await runBytes(stampArray(PLAN, { pick: 'items', to: 'array' }), [
      '{"items":[{"id":"a"},{"id":"b"}]}'
    ])

    expect(JSON.parse(output)).toEqual([
      { id: 'a', pk: 'a' },
      { id: 'b', pk: 'b' }
    ])
  })

  test('reports the index of each rejected element', () => {
    const rejected: unknown[] = []
    const stage = stampArrayStage(PLAN, {
      pick: 'a',
      onError: ({ index, code, record }) => rejected.push([index, code, record])
    })

    const text = stage(Buffer.from('{"a":[{"id":"a"},5,{"x":1}, []]}'))
    stage.end()

    expect(text?.toString()).toBe('{"id":"a","pk":"a"}\n')
    expect(rejected).toEqual([
      [1, 'JSON_NOT_OBJECT', '5'],
      [2, 'FIELD_MISSING', '{"x":1}'],
      [3, 'JSON_NOT_OBJECT', '[]']
    ])
  })

  test('rejects an oversized element and continues after it, however the input is divided into chunks', () => {
    const long = JSON.stringify({
      id: 'x',
      list: Array.from({ length: 50 }, (_, n) => ({ n, 'a,b': [`]}${n}`, null, 1.5] }))
    })
    const input = Buffer.from(`{"a":[{"id":"a"},${long},{"id":"b","l":[1,[]]},${long}]}`)
    for (const size of [1, 10, 1e6]) {
      const rejected: unknown[] = []
      const onError = ({ index, code }: Rejected<string>) => rejected.push([index, code])
      const stage = stampArrayStage(PLAN, { pick: 'a', maxRecordBytes: 100, onError })

      const made = cutBytes(input, [size]).map((chunk) => stage(chunk)?.toString() ?? '')
      stage.end()

      expect(made.join('')).toBe('{"id":"a","pk":"a"}\n{"id":"b","l":[1,[]],"pk":"b"}\n')
      expect(rejected).toEqual([
        [1, 'JSON_TOO_LARGE'],
        [3, 'JSON_TOO_LARGE']
      ])
      expect(stage.counts.records).toBe(4)
    }
  })

  test.each([
    ['{"a":{"c":[]}}', 'there is no array at a.b'],
    ['{"a":{"b":{"id":"x"}}}', 'there is no array at a.b'],
    ['{"a":{"b":"x"}}', 'there is no array at a.b'],
    ['{"a":{"b":[{"id":"x"}', 'the document is not valid JSON in UTF-8'],
    ['{"a":{"b":[{"id":"x"}]}', 'the document is not valid JSON in UTF-8'],
    ['{"a":{"b":[{"id":x}]}}', 'the document is not valid JSON in UTF-8']
  ])('throws INPUT_INVALID for %s', (text, message) => {
    const stage = stampArrayStage(PLAN, { pick: 'a.b' })

    expect(() => {
      stage(Buffer.from(text))
      stage.end()
    }).toThrow(expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringContaining(message) }))
  })

  test.each(['', ' \n', '\ufeff'])('reports that the input %j is empty, with and without `pick`', (text) => {
    const stages = [stampArrayStage(PLAN, { pick: 'a.b' }), stampArrayStage(PLAN)]

    for (const stage of stages) {
      expect(() => {
        stage(Buffer.from(text))
        stage.end()
      }).toThrow(/^Byte \d: the input is empty\.$/)
    }
  })

  test('throws if the bytes are not UTF-8', () => {
    const stage = stampArrayStage(PLAN, { pick: 'a' })

    expect(() => stage(Buffer.from([0x7b, 0x22, 0xff]))).toThrow('not valid JSON in UTF-8')
  })
})
