import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { NewerBySettings, WriteSettings } from '../../src/config/settings.ts'
import { mapOne } from './sample.ts'

const DOCUMENT = { id: 'i', pk: 'p', version: 3 }
const PLACE = { topic: 'a1b2', partition: 2, offset: toPosition(7) }

function map(order: NewerBySettings['order'], record: object = {}, write: Partial<WriteSettings> = {}): unknown {
  return mapOne(DOCUMENT, { write: { newerBy: { order, ties: 'reject', markerTtl: 60 }, ...write }, record })
}

describe('a record of a sink with `write.newerBy`', () => {
  it.each([
    ['timestamp', { value: 1_786_262_400_000, place: PLACE }],
    ['offset', { place: PLACE }],
    [{ field: '/version' }, { place: PLACE }]
  ] as const)('has the position of the order %j', (order, position) => {
    expect(map(order, { topicId: 'a1b2' })).toMatchObject({ kind: 'upsert', position })
  })

  it('has only its value if the brokers do not tell the id of the topic', () => {
    expect(map('timestamp')).toMatchObject({ kind: 'upsert', position: { value: 1_786_262_400_000 } })
    expect(map('timestamp')).not.toHaveProperty('position.place')
    expect(map({ field: '/version' })).toMatchObject({ position: {} })
  })

  it('is rejected if nothing orders it', () => {
    expect(map('timestamp', { timestamp: '-1' })).toMatchObject({ code: 'TIMESTAMP_MISSING' })
    expect(map('offset')).toMatchObject({ code: 'TOPIC_ID_MISSING' })
  })

  it.each([
    ['offset', { place: PLACE }],
    [{ field: '/version' }, { value: 3, place: PLACE }]
  ] as const)('has the position of the order %j as a patch', (order, position) => {
    const patch = { operation: 'set', members: new Map(), condition: undefined } as const
    const write = { strategy: 'patch', patch } as const
    expect(map(order, { topicId: 'a1b2' }, write)).toMatchObject({ kind: 'patch', position })
    expect(map(order, {}, write)).toMatchObject({ code: 'TOPIC_ID_MISSING' })
  })

  it('leaves a marker by the strategy `delete`, also of a missing document', () => {
    const removed = map('offset', { topicId: 'a1b2' }, { strategy: 'delete' })
    expect(removed).toMatchObject({ kind: 'delete', position: { place: PLACE } })
    expect(removed).not.toHaveProperty('ignore')
  })

  it('leaves a marker as a tombstone', () => {
    const write = { newerBy: { order: 'timestamp', ties: 'reject', markerTtl: 60 } } as const
    const plan = { into: '/pk', from: [{ kafka: 'key' }], id: { from: [{ kafka: 'key' }] } } as const
    expect(mapOne(undefined, { plan, write })).toMatchObject({
      kind: 'delete',
      stamped: { values: ['vin-1'], id: 'vin-1' },
      position: { value: 1_786_262_400_000 }
    })
  })
})
