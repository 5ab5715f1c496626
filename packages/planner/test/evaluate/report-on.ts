import type { Candidate, PlanReport, Workload } from '../../src/index.ts'
import {
  createProfiler,
  createRandom,
  createReport,
  discoverFields,
  expectedSize,
  proposeCandidates,
  refineCandidates,
  timeConcentration
} from '../../src/index.ts'

export const NOW = Date.UTC(2026, 0, 1)
const INDEXED_VALUES = 6
const encoder = new TextEncoder()
const random = (): (() => number) => createRandom(1)

/** The report on records; they are all of the data, unless the workload says that there are more. */
export function reportOn(records: readonly object[], workload: Workload): PlanReport {
  const fields = discoverFields(records)
  const { candidates: base, lookups, dropped } = proposeCandidates(fields, workload)
  const { timeField, transactions, queries, changingFields } = workload
  const count = (candidates: readonly Candidate[]) => {
    const profiler = createProfiler({ fields, timeField, transactions, candidates, random: random() })
    for (const record of records) profiler.add(encoder.encode(JSON.stringify(record)))
    return profiler.finish()
  }
  const first = count(base)
  const shape = { itemBytes: workload.itemBytes ?? first.bytes / first.records, indexedValues: INDEXED_VALUES }
  const { gb, partitions } = expectedSize(workload, shape, base[0])
  const counted = base.map((candidate, number) => {
    const concentration = timeConcentration(first.reservoir, number, random)(partitions)
    return { candidate, profile: first.keys[number]!, concentration }
  })
  const refined = refineCandidates(counted, { fields, queries, changingFields, partitions, gb })
  const candidates = [...base, ...refined, ...lookups]
  return createReport({
    candidates,
    dropped,
    sample: count(candidates),
    basis: { method: 'whole', population: workload.items ?? records.length },
    workload,
    indexedValues: INDEXED_VALUES,
    seed: 1,
    nowMs: NOW
  })
}
