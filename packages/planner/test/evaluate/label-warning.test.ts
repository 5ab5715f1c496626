import { createHash } from 'node:crypto'
import { createPlan, type PlanDefinition, partitionHashHead } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { type Candidate, createRandom, createReport, discoverFields, parseWorkload } from '../../src/index.ts'
import { createProfiler, planCandidate, type PlanReport, renderPage, type SampleBasis } from '../../src/index.ts'

// without a load, a report has the figures of ten physical partitions
const PARTITIONS = 10
const COUNT = 6
const WARNING = /^Even labels are worse than numbered ones .* can use (\S+) % of the throughput, and (\S+) % with/

type Order = Readonly<Record<string, string>>

function ordersOf(tenants: readonly string[], count: number): readonly Order[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    tenant: tenants[index % tenants.length],
    order: `o-${index}`
  }))
}

function planOf(labels: 'even' | 'numbered', count: number): PlanDefinition {
  return { into: '/partitionKey', from: [{ field: '/tenant' }], suffix: { by: '/order', count, labels } }
}

function reportOf(candidate: Candidate, orders: readonly Order[], basis: Partial<SampleBasis> = {}): PlanReport {
  const profiler = createProfiler({
    fields: discoverFields(orders),
    candidates: [candidate],
    random: createRandom(1)
  })
  for (const order of orders) profiler.add(new TextEncoder().encode(JSON.stringify(order)))
  return createReport({
    candidates: [candidate],
    dropped: [],
    sample: profiler.finish(),
    basis: { method: 'whole', population: orders.length, ...basis },
    workload: parseWorkload({}),
    indexedValues: 2,
    seed: 1,
    nowMs: 0
  })
}

/** Usable percent of the throughput, counted with the keys that the plan writes. */
function usablePercent(plan: PlanDefinition, orders: readonly Order[]): number {
  const { stamp } = createPlan(plan)
  const counts = Array.from({ length: PARTITIONS }, () => 0)
  for (const order of orders) {
    const stamped = stamp({ ...order })
    if (!stamped.ok) throw new Error('no key')
    const head = partitionHashHead([stamped.record['partitionKey']], { kind: 'Hash', version: 2 })
    counts[Math.floor((head / 2 ** 30) * PARTITIONS)]++
  }
  return (100 * orders.length) / PARTITIONS / Math.max(...counts)
}

function warningsOf(report: PlanReport): readonly string[] {
  return report.candidates[0].warnings.filter((text) => WARNING.test(text))
}

describe('the warning about even labels', () => {
  it('is there for exactly those base keys that numbered labels spread better, and has the figures', () => {
    const rows = Array.from({ length: 60 }, (_, number) => {
      const orders = ordersOf([`tenant-${number}`], 2000)
      const percents = [usablePercent(planOf('even', COUNT), orders), usablePercent(planOf('numbered', COUNT), orders)]
      const [warning] = warningsOf(reportOf(planCandidate('the plan', planOf('even', COUNT)), orders))
      const said = WARNING.exec(warning ?? '')
        ?.slice(1)
        .map(Number)
      return { said, percents: percents[1] >= percents[0] + 1 ? percents.map(Math.round) : undefined }
    })

    expect(rows.map(({ said }) => said)).toEqual(rows.map(({ percents }) => percents))
    const better = rows.filter(({ percents }) => percents !== undefined).length
    console.log(`of 60 base keys, numbered labels are better for ${better}`)
    expect(better).toBeGreaterThan(2)
    expect(better).toBeLessThan(30)
  })

  it('is not there for many base keys, and not for numbered labels', () => {
    const many = ordersOf(
      Array.from({ length: 500 }, (_, index) => `tenant-${index}`),
      20_000
    )
    const one = ordersOf([loser()], 2000)

    expect(warningsOf(reportOf(planCandidate('even', planOf('even', COUNT)), many))).toEqual([])
    expect(warningsOf(reportOf(planCandidate('numbered', planOf('numbered', COUNT)), one))).toEqual([])
  })

  it('counts also the base keys of named values', () => {
    const tenant = loser()
    const suffix = { by: '/order', count: 1, labels: 'even', hot: { [tenant]: COUNT } } as const
    const hot = planCandidate('hot', { into: '/partitionKey', from: [{ field: '/tenant' }], suffix })
    const [level] = hot.levels
    const known = { ...hot, levels: [{ ...level, suffix: { ...level.suffix!, hot: [{ count: COUNT, share: 1 }] } }] }

    expect(warningsOf(reportOf(known, ordersOf([tenant], 2000)))).toHaveLength(1)
  })

  it('is there for a random sample only if the sample is large enough for the difference', () => {
    const candidate = planCandidate('even', planOf('even', COUNT))
    const basis = { method: 'uniform', population: 1e9 } as const

    expect(warningsOf(reportOf(candidate, ordersOf([loser()], 50), basis))).toEqual([])
    expect(warningsOf(reportOf(candidate, ordersOf([loser()], 20_000), basis))).toHaveLength(1)
  })

  it('is on the page', () => {
    const report = reportOf(planCandidate('even', planOf('even', COUNT)), ordersOf([loser()], 2000))
    const page = renderPage(report, { sha256: (text) => createHash('sha256').update(text).digest('base64') })

    expect(page).toContain('Even labels are worse than numbered ones for the base keys in the sample')
  })
})

/** A base key that numbered labels spread better by ten percentage points. */
function loser(): string {
  for (let number = 0; number < 1000; number++) {
    const orders = ordersOf([`tenant-${number}`], 2000)
    if (usablePercent(planOf('numbered', COUNT), orders) > usablePercent(planOf('even', COUNT), orders) + 10)
      return `tenant-${number}`
  }
  throw new Error('no such base key')
}
