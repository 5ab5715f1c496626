import { shuffle } from '@keystamp/core/internal'
import { createRandom } from '@keystamp/planner'
import type { PlanDefinition } from '@keystamp/core'

/** Data with a known distribution of one key, and the key that is to be measured on it. */
export interface MeasuredWorkload {
  readonly name: string
  readonly records: () => readonly object[]
  /** The key: a plan, or fields of the records. */
  readonly key: PlanDefinition | string
  readonly queries: readonly string[]
}

const RECORDS = 50_000
const START = Date.UTC(2026, 0, 1)
const DAY_MS = 86_400_000

const HOT = { by: '/order', count: 1, hot: { 'tenant-0': 16, 'tenant-1': 4 } } as const

/** Even and uneven keys, in the order of the time and shuffled. */
export const WORKLOADS: readonly MeasuredWorkload[] = [
  { name: 'ids', records: rows(() => ({})), key: '/id', queries: ['id @ 50/s', 'device @ 5/s'] },
  {
    name: 'uniform devices',
    records: rows(() => ({})),
    key: '/device',
    queries: ['device @ 20/s', 'id, device @ 50/s', 'SELECT * FROM c WHERE c.device IN (@a, @b, @c) @ 5/s rows=20']
  },
  ...[0.8, 1.1, 1.4].map((exponent) => ({
    name: `Zipf ${exponent}`,
    records: rows((random) => ({ customer: `customer-${zipf(5000, exponent)(random())}` })),
    key: '/customer',
    queries: ['customer @ 20/s', 'tenant @ 2/s']
  })),
  { name: 'a tenant at 40 %', records: rows(() => ({})), key: '/tenant', queries: ['tenant @ 20/s', '* @ 1/s'] },
  {
    name: 'hot suffixes',
    records: rows(() => ({})),
    key: { into: '/partitionKey', from: [{ field: '/tenant' }], suffix: HOT },
    queries: ['tenant @ 20/s', 'tenant, order @ 20/s']
  },
  {
    name: 'even hot suffixes',
    records: rows(() => ({})),
    key: { into: '/partitionKey', from: [{ field: '/tenant' }], suffix: { ...HOT, labels: 'even' } },
    queries: ['tenant @ 20/s', 'tenant, order @ 20/s']
  },
  {
    name: 'date with suffixes',
    records: rows(() => ({})),
    key: {
      into: '/partitionKey',
      from: [{ bucket: 'day', of: '/at' }],
      suffix: { by: '/device', count: 400, labels: 'even' }
    },
    queries: ['at=day @ 2/s', 'device, at=day @ 20/s']
  },
  {
    name: 'date in order of time',
    records: rows(() => ({})),
    key: { into: '/partitionKey', from: [{ bucket: 'day', of: '/at' }] },
    queries: ['at=day @ 2/s', 'device, at=hour @ 20/s']
  },
  {
    name: 'date of a shuffled sample',
    records: () => shuffle([...rows(() => ({}))()], createRandom(11)),
    key: { into: '/partitionKey', from: [{ bucket: 'day', of: '/at' }] },
    queries: ['at=day @ 2/s']
  },
  {
    name: 'device and day',
    records: rows(() => ({})),
    key: { into: '/partitionKey', from: [{ field: '/device' }, { bucket: 'day', of: '/at' }] },
    queries: ['device, at=day @ 20/s', 'device, at=7d @ 5/s', 'at=day @ 1/s']
  },
  { name: 'few keys', records: rows(() => ({})), key: '/kind', queries: ['kind @ 20/s', 'tenant @ 2/s'] },
  {
    name: 'hierarchical',
    records: rows(() => ({})),
    key: '/tenant,/device',
    queries: ['tenant @ 5/s', 'tenant, device @ 20/s', 'device @ 1/s']
  },
  {
    name: 'mixed types',
    records: rows((random, index) => ({ code: codeOf(Math.floor(random() * 400), index) })),
    key: '/code',
    queries: ['code @ 20/s', 'id, code @ 20/s']
  },
  {
    name: 'documents of different sizes',
    records: rows((_random, index) => ({ text: 'x'.repeat(500 + ((index * 7919) % 6000)) })),
    key: '/tenant',
    queries: ['tenant, kind @ 20/s', 'tenant, id @ 20/s']
  }
]

/** Records in the order of their time, over 10 days, with the fields of all workloads and further ones. */
function rows(further: (random: () => number, index: number) => object): () => readonly object[] {
  return () => {
    const random = createRandom(7)
    return Array.from({ length: RECORDS }, (_, index) => ({
      id: `r-${index}`,
      at: new Date(START + (index / RECORDS) * 10 * DAY_MS).toISOString(),
      device: `device-${Math.floor(random() * 2000)}`,
      tenant: random() < 0.4 ? 'tenant-0' : `tenant-${Math.floor(1 + random() ** 2 * 600)}`,
      order: `order-${index % 20_000}`,
      kind: `kind-${Math.floor(random() * 6)}`,
      amount: Math.round(random() * 10_000),
      ...further(random, index)
    }))
  }
}

/** Text, number, boolean, null or nothing. */
function codeOf(value: number, index: number): unknown {
  return [`c-${value}`, value, value % 2 === 0, `c-${value}`, null, value, undefined][
    index % 20 < 16 ? index % 2 : index % 7
  ]
}

const distributions = new Map<string, Float64Array>()

/** Number of a value, 0 for the most frequent one, for a number from 0 up to 1. */
function zipf(values: number, exponent: number): (at: number) => number {
  const name = `${values}/${exponent}`
  const sums = distributions.get(name) ?? new Float64Array(values)
  if (!distributions.has(name)) {
    let sum = 0
    for (let value = 0; value < values; value++) {
      sum += (value + 1) ** -exponent
      sums[value] = sum
    }
    distributions.set(name, sums)
  }
  return (at) => {
    const found = sums.findIndex((sum) => sum >= at * sums[values - 1])
    return Math.max(0, found)
  }
}
