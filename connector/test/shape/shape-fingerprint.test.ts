import { describe, expect, test } from 'vitest'
import type { PlanDefinition } from '@keystamp/core'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { mapperOptions, type Setting } from '../map/sample.ts'
import { shapeOf } from './shape-of.ts'

const PLAN: PlanDefinition = {
  into: '/pk',
  from: [{ field: '/device/id', orKey: '/dev' }],
  id: { from: [{ field: '/vin' }] }
}

function fingerprintOf(steps: readonly object[], setting: Setting = { plan: PLAN }): string {
  const options = mapperOptions(setting)
  return createRecordMapper({ ...options, settings: { ...options.settings, shape: shapeOf(...steps) } }).fingerprint
}

const PLAIN = fingerprintOf([])

function mask(options: object): object {
  return { mask: { fields: ['/serial'], ...options } }
}

describe('the fingerprint of a sink with a shape', () => {
  test.each([
    [[{ exclude: ['/debug'] }]],
    [[{ include: ['/device', '/vin', '/id', '/pk', '/speed'] }]],
    [[{ rename: { '/a': '/b' } }, { cast: { '/b': 'string' } }]],
    [[{ mask: { fields: ['/driver'] } }]],
    [[{ insert: { '/topic': { kafka: 'topic' } } }]],
    [[{ filter: { field: '/device' } }]],
    [[{ copy: { '/device/id': '/other' } }]],
    [[{ exclude: ['/other'], of: 'key' }]]
  ])('is that of the plan if no step changes what the plan reads: %j', (steps) => {
    expect(fingerprintOf(steps)).toBe(PLAIN)
  })

  test.each([
    [[{ mask: { fields: ['/device/id'] } }]],
    [[{ cast: { '/device': 'string' } }]],
    [[{ exclude: ['/vin'] }]],
    [[{ include: ['/device'] }]],
    [[{ rename: { '/serial': '/vin' } }]],
    [[{ flatten: {} }]],
    [[{ hoist: 'device' }]],
    [[{ extract: '/after' }]],
    [[{ insert: { '/device/id': { literal: 'x' } } }]],
    [[{ timestamp: { fields: ['/vin'], to: 'iso' } }]],
    [[{ rename: { '/dev': '/d' }, of: 'key' }]],
    [[{ key: ['/dev'] }]],
    // a step that changes what a later step makes the id of
    [[{ mask: { fields: ['/serial'] } }, { copy: { '/serial': '/vin' } }]]
  ])('changes with a step that changes what the plan reads: %j', (steps) => {
    expect(fingerprintOf(steps)).not.toBe(PLAIN)
    expect(fingerprintOf([...steps, { exclude: ['/debug'] }])).toBe(fingerprintOf(steps))
  })

  // checks L3
  test('covers all steps from which a key is made, with their order, options, conditions and secrets', () => {
    const copy = { copy: { '/serial': '/vin' } }
    const all = [
      [copy],
      [mask({}), copy],
      [copy, { mask: { fields: ['/vin'] } }],
      [mask({ hash: 'sha256' }), copy],
      [mask({ hash: 'sha256', secret: 'a' }), copy],
      [mask({ hash: 'sha256', secret: 'b' }), copy],
      [{ ...mask({}), when: { topic: 'a' } }, copy],
      [{ ...mask({}), when: { field: '/x' } }, copy],
      [{ cast: { '/x': 'string' } }, { ...mask({}), when: { field: '/x' } }, copy]
    ].map((steps) => fingerprintOf(steps))

    expect(new Set(all).size).toBe(all.length)
    expect(all.join()).not.toContain('secret')
  })

  test('is that of the plan before, for the older versions of a plan that no step concerns', () => {
    const plan: PlanDefinition = {
      ...PLAN,
      previous: [
        {
          plan: { into: '/pk', from: [{ field: '/area' }], id: { from: [{ field: '/key' }] } },
          until: { field: '/at', before: '2026-01-01' }
        }
      ]
    }
    const options = mapperOptions({ plan })
    const mapperOf = (steps: readonly object[]) =>
      createRecordMapper({ ...options, settings: { ...options.settings, shape: shapeOf(...steps) } })

    const [plain, masked] = [mapperOf([]), mapperOf([{ mask: { fields: ['/vin'] } }])]
    expect(masked.fingerprint).not.toBe(plain.fingerprint)
    expect(masked.previousFingerprints).toEqual(plain.previousFingerprints)
  })

  test.each([
    [
      'the key path of the container',
      { paths: ['/pk'] },
      [{ mask: { fields: ['/pk'] } }],
      [{ mask: { fields: ['/x'] } }]
    ],
    ['the id', { paths: ['/id'] }, [{ mask: { fields: ['/id'] } }], [{ mask: { fields: ['/pk'] } }]]
  ])('covers without a plan %s', (_name, setting, changing, other) => {
    expect(fingerprintOf(changing, setting)).not.toBe(fingerprintOf([], setting))
    expect(fingerprintOf(other, setting)).toBe(fingerprintOf([], setting))
  })
})
