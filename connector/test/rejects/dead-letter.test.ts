import { describe, expect, it } from 'vitest'
import { answersOf, openLetterDesk } from './letter-desk.ts'
import { recordAt, REJECTION } from './sample.ts'

describe('a dead letter', () => {
  it('is the record as it came, with the headers of Kafka Connect and ours', async () => {
    const desk = openLetterDesk({ taskId: '4' })
    const key = new Uint8Array([0, 1, 2, 3]).subarray(1, 3)
    await answersOf(desk, [recordAt(7, { key, headers: { trace: Buffer.from('t'), many: ['a', 'b'], none: undefined } })])

    const [[letter]] = desk.sends
    expect(letter).toEqual({
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
        '__connect.errors.class.name': 'keystamp.shape',
        '__connect.errors.exception.class.name': 'keystamp.FIELD_MISSING',
        '__connect.errors.exception.message': 'A field that the key is made of is missing: /device.',
        '__connect.errors.exception.stacktrace': 'keystamp.FIELD_MISSING: A field that the key is made of is missing: /device.',
        'keystamp.code': 'FIELD_MISSING',
        'keystamp.stage': 'shape',
        'keystamp.path': '/device',
        'keystamp.timestamp': '1533818096000'
      }
    })
  })

  it('stands for a refused batch by its offsets, without a payload', async () => {
    const desk = openLetterDesk()
    const oversizedBatch = { firstOffset: '7', lastOffset: '11', bytes: 600, maxBytes: 1000 }
    await answersOf(desk, [recordAt(11, { key: null, value: null, oversizedBatch })])

    expect(desk.sends).toMatchObject([
      [
        {
          key: null,
          value: null,
          headers: { '__connect.errors.offset': '11', 'keystamp.batch.first.offset': '7', 'keystamp.batch.last.offset': '11' }
        }
      ]
    ])
  })

  it.each([
    ['decode', 'VALUE_CONVERTER'],
    ['shape', 'TRANSFORMATION'],
    ['write', 'TASK_PUT']
  ] as const)('names the stage %s as Kafka Connect does', async (stage, name) => {
    const desk = openLetterDesk()
    await desk.rejects.send(recordAt(1), { ...REJECTION, stage })

    expect(desk.sends[0][0].headers['__connect.errors.stage']).toBe(name)
  })

  it('that is rejected once more says why it was this time', async () => {
    const desk = openLetterDesk()
    const headers = { '__connect.errors.offset': Buffer.from('1'), 'keystamp.code': 'OLD', other: 'kept' }
    await desk.rejects.send(recordAt(9, { headers }), REJECTION)

    expect(desk.sends[0][0].headers).toMatchObject({ '__connect.errors.offset': '9', 'keystamp.code': 'FIELD_MISSING', other: 'kept' })
  })
})
