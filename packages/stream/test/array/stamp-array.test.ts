import { createTelemetry } from '@keystamp/testkit'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rejected, stampArray, stampArrayStage, type StampArrayOptions } from '../../src/index.ts'
import { cutBytes, runBytes } from '../collect-bytes.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const
const WIDE = { ...PLAN, from: [{ field: '/deviceId' }] } as const

describe('stampArray', () => {
  test('writes a line for every element, and keeps all other bytes of the element', async () => {
    const output = await runBytes(stampArray(PLAN), ['[{"id":"a", "n":1.0},{"id":"b"} , {"id":"c"}]'])

    expect(output).toBe('{"id":"a", "n":1.0,"pk":"a"}\n{"id":"b","pk":"b"}\n{"id":"c","pk":"c"}\n')
  })

  test('writes a JSON array with `to: array`', async () => {
    const options = { to: 'array' } as const

    expect(await runBytes(stampArray(PLAN, options), ['[{"id":"a"},{"id":"b"}]'])).toBe(
      '[\n{"id":"a","pk":"a"},\n{"id":"b","pk":"b"}\n]\n'
    )
    expect(await runBytes(stampArray(PLAN, options), [' [ ] '])).toBe('[\n]\n')
  })

  test('writes an element that spans several lines as one line', async () => {
    const element = { id: 'a "q\\" b', list: [1, { deep: ' x ' }], text: 'line\nend' }

    const output = await runBytes(stampArray(PLAN), [`\ufeff${JSON.stringify([element, element], undefined, 2)}\r\n`])

    const lines = output.split('\n').slice(0, -1)
    expect(lines).toEqual([1, 2].map(() => JSON.stringify({ ...element, pk: element.id })))
  })

  test('writes the same output however the input is divided into chunks, as lines and as an array', () => {
    const telemetry = createTelemetry(11)
    const records = Array.from({ length: 12 }, (_, index) => ({
      ...(index % 2 ? telemetry.big() : telemetry.small()),
      partitionKey: undefined
    }))
    const spacing = fc.constantFrom(undefined, 1, '\t')

    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...records), { maxLength: 6 }),
        spacing,
        fc.constantFrom('lines' as const, 'array' as const),
        fc.array(fc.integer({ min: 1, max: 2500 }), { minLength: 1, maxLength: 5 }),
        (elements, space, to, sizes) => {
          const stage = stampArrayStage(WIDE, { to })
          const made = cutBytes(Buffer.from(JSON.stringify(elements, undefined, space)), sizes).map(
            (chunk) => stage(chunk)?.toString() ?? ''
          )
          const text = made.join('') + (stage.end()?.toString() ?? '')
          const expected = elements.map((each) => JSON.stringify({ ...each, pk: each.deviceId }))

          const lines =
            to === 'lines' ? text : (JSON.parse(text) as unknown[]).map((each) => `${JSON.stringify(each)}\n`).join('')

          expect(lines).toBe(expected.map((each) => `${each}\n`).join(''))
        }
      ),
      { numRuns: 150 }
    )
  })

  test('throws if the input is not exactly one complete array, however the input is divided into chunks', () => {
    const wrong: readonly (readonly [string, string])[] = [
      ['', 'Byte 0: the input is empty.'],
      ['{"id":"a"}', 'Byte 0: the input is not a JSON array'],
      ['[{"id":"a"}', 'Record 1, byte 11: the array ends before it is complete.'],
      ['[{"id":"a"', 'Record 0, byte 1: the array ends before it is complete.'],
      ['[{"id":"a"},]', 'Record 1, byte 12: '],
      ['[,{"id":"a"}]', 'Record 0, byte 1: '],
      ['[{"id":"a"} {"id":"b"}]', 'Record 1, byte 12: there is neither a comma nor the end'],
      ['[{"id":"a"},,{"id":"b"}]', 'Record 1, byte 12: '],
      ['[{"id":"a"}]]', 'Record 1, byte 12: something follows the end of the array.'],
      ['[{"id":"a"}}', 'Record 1, byte 11: there is neither a comma'],
      ['[{"id":a}]', 'Record 0, byte 7: The record is not valid JSON']
    ]
    for (const [text, message] of wrong) {
      for (const size of [1, 2, 5, 100]) {
        const stage = stampArrayStage(PLAN)
        const work = (): void => {
          for (const chunk of cutBytes(Buffer.from(text), [size])) stage(chunk)
          stage.end()
        }
        expect(work, `${text} by ${size}`).toThrow(message)
        expect(work).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }))
      }
    }
  })

  test('rejects elements that are not objects or lack a field of the key, and continues', () => {
    const input = Buffer.from('[{"id":"a"},1,"x",[{"id":"b"}],null,{"x":{"id":"c"}},{"id":"d"}, 12]')
    for (let size = 1; size < 20; size++) {
      const rejected: Rejected[] = []
      const stage = stampArrayStage(PLAN, { onError: (each) => rejected.push(each) })

      const made = cutBytes(input, [size]).map((chunk) => stage(chunk)?.toString() ?? '')
      const text = made.join('') + (stage.end()?.toString() ?? '')

      expect(text).toBe('{"id":"a","pk":"a"}\n{"id":"d","pk":"d"}\n')
      expect(rejected.map(({ code, index, byte, record }) => [code, index, byte, record])).toEqual([
        ['JSON_NOT_OBJECT', 1, 12, '1'],
        ['JSON_NOT_OBJECT', 2, 14, '"x"'],
        ['JSON_NOT_OBJECT', 3, 18, '[{"id":"b"}]'],
        ['JSON_NOT_OBJECT', 4, 31, 'null'],
        ['FIELD_MISSING', 5, 36, '{"x":{"id":"c"}}'],
        ['JSON_NOT_OBJECT', 7, 65, '12']
      ])
    }
  })

  test('writes no surplus comma around rejected elements', async () => {
    const options: StampArrayOptions = { to: 'array', onError: 'skip' }

    const output = await runBytes(stampArray(PLAN, options), ['[1,{"id":"a"},2,{"id":"b"},3]'])

    expect(JSON.parse(output)).toEqual([
      { id: 'a', pk: 'a' },
      { id: 'b', pk: 'b' }
    ])
  })

  test('rejects an oversized element of any content and continues after it, however the input is divided into chunks', () => {
    const texts = ['x'.repeat(200), `]}{[,"\\${'\\"'.repeat(80)}`, '\\'.repeat(150)]
    const long = texts.map((text) => JSON.stringify({ id: 'a', list: [[{ text }]], more: text }))
    const input = Buffer.from(
      `[{"id":"b"},${long[0]},{"id":"c"},${long[1]} , ${long[2]},"${'y'.repeat(200)}",${'7'.repeat(200)},{"id":"d"}]`
    )
    for (const size of [1, 2, 3, 7, 50, 99, 100, 101, 130, 1000, 1e6]) {
      const rejected: Rejected<string>[] = []
      const stage = stampArrayStage(PLAN, { onError: (each) => rejected.push(each), maxRecordBytes: 100 })

      const made = cutBytes(input, [size]).map((chunk) => stage(chunk)?.toString() ?? '')
      const text = made.join('') + (stage.end()?.toString() ?? '')

      expect(text).toBe('{"id":"b","pk":"b"}\n{"id":"c","pk":"c"}\n{"id":"d","pk":"d"}\n')
      expect(rejected.map(({ index, byte }) => [index, byte])).toEqual([
        [1, input.indexOf(long[0] ?? '')],
        [3, input.indexOf(long[1] ?? '')],
        [4, input.indexOf(long[2] ?? '')],
        [5, input.indexOf('"yyy')],
        [6, input.indexOf('777')]
      ])
      expect(stage.counts.records).toBe(8)
    }
  })

  test('accepts an element within the limit although more bytes than the limit arrived before its next scan', () => {
    const element = JSON.stringify({ text: 'x'.repeat(90_000), id: 'a' })
    const stage = stampArrayStage(PLAN, { maxRecordBytes: 95_000 })

    const input = Buffer.from(`[${element},${element}]`)
    const made = [input.subarray(0, 80_000), input.subarray(80_000, 96_000), input.subarray(96_000)].map(
      (chunk) => stage(chunk)?.length ?? 0
    )
    stage.end()

    expect(made.reduce((sum, length) => sum + length)).toBe((element.length + ',"pk":"a"\n'.length) * 2)
  })

  test('throws at an oversized element if `onError` is not set', () => {
    const stage = stampArrayStage(PLAN, { maxRecordBytes: 100 })

    expect(() => stage(Buffer.from(`[{"id":"${'x'.repeat(150)}`))).toThrow(
      expect.objectContaining({ code: 'RECORD_REJECTED', message: expect.stringContaining('Record 0, byte 1: ') })
    )
  })

  test('throws if the array ends inside an oversized element', () => {
    const stage = stampArrayStage(PLAN, { onError: 'skip', maxRecordBytes: 100 })
    stage(Buffer.from(`[{"id":"${'x'.repeat(150)}`))

    expect(() => stage.end()).toThrow('the array ends before it is complete')
  })

  test('throws at an element with invalid JSON, even with `onError: skip`', () => {
    for (const broken of ['{"id":"b",}', '{"id":"b"]', '{"id" "b"}', '{"id":b}', '"\\x"']) {
      const stage = stampArrayStage(PLAN, { onError: 'skip' })

      expect(() => stage(Buffer.from(`[{"id":"a"},${broken},{"id":"c"}]`))).toThrow(
        expect.objectContaining({
          code: 'INPUT_INVALID',
          message: expect.stringContaining('Nothing after it can be read')
        })
      )
    }
  })

  test('reads an element that arrives in many chunks in a time proportional to its length', () => {
    const input = Buffer.from(`[{"id":"a","text":"${'},x'.repeat(6_000_000)}"}]`)
    const stage = stampArrayStage(PLAN, { maxRecordBytes: 64e6 })

    let made = 0
    for (const chunk of cutBytes(input, [16_384])) made += stage(chunk)?.length ?? 0
    made += stage.end()?.length ?? 0

    // with a scan for every chunk, it would scan 1,100 times 9 MB and exceed the time limit
    expect(made).toBe(input.length + ',"pk":"a"'.length - 1)
  })
})
