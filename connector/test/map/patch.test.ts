import { describe, expect, it } from 'vitest'
import type { PatchSettings } from '../../src/config/settings.ts'
import { type Setting, mapOne } from './sample.ts'

const NOTHING_SPECIAL: PatchSettings = { operation: 'set', members: new Map(), condition: undefined }

function patchOf(value: object, patch: Partial<PatchSettings> = {}, setting: Setting = {}): unknown {
  return mapOne(value, {
    ...setting,
    write: { strategy: 'patch', patch: { ...NOTHING_SPECIAL, ...patch }, ...setting.write }
  })
}

const named = { id: 'i', pk: 'p' }

describe('a patch', () => {
  it('names its document and sets each property, except key, id and system properties', () => {
    const system = { _etag: 'e', _ts: 1, _rid: 'r', _self: 's', _attachments: 'a' }

    expect(patchOf({ ...named, ...system, a: null, 'b/c~': [1, { x: 2 }], _own: 1 })).toEqual({
      kind: 'patch',
      key: ['p'],
      id: 'i',
      steps: [
        { op: 'set', path: '/a', value: null },
        { op: 'set', path: '/b~1c~0', value: [1, { x: 2 }] },
        { op: 'set', path: '/_own', value: 1 }
      ]
    })
  })

  it.each(['/"b/c"', '/b~c'])('does not change a key whose path has another form than a pointer: %s', (path) => {
    const name = path.replaceAll(/^\/|"/g, '')

    expect(patchOf({ id: 'i', [name]: 'p', a: 1 }, {}, { paths: [path] })).toMatchObject({
      key: ['p'],
      steps: [{ op: 'set', path: '/a', value: 1 }]
    })
  })

  it('sets all properties by default', () => {
    expect(mapOne({ ...named, a: 1 }, { write: { strategy: 'patch' } })).toMatchObject({
      steps: [{ op: 'set', path: '/a', value: 1 }]
    })
  })

  it('has the configured operation and path of each property', () => {
    const members: PatchSettings['members'] = new Map([
      ['a', { operation: 'increment', path: undefined }],
      ['b', { operation: 'replace', path: '/deep/b' }],
      ['c', { operation: 'none', path: undefined }],
      ['absent', { operation: 'add', path: undefined }]
    ])

    expect(patchOf({ ...named, a: 2.5, b: 'x', c: 1, d: 1 }, { operation: 'add', members })).toMatchObject({
      steps: [
        { op: 'incr', path: '/a', value: 2.5 },
        { op: 'replace', path: '/deep/b', value: 'x' },
        { op: 'add', path: '/d', value: 1 }
      ]
    })
  })

  it('removes configured properties, whether or not the record has them', () => {
    const members: PatchSettings['members'] = new Map([
      ['a', { operation: 'remove', path: undefined }],
      ['absent', { operation: 'remove', path: '/deep/x' }]
    ])

    expect(patchOf({ ...named, a: 1 }, { members })).toMatchObject({
      steps: [
        { op: 'remove', path: '/a' },
        { op: 'remove', path: '/deep/x' }
      ]
    })
    expect(patchOf({ ...named, b: 1 }, { operation: 'remove' })).toMatchObject({
      steps: [{ op: 'remove', path: '/b' }]
    })
  })

  it('changes properties next to a level of the key', () => {
    const value = { id: 'i', meta: { tenant: 't', name: 'n', deep: { x: 1 } }, pkx: 1 }

    expect(patchOf(value, {}, { paths: ['/meta/tenant'] })).toMatchObject({
      key: ['t'],
      steps: [
        { op: 'set', path: '/meta/name', value: 'n' },
        { op: 'set', path: '/meta/deep', value: { x: 1 } },
        { op: 'set', path: '/pkx', value: 1 }
      ]
    })
  })

  it('leaves out dropped properties, and adds time to live and metadata', () => {
    const write = { drop: ['a'], ttl: 60, metadata: { into: 'kafka', fields: ['offset'] } } as const

    expect(patchOf({ ...named, a: 1, b: 2, ttl: 5, kafka: 1 }, {}, { write, defaultTtl: -1 })).toMatchObject({
      steps: [
        { op: 'set', path: '/b', value: 2 },
        { op: 'set', path: '/ttl', value: 60 },
        { op: 'set', path: '/kafka', value: { offset: 7 } }
      ]
    })
  })

  it('leaves a document unchanged if it does not meet the condition', () => {
    const condition = 'from c where c.version < 3'

    expect(patchOf({ ...named, a: 1 }, { condition })).toMatchObject({ condition, ignore: [412] })
    expect(patchOf({ ...named, a: 1 })).not.toHaveProperty('ignore')
  })

  it('has one operation for each property', () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`m${index}`, index]))

    expect(patchOf({ ...named, ...many })).toHaveProperty('steps.length', 25)
  })

  it('without an operation is rejected', () => {
    expect(patchOf(named)).toMatchObject({ stage: 'map', code: 'PATCH_EMPTY', path: '' })
    expect(patchOf({ ...named, a: 1 }, { operation: 'none' })).toMatchObject({ code: 'PATCH_EMPTY' })
  })

  it.each(['5', null, {}])('is rejected if it increments by %j', (a) => {
    expect(patchOf({ ...named, a }, { operation: 'increment' })).toMatchObject({
      stage: 'map',
      code: 'PATCH_NOT_NUMBER',
      path: '/a'
    })
  })
})
