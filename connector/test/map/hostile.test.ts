import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WriteSettings } from '../../src/config/settings.ts'
import { createRecordMapper } from '../../src/map/record-mapper.ts'
import { decodedOf, sampleRecord, type Setting, mapperOptions, storedText } from './sample.ts'

const STRATEGIES: readonly WriteSettings['strategy'][] = [
  'overwrite',
  'append',
  'delete',
  'deleteIfNotModified',
  'overwriteIfNotModified',
  'patch'
]
const EXTRAS: Partial<WriteSettings> = {
  ttl: { field: '/meta/seconds' },
  metadata: { into: '_kafka', fields: ['topic', 'partition', 'offset', 'timestamp', 'key', 'headers'] },
  drop: ['a', '']
}
const SETTINGS: readonly Setting[] = [
  {},
  { paths: ['/id'], id: { strategy: 'fullKey', escape: 'underscore' } },
  { paths: ['/meta/pk'] },
  { paths: ['/meta/pk', '/id'], id: { strategy: 'inKey', path: '/a', escape: 'lossless' } },
  {
    plan: {
      into: '/meta/pk',
      from: [{ field: '/a', missing: { use: 'none' }, null: { use: 'none' } }],
      existing: 'overwrite'
    },
    paths: ['/meta/pk']
  }
]

describe('any record', () => {
  it('is mapped or rejected, and the stored document is JSON', () => {
    const name = fc.constantFrom(
      'id',
      'pk',
      'ttl',
      'meta',
      'seconds',
      'a',
      '_etag',
      '_kafka',
      '__proto__',
      'constructor',
      '',
      'ü'
    )
    const scalar = fc.constantFrom('i', '', 'a/b', 'd\u0000', '\ud83d', 0, -1, 1.5, 60, 1e21, true, null)
    const { document } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, scalar, tie('document'), fc.array(tie('value'), { maxLength: 2 })),
      document: fc.array(fc.tuple(name, tie('value')), { maxLength: 5 }).map((members) => Object.fromEntries(members))
    }))
    const text = fc.oneof(
      { weight: 9, arbitrary: document.map((value) => JSON.stringify(value)) },
      fc.string(),
      fc.json()
    )
    const key = fc.option(
      fc.oneof(
        fc.uint8Array({ maxLength: 4 }),
        fc.constantFrom('k', '{"a":"x"}', '{"a":[]}', '[').map((each) => Buffer.from(each))
      )
    )

    const mappers = SETTINGS.flatMap((setting) =>
      STRATEGIES.flatMap((strategy) =>
        [{}, EXTRAS].map((extras) =>
          createRecordMapper(mapperOptions({ ...setting, defaultTtl: -1, write: { ...extras, strategy } }))
        )
      )
    )
    let stored = 0

    fc.assert(
      fc.property(fc.option(text, { nil: undefined, freq: 20 }), key, (json, bytes) => {
        const record = sampleRecord({ key: bytes, headers: { h: bytes ?? undefined } })
        for (const { map } of mappers) {
          const mapped = map(record, decodedOf(record, json))
          if (mapped === 'ignore' || !('kind' in mapped)) continue
          stored++
          // throws for a document that cannot be parsed or written
          if (mapped.kind === 'patch') JSON.stringify(mapped.steps)
          else JSON.parse(storedText(mapped))
        }
      }),
      { numRuns: 500 }
    )
    expect(stored).toBeGreaterThan(1000)
  })
})
