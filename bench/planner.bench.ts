import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const question =
  'What does profiling a record for 25 candidate keys cost, and does the memory stay within limits?'

const CHILD = fileURLToPath(new URL('./planner/child.js', import.meta.url))
const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 5)
const SIZES = (process.env['KEYSTAMP_BENCH_RECORDS'] ?? '100000,1000000,10000000').split(',').map(Number)

interface Result {
  readonly micros: number
  readonly finishMs: number
  readonly modelMs: number
  readonly residentMb: number
  readonly paths: number
  readonly exact: number
}

/** Records of 1 KB with 30 paths, made one by one; each size in processes of its own, and the median of them. */
export async function run(report: (line: string) => void): Promise<void> {
  for (const records of SIZES) {
    const rounds = records > 1_000_000 ? 1 : ROUNDS
    const results = Array.from({ length: rounds }, () => measure(records)).toSorted((a, b) => a.micros - b.micros)
    const { micros, finishMs, modelMs, paths, exact } = results[rounds >> 1]
    const resident = Math.max(...results.map(({ residentMb }) => residentMb))
    const count = records.toLocaleString('en').padStart(10)
    report(
      `  ${count} records, ${paths} paths, 25 candidates (${exact} exact): ${micros.toFixed(1)} us of CPU a record, at most ${resident.toFixed(0)} MB`
    )
    report(
      `  ${''.padStart(10)} then ${finishMs.toFixed(0)} ms for the counts and ${modelMs.toFixed(0)} ms for 25 usable shares`
    )
  }
}

function measure(records: number): Result {
  return JSON.parse(execFileSync(process.execPath, [CHILD, String(records)], { encoding: 'utf8' })) as Result
}
