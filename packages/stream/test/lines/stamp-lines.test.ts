import { createPlan } from '@keystamp/core'
import { createTelemetry } from '@keystamp/testkit'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rejected, stampLines, stampLinesStage } from '../../src/index.ts'
import { toKeyStamper } from '../../src/key/to-key-stamper.ts'
import { createLineStage } from '../../src/lines/line-stage.ts'
import { cutBytes, runBytes } from '../collect-bytes.ts'

const PLAN = { into: '/partitionKey', from: [{ field: '/deviceId' }, { field: '/date' }] } as const

describe('stampLines', () => {
  test('stamps every line and keeps all other bytes', async () => {
    const input = '{"deviceId":"abc-123", "date":2018 ,"x":1.0}\n{"deviceId":"d","date":2019}\n'

    const output = await runBytes(stampLines(PLAN), [input])

    expect(output).toBe(
      '{"deviceId":"abc-123", "date":2018 ,"x":1.0,"partitionKey":"abc-123-2018"}\n{"deviceId":"d","date":2019,"partitionKey":"d-2019"}\n'
    )
  })

  test('accepts CRLF, blank lines, a byte order mark and a missing last line end', async () => {
    const input = '\ufeff{"deviceId":"a","date":1}\r\n\r\n  \t\n  {"deviceId":"b","date":2} \n{"deviceId":"c","date":3}'

    const output = await runBytes(stampLines(PLAN), [input])

    expect(output).toBe(
      ['a', 'b', 'c']
        .map((id, index) => `{"deviceId":"${id}","date":${index + 1},"partitionKey":"${id}-${index + 1}"}\n`)
        .join('')
    )
  })

  test('writes the same output however the input is divided into chunks', () => {
    const telemetry = createTelemetry(7)
    const plan = createPlan({ ...PLAN, existing: 'overwrite' })
    const line = fc.constantFrom(
      ...Array.from({ length: 20 }, () => JSON.stringify(telemetry.big())),
      ...Array.from({ length: 20 }, () => JSON.stringify(telemetry.small())),
      '',
      '  ',
      '{"deviceId":"é✓","date":1}'
    )
    const ending = fc.constantFrom('\n', '\r\n')

    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, ending), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }),
        (lines, sizes) => {
          const stage = stampLinesStage(plan)
          const made = cutBytes(Buffer.from(lines.flat().join('')), sizes).map(
            (chunk) => stage(chunk)?.toString() ?? ''
          )
          const expected = lines
            .map(([text]) => text.trim())
            .filter((text) => text !== '')
            .map(stampAsObject)

          expect((made.join('') + (stage.end()?.toString() ?? '')).split('\n').slice(0, -1)).toEqual(expected)
        }
      ),
      { numRuns: 200 }
    )
  })

  test('reports line, byte and field of a record that gets no key', async () => {
    const input = '{"deviceId":"a","date":1}\n\n{"deviceId":"b"}\n'

    const work = runBytes(stampLines(PLAN), cutBytes(Buffer.from(input), [10]))

    await expect(work).rejects.toMatchObject({
      code: 'RECORD_REJECTED',
      rejected: { code: 'FIELD_MISSING', line: 3, byte: 27, path: '/date' }
    })
    await expect(work).rejects.toThrow('Line 3, byte 27: A field of the key is missing: /date.')
  })

  test('reports the position of invalid JSON, counted from the beginning of the input, however the input is divided into chunks', () => {
    const input = Buffer.from('{"deviceId":"a","date":1}\r\n{"deviceId":"b",,"date":2}\n')
    for (let size = 1; size <= input.length; size++) {
      const rejected: Rejected[] = []
      const stage = stampLinesStage(PLAN, { onError: (each) => rejected.push(each) })

      for (const chunk of cutBytes(input, [size])) stage(chunk)
      stage.end()

      expect(rejected).toMatchObject([
        { code: 'JSON_INVALID', line: 2, byte: 43, record: '{"deviceId":"b",,"date":2}' }
      ])
    }
  })

  test('rejects an oversized line only once, and continues after it', () => {
    const long = JSON.stringify({ deviceId: 'x'.repeat(500), date: 1 })
    const input = Buffer.from(`${long}\n{"deviceId":"b","date":2}\n${long}\n{"deviceId":"c","date":3}\n${long}`)
    for (const size of [1, 7, 64, 300, 510, 5000]) {
      const rejected: Rejected[] = []
      const stage = stampLinesStage(PLAN, { onError: (each) => rejected.push(each), maxRecordBytes: 100 })

      const made = cutBytes(input, [size]).map((chunk) => stage(chunk)?.toString() ?? '')
      const text = made.join('') + (stage.end()?.toString() ?? '')

      expect(text.split('\n')).toHaveLength(3)
      expect(rejected.map(({ code, line }) => [code, line])).toEqual([1, 3, 5].map((line) => ['JSON_TOO_LARGE', line]))
      expect(stage.counts).toMatchObject({ records: 5, rejected: 3, byCode: { JSON_TOO_LARGE: 3 } })
    }
  })

  test('counts the lines of the next input from 1, even after an oversized line without a line end', () => {
    const stage = createLineStage(toKeyStamper(PLAN, {}), { onError: 'skip', maxRecordBytes: 50 })

    stage.push(Buffer.from(`{"deviceId":"${'x'.repeat(100)}`))
    stage.endInput()
    stage.push(Buffer.from('{"deviceId":"b","date":2}\n'))

    expect(stage.take().toString()).toBe('{"deviceId":"b","date":2,"partitionKey":"b-2"}\n')
    expect(stage.counts).toMatchObject({ records: 2, byCode: { JSON_TOO_LARGE: 1 } })
  })

  test('accepts a record whose length is exactly the limit', () => {
    const record = '{"deviceId":"b","date":2}'
    const stage = stampLinesStage(PLAN, { maxRecordBytes: record.length })

    const made = cutBytes(Buffer.from(`${record}\n${record}\n`), [3]).map((chunk) => stage(chunk)?.toString() ?? '')

    expect(made.join('').split('\n')).toHaveLength(3)
  })

  test('reads a record that arrives in many chunks in a time proportional to its length', () => {
    const record = Buffer.from(`{"deviceId":"a","date":1,"text":"${'x'.repeat(24_000_000)}"}\n`)
    const stage = stampLinesStage(PLAN, { maxRecordBytes: 64e6 })
    let allocated = 0
    let made = 0

    for (const chunk of cutBytes(record, [16_384])) {
      const before = process.memoryUsage().arrayBuffers
      made += stage(chunk)?.length ?? 0
      allocated += Math.max(0, process.memoryUsage().arrayBuffers - before)
    }

    expect(made).toBe(record.length + ',"partitionKey":"a-1"'.length)
    expect(allocated).toBeLessThan(record.length * 6)
  })
})

function stampAsObject(text: string): string {
  const record = JSON.parse(text) as Record<string, unknown>
  record['partitionKey'] = `${String(record['deviceId'])}-${String(record['date'])}`
  return JSON.stringify(record)
}
