import {
  createProfiler,
  createRandom,
  createReport,
  discoverFields,
  expectedSize,
  parseWorkload,
  type PlanReport,
  proposeCandidates,
  refineCandidates
} from '@keystamp/planner'
import type { Shown } from './row.ts'

const INDEXED_VALUES = 5
const encoder = new TextEncoder()

/** Report of the planner on records and a workload in the forms that people write. */
function planned(records: readonly object[], stated: object): PlanReport {
  const workload = parseWorkload(stated)
  const fields = discoverFields(records)
  const { candidates: base, lookups, dropped } = proposeCandidates(fields, workload)
  const { timeField, transactions, queries, changingFields } = workload
  const count = (candidates: typeof base) => {
    const profiler = createProfiler({ fields, timeField, transactions, candidates, random: createRandom(1) })
    for (const record of records) profiler.add(encoder.encode(JSON.stringify(record)))
    return profiler.finish()
  }
  const first = count(base)
  const itemBytes = workload.itemBytes ?? first.bytes / first.records
  const { gb, partitions } = expectedSize(workload, { itemBytes, indexedValues: INDEXED_VALUES }, base[0])
  const counted = base.map((candidate, number) => ({ candidate, profile: first.keys[number]! }))
  const refined = refineCandidates(counted, { fields, queries, changingFields, partitions, gb })
  const candidates = [...base, ...refined, ...lookups]
  const basis = { method: 'whole', population: workload.items ?? records.length } as const
  const sample = count(candidates)
  return createReport({
    candidates,
    dropped,
    sample,
    basis,
    workload,
    indexedValues: INDEXED_VALUES,
    seed: 1,
    nowMs: 0
  })
}

/** Trips of vehicles on five days, with the fields of the articles. */
function trips(count: number): readonly object[] {
  return Array.from({ length: count }, (_, trip) => ({
    id: `trip-${trip}`,
    date: `2018-08-0${5 + (trip % 5)}`,
    vin: `vin-${trip % 1000}`,
    status: trip % 7 === 0 ? 'open' : 'done'
  }))
}

const TRIPS = 3000

/** 5,000 writes a second, kept for a week: 3 TB in 76 physical partitions. Made once for all rows. */
let made: PlanReport | undefined
const busy = (): PlanReport =>
  (made ??= planned(trips(TRIPS), {
    writes: { rate: '5000/s', operation: 'create' },
    itemSize: '1KB',
    items: '3B',
    ttl: '7d',
    changing: ['status'],
    queries: ['vin @ 500/s', 'id @ 50/s', 'date @ 1/s']
  }))

function candidateOf({ candidates }: PlanReport, name: string): PlanReport['candidates'][number] {
  const found = candidates.find((each) => each.name === name)
  if (found === undefined) throw new Error(`${name} is no candidate.`)
  return found
}

/** A1, B1: distinct values of candidates, and the verdict. */
export async function enoughKeys(): Promise<Shown[]> {
  const found = ['/date', '/vin'].map((name) => candidateOf(busy(), name))
  return [
    ...found.map(({ name, distinctKeys, heavy }) => ({
      input: `${TRIPS} trips with the key ${name}`,
      output: `${distinctKeys.low} logical partitions; the largest has ${(heavy[0].share.mid * 100).toFixed(1)} %`
    })),
    { input: '5,000 writes a second, 500 queries by vin', output: busy().verdict.candidate ?? '' }
  ]
}

/** A8, B3: load by physical partition, computed by the hash of the service. */
export async function loadByPartition(): Promise<Shown[]> {
  return ['/date', '/vin'].map((name) => {
    const { loadByRange } = candidateOf(busy(), name)
    const idle = loadByRange.filter((share) => share === 0).length
    return { input: `${TRIPS} trips with the key ${name}`, output: `${idle} of ${loadByRange.length} partitions idle` }
  })
}

/** A9: both ways of provisioning throughput have a price. */
export async function bothPrices(): Promise<Shown[]> {
  const { price } = candidateOf(busy(), '/vin')
  const hasBoth = price !== null && price.manual !== null && price.autoscale !== null
  return [{ input: 'prices of the planner', output: hasBoth ? 'manual and autoscale' : 'not both' }]
}

/** B5, B8: transactions that a key would divide. */
export async function dividedTransactions(): Promise<Shown[]> {
  const report = planned(trips(1000), {
    writes: '5000/s',
    itemSize: '1KB',
    ttl: '1d',
    transactions: ['date'],
    queries: ['date @ 1/s']
  })
  return ['/id', '/date'].map((name) => ({
    input: `transactions over the trips of a date, with the key ${name}`,
    output: `${(candidateOf(report, name).tornTransactions ?? 1) * 100} % divided`
  }))
}

/** B7: a field that changes is never a key. */
export async function neverAKey(): Promise<Shown[]> {
  const found = busy().dropped.find(({ name }) => name === '/status')
  return [{ input: 'a status that changes', output: found?.why ?? 'a candidate' }]
}

/** B9, B11: the queries decide where a container has many physical partitions. */
export async function queriesDecide(): Promise<Shown[]> {
  const asked = ['/id', '/vin'].map((name) => {
    const { queries } = candidateOf(busy(), name)
    return { input: `queries by vin, with the key ${name}`, output: queries[0].kind }
  })
  return [...asked, { input: 'the verdict', output: busy().verdict.candidate ?? '' }]
}

/** B11: storage or throughput decides how many physical partitions there are. */
export async function manyPartitions(): Promise<Shown[]> {
  const { partitions, candidates } = busy()
  return [
    { input: '3,024 GB', output: `${Math.ceil((partitions?.gb ?? 0) / 40)} physical partitions at least` },
    { input: 'the present load', output: `${candidates[0].physicalPartitions} physical partitions` }
  ]
}

/** B10: in a small container the key does not matter for load. */
export async function small(): Promise<Shown[]> {
  const { verdict } = planned(trips(500), { writes: '5/s', items: 500, ttl: 'never', queries: ['vin @ 5/s'] })
  return [{ input: '500 trips, 5 writes and 5 queries a second', output: verdict.sentence }]
}

/** B12: the id is a candidate. */
export async function idProposed(): Promise<Shown[]> {
  const { plan, queries } = candidateOf(busy(), '/id')
  return [
    { input: 'reads by id, with the key /id', output: `${queries[1].kind} read, ${plan === null ? 'no' : 'a'} plan` }
  ]
}

/** B13: costs of the id as the key. */
export async function costsOfId(): Promise<Shown[]> {
  const { queries, warnings, monthlyPrice } = candidateOf(busy(), '/id')
  const more = (monthlyPrice ?? 0) / (candidateOf(busy(), '/vin').monthlyPrice ?? 1)
  return [
    { input: 'queries by vin, with the key /id', output: `${queries[0].ranges} physical partitions` },
    { input: 'the price', output: more > 1.03 ? 'more than with the key /vin' : 'no more than with the key /vin' },
    { input: 'what else it costs', output: warnings.join(' ') }
  ]
}
