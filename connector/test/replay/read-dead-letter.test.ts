import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { toDeadLetterLine, toDeadLetterRecord, withoutValue } from '../../src/dead-letter/dead-letter-record.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { readDeadLetterLine, readDeadLetterRecord } from '../../src/replay/read-dead-letter.ts'
import { recordAt, REJECTION } from '../dead-letter/sample.ts'

const ORIGINAL = recordAt(7, {
  topicId: 'id-1',
  headers: { trace: Buffer.from('t'), twice: [Buffer.from('1'), Buffer.from('2')] }
})

function stored(record: SinkRecord): SinkRecord {
  const { key, value, headers } = toDeadLetterRecord(record, REJECTION, { name: 'cars', taskId: '0' })
  return { topic: 'dead', partition: 0, offset: toPosition(3), timestamp: '9', key, value, headers }
}

describe('a dead letter', () => {
  it.each<[string, Partial<SinkRecord>]>([
    ['with all parts', {}],
    ['of a tombstone', { value: null }],
    ['without a key, a timestamp and the id of its topic', { key: null, timestamp: '-1', topicId: undefined }]
  ])('has the original record in a topic and in a file: %s', (_what, part) => {
    const original = { ...ORIGINAL, ...part }
    const expected = { ok: true, code: 'FIELD_MISSING', hasPayload: true, record: original }
    expect(readDeadLetterRecord(stored(original))).toEqual({ ...expected, sink: 'cars' })
    expect(readDeadLetterLine(toDeadLetterLine(original, REJECTION))).toEqual({ ...expected, sink: undefined })
  })

  it.each([
    '__connect.errors.connector.name',
    '__connect.errors.topic',
    '__connect.errors.partition',
    '__connect.errors.offset',
    'keystamp.timestamp',
    'keystamp.code'
  ])('is invalid without the header %s, and with an empty one', (name) => {
    const whole = stored(ORIGINAL)
    const { [name]: _cut, ...headers } = whole.headers
    const invalid = { ok: false, part: `the header ${name}` }
    expect(readDeadLetterRecord({ ...whole, headers })).toMatchObject(invalid)
    expect(readDeadLetterRecord({ ...whole, headers: { ...whole.headers, [name]: '' } })).toMatchObject(invalid)
  })

  it.each(['-3', '1.5', '0x1', '99999999999999999'])('is invalid with the offset %s', (offset) => {
    const whole = stored(ORIGINAL)
    const headers = { ...whole.headers, '__connect.errors.offset': offset }
    expect(readDeadLetterRecord({ ...whole, headers })).toMatchObject({ ok: false })
  })

  it.each(['code', 'topic', 'partition', 'offset', 'timestamp', 'key', 'value', 'headers'])(
    'is invalid in a file without the field %s',
    (name) => {
      const { [name]: _cut, ...line } = JSON.parse(toDeadLetterLine(ORIGINAL, REJECTION)) as Record<string, unknown>
      expect(readDeadLetterLine(JSON.stringify(line))).toEqual({ ok: false, part: `the field ${name}` })
    }
  )

  it.each(['YWJ*', 'YWJj YWJj', 'YWJj=', 'Y', 7])(
    'is invalid in a file whose value is %j, which is no base64',
    (value) => {
      const line = { ...(JSON.parse(toDeadLetterLine(ORIGINAL, REJECTION)) as object), value }
      expect(readDeadLetterLine(JSON.stringify(line))).toEqual({ ok: false, part: 'the field value' })
    }
  )

  it.each(['', 'YQ==', 'YWI=', 'YWJj'])('has the bytes of the value %j', (value) => {
    const line = { ...(JSON.parse(toDeadLetterLine(ORIGINAL, REJECTION)) as object), value }
    expect(readDeadLetterLine(JSON.stringify(line))).toMatchObject({ record: { value: Buffer.from(value, 'base64') } })
  })

  it.each(['', '{"code":', 'null', '7'])('is invalid in a file as %j', (text) => {
    expect(readDeadLetterLine(text)).toEqual({ ok: false, part: 'JSON' })
  })

  it('has no payload if its value was too large, or if it is of a whole batch', () => {
    const { key, value, headers } = withoutValue(toDeadLetterRecord(ORIGINAL, REJECTION, { name: 'cars', taskId: '0' }))
    expect(readDeadLetterRecord({ ...stored(ORIGINAL), key, value, headers })).toMatchObject({ hasPayload: false })
    const batch = {
      ...ORIGINAL,
      value: null,
      oversizedBatch: { firstOffset: '5', lastOffset: '7', bytes: 9, maxBytes: 8 }
    }
    expect(readDeadLetterRecord(stored(batch))).toMatchObject({ hasPayload: false })
    expect(readDeadLetterLine(toDeadLetterLine(batch, REJECTION))).toMatchObject({ hasPayload: false })
  })
})
