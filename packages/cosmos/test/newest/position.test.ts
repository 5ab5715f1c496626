import { createRandom } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { judge, type Ties } from '../../src/newest/judge.ts'
import {
  comparePositions,
  DELETED,
  olderThan,
  type Position,
  POSITION,
  positionJson,
  readPosition
} from '../../src/newest/position.ts'
import { meets } from '../simulation/simulated-patch.ts'

const place = (offset: number, partition = 0, topic = 't'): Position['place'] => ({ topic, partition, offset })

const atTime = (offset: number, timestamp?: number): Position => ({
  value: undefined,
  place: { topic: 't', partition: 0, offset, ...(timestamp === undefined ? {} : { timestamp }) }
})

describe('comparePositions', () => {
  it.each([
    ['by the value', { value: 2, place: place(1) }, { value: 1, place: place(9, 1) }, 'newer'],
    ['by the offset, within one partition', { value: 1, place: place(1) }, { value: 1, place: place(2) }, 'older'],
    ['by the offset alone', { value: undefined, place: place(3) }, { value: undefined, place: place(2) }, 'newer'],
    ['as the same, at the same offset', { value: 1, place: place(2) }, { value: 1, place: place(2) }, 'same'],
    ['not between partitions', { value: 1, place: place(1) }, { value: 1, place: place(2, 1) }, 'unknown'],
    ['by the offset, if the timestamps agree', atTime(3, 5), atTime(2, 5), 'newer'],
    ['by the offset, if one has no timestamp', atTime(3), atTime(2, 5), 'newer'],
    // the topic was created again
    ['not if the timestamps contradict the offsets', atTime(3, 4), atTime(2, 5), 'unknown'],
    ['not if the timestamps contradict lower offsets', atTime(1, 6), atTime(2, 5), 'unknown'],
    ['not if the timestamps of one offset differ', atTime(2, 6), atTime(2, 5), 'unknown'],
    ['not between topics', { value: 1, place: place(1) }, { value: 1, place: place(2, 0, 'u') }, 'unknown'],
    ['not without a place', { value: 1, place: undefined }, { value: 1, place: place(2) }, 'unknown'],
    ['not without a value on one side', { value: 1, place: place(1) }, { value: undefined, place: place(1) }, 'unknown']
  ] as const)('orders %s', (_, one, other, order) => {
    expect(comparePositions(one, other)).toBe(order)
  })
})

const stored = (at: object): object => ({
  at,
  _keystampPosition: { value: 5, topic: 't', partition: 0, offset: 1 }
})

describe('readPosition', () => {
  it('reads what positionJson has written', () => {
    for (const position of [
      { value: 5, place: place(7) },
      { value: undefined, place: place(7) },
      { value: '2018-08-09T00:00:00.000000000Z', place: undefined }
    ])
      expect(readPosition({ _keystampPosition: JSON.parse(positionJson(position)) }, { field: undefined })).toEqual(
        position
      )
  })

  it('does not use the place if another program has changed the field since', () => {
    expect(readPosition(stored({ v: 5 }), { field: ['at', 'v'] })).toEqual({ value: 5, place: place(1) })
    expect(readPosition(stored({ v: 6 }), { field: ['at', 'v'] })).toEqual({ value: 6, place: undefined })
    expect(readPosition(stored({}), { field: ['at', 'v'] })).toEqual({ value: undefined, place: undefined })
  })

  it('reads the place from another property of the document', () => {
    const placed = { ...stored({}), _kafka: { topic: 'u', partition: 2, offset: 9, timestamp: 7, key: 'k' } }
    const rule = { field: undefined, placeIn: '_kafka' }
    expect(readPosition(placed, rule)).toEqual({
      value: undefined,
      place: { topic: 'u', partition: 2, offset: 9, timestamp: 7 }
    })
    expect(readPosition(stored({}), rule)).toEqual({ value: undefined, place: undefined })
  })

  it('uses the position of a marker, which has no field', () => {
    const marker = { _keystampDeleted: true, _keystampPosition: { value: 5, topic: 't', partition: 0, offset: 1 } }
    expect(readPosition(marker, { field: ['v'] })).toEqual({ value: 5, place: place(1) })
  })
})

describe('judge', () => {
  const field = ['v']
  const document = { id: 'a', v: 5, _keystampPosition: { value: 5, topic: 't', partition: 0, offset: 1 }, _etag: '"1"' }
  const judgeOf = (position: Position, ties: Ties = 'reject', body = '{}'): string =>
    judge(position, () => body, document, { field, ties })

  it('replaces what is older, and keeps what is newer', () => {
    expect(judgeOf({ value: 6, place: place(1, 1) })).toBe('replace')
    expect(judgeOf({ value: 4, place: place(9, 1) })).toBe('kept')
    expect(judgeOf({ value: 5, place: place(1) })).toBe('ours')
  })

  it.each([
    ['first', 'kept'],
    ['last', 'replace'],
    ['reject', 'reject']
  ] as const)('decides a tie by `ties: %s`: %s', (ties, judgment) => {
    expect(judgeOf({ value: 5, place: place(1, 1) }, ties)).toBe(judgment)
    expect(judge({ value: 5, place: undefined }, () => '{}', { id: 'a' }, { field, ties })).toBe(judgment)
  })

  it('recognizes a change without a place by its content', () => {
    const plain = { id: 'a', v: 5, _etag: '"1"', _ts: 1 }
    const position = { value: 5, place: undefined }
    const rule = { field, ties: 'reject' } as const
    expect(judge(position, () => '{"v":5,"id":"a"}', plain, rule)).toBe('ours')
    expect(judge(position, () => '{"v":5,"id":"a","w":1}', plain, rule)).toBe('reject')
  })
})

describe('the condition of a patch', () => {
  it.each([undefined, ['version']])('is met only by documents with an older position (field %s)', (field) => {
    const random = createRandom(1)
    const valueOf = (): number | string | undefined => random.pick([undefined, 1, 2, 3, 2, '2', '2026-01-01', 2 ** 60])
    let met = 0
    for (let turn = 0; turn < 5000; turn++) {
      const document = {
        ...(random.chance(0.9) ? { version: valueOf() } : {}),
        ...(random.chance(0.2) ? { [DELETED]: true } : {}),
        ...(random.chance(0.9)
          ? {
              [POSITION]: {
                value: valueOf(),
                topic: random.pick(['t', 'u']),
                partition: random.below(2),
                offset: random.below(3)
              }
            }
          : {})
      }
      const position = {
        value: random.pick([1, 2, 3, undefined].slice(0, field === undefined ? 4 : 3)),
        place: place(random.below(3))
      }
      if (!meets(document, olderThan(position, field)!)) continue
      met++
      expect({
        document,
        position,
        order: comparePositions(position, readPosition(document, { field }))
      }).toMatchObject({
        order: 'newer'
      })
      expect(document).not.toHaveProperty(DELETED)
    }
    expect(met).toBeGreaterThan(100)
  })

  it('does not exist for values and offsets that are text', () => {
    const at = { topic: 't', partition: 0, offset: 1 }
    expect(olderThan({ value: '9007199254740993', place: at }, undefined)).toBeUndefined()
    expect(olderThan({ value: 1, place: { ...at, offset: '9007199254740993' } }, undefined)).toBeUndefined()
  })
})
