import { describe, expect, it } from 'vitest'
import { maxDeadLetterBytesOf } from '../../src/dead-letter/dead-letter-record.ts'
import { answersOf, openDeadLetterFixture } from './dead-letter-fixture.ts'
import { recordAt, REJECTION } from './sample.ts'

describe('a dead-letter record', () => {
  it('is the unchanged record, with the headers of Kafka Connect and of Keystamp', async () => {
    const fixture = openDeadLetterFixture({ taskId: '4' })
    const key = new Uint8Array([0, 1, 2, 3]).subarray(1, 3)
    await answersOf(fixture, [
      recordAt(7, { key, headers: { trace: Buffer.from('t'), many: ['a', 'b'], none: undefined } })
    ])

    const [[deadLetter]] = fixture.sends
    expect(deadLetter).toEqual({
      key: Buffer.from([1, 2]),
      value: Buffer.from('value-7'),
      timestamp: '1533818096000',
      from: 3,
      headers: {
        trace: Buffer.from('t'),
        many: ['a', 'b'],
        none: Buffer.alloc(0),
        '__connect.errors.topic': 'cars',
        '__connect.errors.partition': '3',
        '__connect.errors.offset': '7',
        '__connect.errors.connector.name': 'cars-to-cosmos',
        '__connect.errors.task.id': '4',
        '__connect.errors.stage': 'TRANSFORMATION',
        '__connect.errors.class.name': 'keystamp.map',
        '__connect.errors.exception.class.name': 'keystamp.FIELD_MISSING',
        '__connect.errors.exception.message': 'A field of the key is missing: /device.',
        '__connect.errors.exception.stacktrace': 'keystamp.FIELD_MISSING: A field of the key is missing: /device.',
        'keystamp.code': 'FIELD_MISSING',
        'keystamp.stage': 'map',
        'keystamp.path': '/device',
        'keystamp.timestamp': '1533818096000'
      }
    })
  })

  it('represents a refused batch by its offsets, without a payload', async () => {
    const fixture = openDeadLetterFixture()
    const oversizedBatch = { firstOffset: '7', lastOffset: '11', bytes: 600, maxBytes: 1000 }
    await answersOf(fixture, [recordAt(11, { key: null, value: null, oversizedBatch })])

    expect(fixture.sends).toMatchObject([
      [
        {
          key: null,
          value: null,
          headers: {
            '__connect.errors.offset': '11',
            'keystamp.batch.first.offset': '7',
            'keystamp.batch.last.offset': '11'
          }
        }
      ]
    ])
  })

  it.each([
    ['decode', 'VALUE_CONVERTER'],
    ['map', 'TRANSFORMATION'],
    ['write', 'TASK_PUT']
  ] as const)('names the stage %s as Kafka Connect does', async (stage, name) => {
    const fixture = openDeadLetterFixture()
    await fixture.rejects.send(recordAt(1), { ...REJECTION, stage })

    expect(fixture.sends[0][0].headers['__connect.errors.stage']).toBe(name)
  })

  it('that is rejected again has the reason of the last rejection', async () => {
    const fixture = openDeadLetterFixture()
    const headers = { '__connect.errors.offset': Buffer.from('1'), 'keystamp.code': 'OLD', other: 'kept' }
    await fixture.rejects.send(recordAt(9, { headers }), REJECTION)

    expect(fixture.sends[0][0].headers).toMatchObject({
      '__connect.errors.offset': '9',
      'keystamp.code': 'FIELD_MISSING',
      other: 'kept'
    })
  })
})

describe('a dead-letter record that is too large', () => {
  const large = { value: Buffer.alloc(10_000) }

  it('is sent in a batch of its own if it does not fit into a batch with other records', async () => {
    const fixture = openDeadLetterFixture()
    fixture.limit = 11_000

    expect(await answersOf(fixture, [recordAt(1), recordAt(2, large), recordAt(3)])).toEqual([
      'stored',
      'stored',
      'stored'
    ])
    expect(fixture.sends.map((sent) => sent.length)).toEqual([1, 1, 1])
    expect(fixture.instead).toEqual([])
  })

  it('stops the sink by default', async () => {
    const fixture = openDeadLetterFixture()
    fixture.limit = 5000

    expect(await answersOf(fixture, [recordAt(1, large)])).toMatchObject([
      { code: 'REJECTS_FAILED', message: 'The dead-letter topic "dead" does not accept a copy of this size.' }
    ])
  })

  it('is skipped under `tooLarge: skip`', async () => {
    const fixture = openDeadLetterFixture({ tooLarge: 'skip' })
    fixture.limit = 5000

    expect(await answersOf(fixture, [recordAt(1, large), recordAt(2)])).toEqual(['stored', 'stored'])
    expect(fixture.sends.flat().map(({ value }) => String(value))).toEqual(['value-2'])
    expect(fixture.instead).toEqual(['skip'])
  })

  it('is sent without its value under `tooLarge: withoutValue`, with the missing size in a header', async () => {
    const fixture = openDeadLetterFixture({ tooLarge: 'withoutValue' })
    fixture.limit = 5000

    expect(await answersOf(fixture, [recordAt(1, large)])).toEqual(['stored'])
    expect(fixture.sends).toMatchObject([
      [{ value: null, headers: { 'keystamp.value.omitted.bytes': '10000', 'keystamp.code': 'FIELD_MISSING' } }]
    ])
    expect(fixture.instead).toEqual(['withoutValue'])
  })

  it('stops the sink if it is too large even without its value', async () => {
    const fixture = openDeadLetterFixture({ tooLarge: 'withoutValue' })
    fixture.limit = 5000

    for (const record of [
      recordAt(1, { ...large, key: Buffer.alloc(6000) }),
      recordAt(2, { value: null, key: Buffer.alloc(6000) })
    ]) {
      expect(await answersOf(fixture, [record])).toMatchObject([
        {
          code: 'REJECTS_FAILED',
          message: 'The dead-letter topic "dead" does not accept the copy even without its value.'
        }
      ])
    }
  })

  it.each([
    [['my-hubs.servicebus.windows.net:9093'], 1_000_000],
    [['broker-1:9092', 'broker-2:9092'], undefined]
  ])('is recognized before it is sent if the brokers %j have a known limit: %j bytes', (brokers, bytes) => {
    expect(maxDeadLetterBytesOf(brokers)).toBe(bytes)
  })

  it('is never sent with its value if the limit is known', async () => {
    const fixture = openDeadLetterFixture({ tooLarge: 'withoutValue', maxDeadLetterBytes: 5000 })

    expect(await answersOf(fixture, [recordAt(1), recordAt(2, large)])).toEqual(['stored', 'stored'])
    expect(fixture.sends.flat().map(({ value }) => value && String(value))).toEqual(['value-1', null])
  })
})
