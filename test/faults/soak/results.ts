import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { SinkResult } from '../sink/run-scenario.ts'

/** One run of a scenario: a line of the results file. */
export interface SoakRun {
  readonly scenario: string
  readonly seed: number
  /** Abbreviated commit of the work tree, followed by `+` if files were changed. */
  readonly commit: string
  readonly seconds: number
  /** `failed`: the judge found a violation. `broken`: the run threw an error or did not end. */
  readonly outcome: 'passed' | 'failed' | 'broken'
  /** Number of excused late requests, see `countLateRequests`. */
  readonly lateRequests: number
  /** The first violations, a sentence each. */
  readonly wrong: readonly string[]
}

/** A run that has no line in the results file yet. */
export type PlannedRun = Pick<SoakRun, 'scenario' | 'seed'>

/** Reads the runs of earlier calls. Skips a line that a crash cut off. */
export function readRuns(file: string): readonly SoakRun[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as SoakRun]
      } catch {
        return []
      }
    })
}

/** Appends one line. If the last line of the file was cut off, begins a new line first. */
export function appendRun(file: string, run: SoakRun): void {
  const isCutOff = existsSync(file) && !['', '\n'].includes(readFileSync(file, 'utf8').slice(-1))
  appendFileSync(file, `${isCutOff ? '\n' : ''}${JSON.stringify(run)}\n`)
}

/** Writes the logs of a failed run's sinks and the commits of their group into a folder next to the results file. */
export function keepFailedRun(
  file: string,
  {
    name,
    seed,
    wrong,
    result
  }: { readonly name: string; readonly seed: number; readonly wrong: readonly string[]; readonly result: FailedRun }
): void {
  const folder = `${file}.failed`
  mkdirSync(folder, { recursive: true })
  const logs = [...result.sinks].map(([sink, { output }]) => `--- ${sink}\n${output}`)
  const commits = result.commits.map((commit) => JSON.stringify(commit))
  writeFileSync(`${folder}/${name}-${seed}.log`, [...wrong, ...logs, '--- commits', ...commits, ''].join('\n'))
}

interface FailedRun {
  readonly sinks: ReadonlyMap<string, Pick<SinkResult, 'output'>>
  readonly commits: readonly unknown[]
}

/**
 * Seeds 1 to `runs` of each scenario, without the runs that have a line. Seed 1 of all scenarios comes before seed 2,
 * so that all scenarios advance together.
 */
export function planRuns(scenarios: readonly string[], runs: number, done: readonly SoakRun[]): readonly PlannedRun[] {
  const isDone = new Set(done.map(({ scenario, seed }) => `${scenario} ${seed}`))
  return Array.from({ length: runs }, (_, index) => index + 1).flatMap((seed) =>
    scenarios.filter((scenario) => !isDone.has(`${scenario} ${seed}`)).map((scenario) => ({ scenario, seed }))
  )
}

/** A table with a line for each scenario, and the violations of every run that did not pass. */
export function summarize(runs: readonly SoakRun[]): string {
  const rows = [...new Set(runs.map(({ scenario }) => scenario))].toSorted().map((scenario) => {
    const own = runs.filter((run) => run.scenario === scenario)
    const count = (outcome: SoakRun['outcome']): string => String(own.filter((run) => run.outcome === outcome).length)
    const seconds = own.map((run) => run.seconds).toSorted((one, other) => one - other)
    const late = own.reduce((sum, { lateRequests }) => sum + lateRequests, 0)
    return [
      scenario,
      String(own.length),
      count('passed'),
      count('failed'),
      count('broken'),
      String(late),
      seconds[Math.floor(seconds.length / 2)].toFixed(0),
      seconds.at(-1)!.toFixed(0)
    ]
  })
  const table = [['scenario', 'runs', 'passed', 'failed', 'broken', 'late requests', 'median s', 'longest s'], ...rows]
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)))
  const lines = table.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ')
  )
  const failures = runs
    .filter(({ outcome }) => outcome !== 'passed')
    .map(
      ({ scenario, seed, commit, outcome, wrong }) =>
        `${scenario}, seed ${seed}, commit ${commit}: ${outcome}: ${wrong.join('; ')}`
    )
  return [...lines, ...failures].join('\n')
}
