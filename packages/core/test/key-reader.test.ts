import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { createPlan, type PlanDefinition, partitionHash } from '../src/index.ts'
import { KeyReader, type KeyOrigin } from '../src/internal.ts'

const encode = (record: unknown) => Buffer.from(JSON.stringify(record))

const PLANS: readonly PlanDefinition[] = [
  { into: '/pk', from: [{ field: '/tenant' }, { bucket: 'day', of: '/at' }] },
  { into: '/pk', from: [{ field: '/tenant' }], suffix: { by: '/id', count: 16, labels: 'even' } },
  { into: '/pk', from: [{ field: '/tenant' }, { field: '/n' }], hashVersion: 1 },
  {
    levels: [
      { into: '/a', from: [{ field: '/tenant' }] },
      { into: '/b', from: [{ field: '/n' }] }
    ]
  },
  {
    levels: [
      { into: '/a', from: [{ field: '/tenant' }] },
      { into: '/id', from: [{ id: true }] }
    ]
  },
  {
    into: '/pk',
    from: [{ field: '/tenant' }],
    previous: [{ until: { field: '/n', before: 50 }, plan: { into: '/pk', from: [{ field: '/id' }] } }]
  }
]

/** Upper 64 bits of the hash of the first level, as the first 16 digits of the effective partition key. */
const digitsOf = (words: Int32Array) =>
  [words[0], words[1]].map((word) => (word >>> 0).toString(16).toUpperCase().padStart(8, '0')).join('')

describe('KeyReader', () => {
  test('makes the same keys as each of several plans in one scan', () => {
    const reader = new KeyReader(
      PLANS.map((plan) => ({ plan })),
      []
    )
    const plans = PLANS.map((plan) => createPlan(plan))
    const words = new Int32Array(4)
    const record = fc.record(
      {
        id: fc.string(),
        tenant: fc.oneof(fc.string(), fc.integer(), fc.constant(null)),
        n: fc.integer()
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(record, fc.constantFrom('2026-11-18T07:00:00Z', '2026-11-19'), (fields, at) => {
        const bytes = encode({ ...fields, at })
        expect(reader.read(bytes, 0, bytes.length, undefined)).toBe(true)
        for (const [number, plan] of plans.entries()) {
          const stamped = plan.stampBytes(bytes)
          const code = reader.hash(number, words)
          expect(code).toBe(stamped.ok ? undefined : stamped.code)
          if (!stamped.ok) continue
          expect(reader.values(number)).toEqual(stamped.values)
          const hash = partitionHash(stamped.values, plan.partitionKey)
          // in version 1, the first digits of the effective partition key are not those of the hash
          expect(hash.startsWith(digitsOf(words)) || plan.partitionKey.version === 1).toBe(true)
        }
      })
    )
  })

  test('reads the values at the key paths of a container unchanged', () => {
    const keys: readonly KeyOrigin[] = [
      { paths: [['a']], version: 2 },
      { paths: [['a'], ['b', 'c']], version: 2 },
      { paths: [['a']], version: 1 }
    ]
    const reader = new KeyReader(keys, [['b']])
    const words = new Int32Array(4)
    for (const a of ['x', '', 7, 0, 1.5, true, null, undefined, 'é'.repeat(1000)]) {
      const bytes = encode({ a, b: { c: 'y' } })
      reader.read(bytes, 0, bytes.length, undefined)
      expect(reader.hash(0, words)).toBeUndefined()
      expect(digitsOf(words)).toBe(partitionHash([a], { version: 2 }).slice(0, 16))
      expect(reader.isMissing(0)).toBe(a === undefined)
      expect(reader.values(1)).toEqual([a, 'y'])
      expect(reader.hash(1, words)).toBeUndefined()
      expect(digitsOf(words)).toBe(partitionHash([a, 'y'], { kind: 'MultiHash' }).slice(0, 16))
    }
  })

  test.each([
    [{ a: {} }, 'FIELD_WRONG_TYPE'],
    [{ a: [] }, 'FIELD_WRONG_TYPE'],
    [{ a: 'x'.repeat(2049) }, 'KEY_TOO_LONG']
  ])('rejects a value that Cosmos DB does not accept as a key: %#', (record, code) => {
    const reader = new KeyReader([{ paths: [['a']], version: 2 }], [])
    const bytes = encode(record)
    reader.read(bytes, 0, bytes.length, undefined)
    expect(reader.hash(0, new Int32Array(4))).toBe(code)
  })

  test('finds the bytes of a field, even if the record does not begin at the start of the buffer', () => {
    const reader = new KeyReader([], [['a', 'b'], ['none']])
    const bytes = Buffer.from('xx {"a":{"b":"text"}} yy')
    expect(reader.read(bytes, 2, bytes.length - 3, undefined)).toBe(true)
    expect(Buffer.from(reader.whole().subarray(reader.startOf(0), reader.endOf(0))).toString()).toBe('"text"')
    expect(reader.startOf(1)).toBe(-1)
    expect(reader.field(0)).toBe('text')
    expect(reader.field(1)).toBeUndefined()
  })

  test.each(['', '[]', '7', '{', '{"a":}', '{"a":1}x', 'null'])(
    'returns false for %j, which is not a record',
    (text) => {
      const bytes = Buffer.from(text)
      expect(new KeyReader([], [['a']]).read(bytes, 0, bytes.length, undefined)).toBe(false)
    }
  )

  test('computes different second halves of the hash for hierarchical keys that differ only in the second level', () => {
    const reader = new KeyReader([{ paths: [['a'], ['b']], version: 2 }], [])
    const seen = new Set<string>()
    const words = new Int32Array(4)
    for (let number = 0; number < 20_000; number++) {
      const bytes = encode({ a: 'tenant', b: number })
      reader.read(bytes, 0, bytes.length, undefined)
      reader.hash(0, words)
      seen.add(`${words[2]} ${words[3]}`)
    }
    expect(seen.size).toBe(20_000)
  })
})
