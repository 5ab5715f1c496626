import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, test } from 'vitest'
import { type Keyed, whyUnresolved } from '../../src/config/tombstone-keys.ts'

const FULL_KEY: Keyed['id'] = { strategy: 'fullKey', escape: 'lossless' }
const OF_KEY: PlanDefinition['id'] = { from: [{ kafka: 'key' }] }

/** A plan with these components of the partition key. The id is the Kafka key. */
function plan(from: PlanDefinition['from'], more: object = {}): PlanDefinition {
  return { into: '/pk', from, id: OF_KEY, ...more } as PlanDefinition
}

describe('a tombstone', () => {
  test.each<readonly [string, Keyed]>([
    ['the Kafka key', { plan: plan([{ kafka: 'key' }]), id: undefined }],
    ['a field of the Kafka key', { plan: plan([{ kafka: 'key', field: '/vin' }]), id: undefined }],
    [
      'topic and partition',
      { plan: plan([{ kafka: 'topic' }, { kafka: 'partition' }, { literal: 'x' }]), id: undefined }
    ],
    ['a field that is also in the Kafka key', { plan: plan([{ field: '/vin', orKey: '/vin' }]), id: undefined }],
    [
      'a bucket of a field that is also in the Kafka key',
      { plan: plan([{ bucket: 'day', of: '/at', orKey: '/at' }]), id: undefined }
    ],
    ['an id that is made of the Kafka key', { plan: plan([{ id: true }]), id: undefined }],
    [
      'a suffix by a field that is also in the Kafka key',
      {
        plan: plan([{ kafka: 'key' }], { suffix: { by: [{ field: '/vin', orKey: '/vin' }], count: 4 } }),
        id: undefined
      }
    ],
    [
      'the Kafka key for the partition key, and the setting `id` for the id',
      { plan: { into: '/pk', from: [{ kafka: 'key' }] }, id: FULL_KEY }
    ],
    [
      'a template of topic and key',
      {
        plan: plan([{ kafka: 'key' }], { id: undefined }),
        id: { strategy: 'template', template: '${topic}-${key}', escape: 'lossless' }
      }
    ],
    [
      'sources of the Kafka record for every level',
      {
        plan: {
          levels: [
            { into: '/a', from: [{ kafka: 'key' }] },
            { into: '/b', from: [{ kafka: 'topic' }] }
          ],
          id: OF_KEY
        },
        id: undefined
      }
    ],
    ['no plan, and the partition key of the container is the id', { plan: undefined, id: FULL_KEY, keyPaths: ['/id'] }],
    ['no plan, and the partition key of the container is not known yet', { plan: undefined, id: FULL_KEY }]
  ])('identifies its document if partition key and id can be made without the value: %s', (_by, keyed) => {
    expect(whyUnresolved(keyed)).toBeUndefined()
  })
})

describe('a tombstone', () => {
  test.each<readonly [string, Keyed]>([
    [
      'the key is made of /vin, which is in the value: set `orKey` to its path in the Kafka key',
      { plan: plan([{ field: '/vin' }]), id: undefined }
    ],
    [
      'the key is made of /at, which is in the value: set `orKey` to its path in the Kafka key',
      { plan: plan([{ bucket: 'day', of: '/at' }]), id: undefined }
    ],
    [
      'the key is made of the offset of the record, and a tombstone has a different one',
      { plan: plan([{ kafka: 'offset' }]), id: undefined }
    ],
    [
      'the key is made of the header of the record, and a tombstone has a different one',
      { plan: plan([{ kafka: 'header', name: 'h' }]), id: undefined }
    ],
    [
      'the key is made of the timestamp of the record, and a tombstone has a different one',
      { plan: plan([{ kafka: 'timestamp' }]), id: undefined }
    ],
    [
      'the key is made of the timestamp of the record, and a tombstone has a different one',
      { plan: plan([{ bucket: 'day', of: { kafka: 'timestamp' } }]), id: undefined }
    ],
    [
      'the suffix is drawn at random',
      { plan: plan([{ kafka: 'key' }], { suffix: { by: 'random', count: 4 } }), id: undefined }
    ],
    [
      'the suffix is made of the offset of the record, and a tombstone has a different one',
      { plan: plan([{ kafka: 'key' }], { suffix: { by: 'offset', count: 4 } }), id: undefined }
    ],
    [
      'the suffix is made of /vin, which is in the value',
      { plan: plan([{ kafka: 'key' }], { suffix: { by: '/vin', count: 4 } }), id: undefined }
    ],
    [
      'the suffix is made of /b, which is in the value',
      {
        plan: plan([{ kafka: 'key' }], { suffix: { by: [{ field: '/a', orKey: '/a' }, { field: '/b' }], count: 4 } }),
        id: undefined
      }
    ],
    ['the id is read from the value', { plan: plan([{ kafka: 'key' }], { id: undefined }), id: undefined }],
    [
      'the id is made of the offset of the record, and a tombstone has a different one',
      {
        plan: plan([{ kafka: 'key' }], { id: undefined }),
        id: { strategy: 'metadata', delimiter: '-', escape: 'lossless' }
      }
    ],
    [
      'the id is made of /id, which is in the value: set `orKey` to its path in the Kafka key',
      { plan: undefined, id: { strategy: 'inValue', path: '/id', escape: 'lossless' } }
    ],
    [
      'the key is made of /b, which is in the value: set `orKey` to its path in the Kafka key',
      {
        plan: {
          levels: [
            { into: '/a', from: [{ kafka: 'key' }] },
            { into: '/b', from: [{ field: '/b' }] }
          ],
          id: OF_KEY
        },
        id: undefined
      }
    ],
    [
      'which version of the plan applies is read from the value',
      {
        plan: plan([{ kafka: 'key' }], {
          previous: [{ until: { field: '/at', before: 5 }, plan: plan([{ kafka: 'key' }]) }]
        }),
        id: undefined
      }
    ],
    [
      'without a plan the partition key (/vin) is read from the value',
      { plan: undefined, id: FULL_KEY, keyPaths: ['/vin'] }
    ]
  ])('does not identify its document since %s', (why, keyed) => {
    expect(whyUnresolved(keyed)).toBe(why)
  })
})
