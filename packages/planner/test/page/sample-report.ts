import {
  createProfiler,
  createRandom,
  createReport,
  discoverFields,
  parseWorkload,
  type PlanReport,
  proposeCandidates
} from '../../src/index.ts'

/** The report on a sample of telemetry whose fields have names that are dangerous in HTML. */
export function sampleReport({ showValues = false } = {}): PlanReport {
  const random = createRandom(3)
  const records = Array.from({ length: 3000 }, (_, index) => ({
    id: `r-${index}`,
    [DANGEROUS_FIELD]: `</script><img src=x> ${Math.floor(random() ** 2 * 400)}`,
    at: new Date(Date.UTC(2026, 0, 1) + index * 100).toISOString()
  }))
  const workload = parseWorkload({ writes: '4000/s', ttl: '6h', itemSize: '1KB', timeField: 'at' })
  const fields = discoverFields(records)
  const { candidates, dropped } = proposeCandidates(fields, workload)
  const profiler = createProfiler({ fields, candidates, timeField: '/at', transactions: [], random })
  for (const record of records) profiler.add(new TextEncoder().encode(JSON.stringify(record)))
  return createReport({
    candidates,
    dropped,
    sample: profiler.finish(),
    basis: { method: 'whole', population: null },
    workload,
    indexedValues: 3,
    seed: 1,
    nowMs: Date.UTC(2026, 0, 1),
    showValues
  })
}

export const DANGEROUS_FIELD = '<!--"><script>'
