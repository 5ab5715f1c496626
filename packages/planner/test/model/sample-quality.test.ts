import { describe, expect, test } from 'vitest'

import { halvesDiffer, keyHalvesDiffer, tornTransactions } from '../../src/model/sample-quality.ts'
import { discoverFields } from '../../src/sample/discover.ts'
import { createProfiler, type SampleProfile } from '../../src/sample/profiler.ts'
import { createRandom } from '../../src/sample/random.ts'

const candidates = ['/tenant', '/order', '/id'].map((path) => ({ name: path, plan: null, partitionKeyPaths: [path] }))

interface Order {
  readonly id: number
  readonly tenant: number
  readonly order: number
  readonly note?: string
}

function profile(records: readonly Order[], transactions: readonly string[] = []): SampleProfile {
  const fields = discoverFields(records)
  const profiler = createProfiler({ candidates, fields, transactions, random: createRandom(1), reservoirSize: 1 })
  for (const record of records) profiler.add(Buffer.from(JSON.stringify(record)))
  return profiler.finish()
}

const random = createRandom(9)
const RANDOM = Array.from({ length: 4000 }, (_, id): Order => {
  return { id, tenant: Math.floor(10 * random() ** 2), order: Math.floor(1000 * random()) }
})
const whole = { method: 'whole', population: null } as const

describe('halvesDiffer', () => {
  test('returns no difference between the halves of records in random order', () => {
    expect(halvesDiffer(profile(RANDOM))).toBe(false)
  })

  test('returns a difference if the records are sorted by a key', () => {
    const sorted = profile(RANDOM.toSorted((a, b) => a.tenant - b.tenant))
    expect(halvesDiffer(sorted)).toBe(true)
    expect(sorted.keys.map((key) => key && keyHalvesDiffer(key))).toEqual([true, false, false])
  })

  test('returns a difference if only one half of the records has the field', () => {
    expect(halvesDiffer(profile(RANDOM.map((record) => (record.id < 2000 ? record : { ...record, note: 'x' }))))).toBe(
      true
    )
  })

  test('returns no difference for a sample of a few records', () => {
    expect(halvesDiffer(profile(RANDOM.slice(0, 10)))).toBeNull()
  })
})

describe('tornTransactions', () => {
  test('returns the share of the groups whose records have different keys', () => {
    const orders = profile(
      RANDOM.map(({ id }) => ({ id, order: id >> 2, tenant: (id >> 2) % 4 === 0 ? id : id >> 2 })),
      ['/order']
    )
    expect([0, 1, 2].map((candidate) => tornTransactions(orders, candidate, whole).value)).toEqual([0.25, 0, 1])
  })

  test('is unknown if every group has one record, if no field is given, or if no record has a group', () => {
    const orders = profile(RANDOM, ['/order'])
    expect(tornTransactions(orders, 0, { method: 'uniform', population: 1e6 }).reason).toContain('single records')
    expect(tornTransactions(profile(RANDOM), 0, whole).reason).toBe('No transaction field is known.')
    expect(tornTransactions(profile(RANDOM, ['/id']), 0, whole).reason).toContain('No two records')
  })
})
