import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { effectiveKey, type KeyValue } from '../../src/partition/effective-key.ts'

type Written = string | boolean | null | { number?: string }
interface Vectors {
  single: { values: Written[]; v2: string; v1: string }[]
  several: { values: Written[]; hash?: string; multiHash?: string }[]
}

const vectors = JSON.parse(readFileSync(new URL('./vectors.json', import.meta.url), 'utf8')) as Vectors

describe('the effective partition key', () => {
  it('is compared with enough published vectors', () => {
    expect(vectors.single.length).toBeGreaterThanOrEqual(33)
  })

  it.each(vectors.single)('of $values in V2 is $v2', ({ values, v2 }) => {
    expect(effectiveKey(values.map(read), { kind: 'Hash', version: 2 })).toBe(v2)
  })

  it.each(vectors.single)('of $values in V1 is $v1', ({ values, v1 }) => {
    expect(effectiveKey(values.map(read), { kind: 'Hash', version: 1 })).toBe(v1)
  })

  it.each(vectors.several)(
    'of several components $values is one hash, or one hash for each level',
    ({ values, hash, multiHash }) => {
      const kind = hash === undefined ? 'MultiHash' : 'Hash'

      expect(effectiveKey(values.map(read), { kind, version: 2 })).toBe(hash ?? multiHash)
    }
  )

  it('of 100,000 keys is spread evenly over the four quarters of the hash space', () => {
    const counts = [0, 0, 0, 0]
    for (let i = 0; i < 100_000; i++)
      counts[parseInt(effectiveKey([`key${i}`], { kind: 'Hash', version: 2 })[0], 16)] += 1

    expect(counts.map((count) => Math.round(count / 100) / 10)).toEqual([25.1, 24.9, 25.1, 24.9])
  })
})

function read(written: Written): KeyValue {
  if (written === null || typeof written !== 'object') return written
  return written.number === undefined ? undefined : Number(written.number)
}
