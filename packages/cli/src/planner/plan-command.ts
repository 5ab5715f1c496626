import {
  formatCount,
  formatMany,
  type LogExport,
  planCandidate,
  type PlanReport,
  type Workload
} from '@keystamp/planner'
import { isKeystampError } from '@keystamp/core'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { readPlanDefinition } from '../plan/read-plan.ts'
import { chooseKey } from './choose-key.ts'
import { keepRecords } from './measure/kept-records.ts'
import { measureSecondsOf, withMeasurement } from './measure/measure-report.ts'
import { describeLoggedUses, loggedQueries, readLogExports } from './log-export-file.ts'
import { RowThread } from './row-thread.ts'
import { openSample } from './open-sample.ts'
import { minUsableOf, type PlanCommandOptions, readWorkload, seedOf } from './plan-options.ts'
import { checkOutputs, writeReport } from './write-report.ts'

/** Runs `keystamp plan`. */
export async function planCommand(
  files: readonly string[],
  options: PlanCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  await checkOutputs(options)
  if (options.report !== undefined) return printSaved(options.report, files, options, dependencies)
  const log = await readLogExports(options.logExport ?? [], undefined, dependencies)
  const stated = await readWorkload(options, loggedQueries(log))
  if (log !== undefined && log.uses.length > 0 && options.quiet !== true)
    dependencies.stderr.write(`keystamp: the log export has ${describeLoggedUses(log)}.\n`)
  const [seed, minUsable] = [seedOf(options), minUsableOf(options)]
  const paths = [...(options.check === undefined ? [] : [options.check]), ...options.compare]
  const seconds = measureSecondsOf(options)
  const given = await Promise.all(paths.map(async (path) => planCandidate(path, await readPlanDefinition(path))))
  const onProgress = progressOf(options, dependencies)
  const { startReader } = dependencies
  let invalid = 0
  const { report, candidates, kept } = await asUsageErrors(async () => {
    const { batches, method, known = {} } = await openSample(files, options, seed, dependencies, onProgress)
    const keeper = seconds === undefined ? undefined : keepRecords(batches)
    const chosen = await chooseKey(keeper?.batches ?? batches, {
      workload: completed(stated, known),
      seed,
      given,
      method,
      nowMs: Date.now(),
      showValues: options.showValues === true,
      startThread: startReader && (() => new RowThread(startReader())),
      onProgress,
      onInvalid: (records) => (invalid = records)
    })
    return { ...chosen, kept: keeper?.kept() }
  })
  checkRecords(report, invalid, dependencies)
  const measurement = { candidates, given, kept, workload: stated, seconds, seed, isQuiet: options.quiet === true }
  const finished = await withMeasurement(withLog(report, log), measurement, dependencies)
  await writeReport(finished, options, dependencies)
  return options.check === undefined ? codeOf(report) : checkedCode(report, options.check, minUsable, dependencies)
}

/** The report with what the log export says about the present key. */
function withLog(report: PlanReport, log: LogExport | undefined): PlanReport {
  if (log === undefined || log.uses.length === 0) return report
  return { ...report, workload: [...report.workload, { name: 'log export', value: describeLoggedUses(log) }] }
}

/** Reports an input that cannot be read as a mistake in the command line, because nothing was written. */
async function asUsageErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const isInput = isKeystampError(error) && ['INPUT_INVALID', 'INPUT_UNREADABLE'].includes(error.code)
    throw isInput ? new UsageError(error.message) : error
  }
}

function checkRecords({ sample: { records } }: PlanReport, invalid: number, { stderr }: Dependencies): void {
  if (records === 0 && invalid > 0)
    throw new UsageError(
      `${invalid === 1 ? 'The record of the sample is not' : `None of the ${formatCount(invalid)} records of the sample is`} a JSON object. Write each record as a JSON object on its own line, in UTF-8. For CSV, add --csv; for an array, add --array.`
    )
  if (records === 0) throw new UsageError('The sample has no records: check that the input is not empty.')
  if (invalid > 0)
    stderr.write(
      `keystamp: warning: ${formatCount(invalid)} of ${formatMany(records + invalid, 'record')} ${invalid === 1 ? 'is no JSON object, and is ignored' : 'are not JSON objects, and are ignored'}.\n`
    )
}

/** Completes the workload with facts of the container, unless the user gives other ones. */
function completed(stated: Workload, known: Partial<Workload>): Workload {
  const { items, totalBytes } = stated
  return {
    ...stated,
    items: items ?? (totalBytes === undefined ? known.items : undefined),
    ttlSeconds: stated.ttlSeconds ?? known.ttlSeconds,
    presentKey: stated.presentKey ?? known.presentKey,
    presentContainer: stated.presentKey === undefined ? known.presentContainer : undefined
  }
}

/** Prints a saved report: the text and the page need only the report. */
async function printSaved(
  path: string,
  files: readonly string[],
  options: PlanCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  if (options.measure === true)
    throw new UsageError('--measure needs a sample, and a saved report has none: leave out --report or --measure.')
  const others = [...files, ...options.field, options.check, options.fromContainer, options.fromTopic].filter(
    (each) => each !== undefined
  )
  if (others.length > 0)
    throw new UsageError('--report prints a saved report and reads no sample: leave out the sample and --check.')
  // the schemas of reports take long to load
  const { readPlanReport } = await import('./saved-report.ts')
  const report = await readPlanReport(path)
  await writeReport(report, options, dependencies)
  return codeOf(report)
}

function progressOf(
  { quiet }: PlanCommandOptions,
  { stderr, now }: Dependencies
): (records: number, bytes: number) => void {
  if (quiet === true || stderr.isTTY !== true) return () => {}
  let next = now() + 500
  return (records, bytes) => {
    if (now() < next) return
    next = now() + 500
    stderr.write(`\r\u001b[K${formatMany(records, 'record')}, ${(bytes / 1e6).toFixed(0)} MB read`)
  }
}

function codeOf({ verdict }: PlanReport): ExitCode {
  if (verdict.kind !== 'unknown') return EXIT_CODES.ok
  return verdict.candidate === null ? EXIT_CODES.notMet : EXIT_CODES.undecided
}

/** Returns 4 if the upper bound is below the limit, and 5 if the limit is inside the interval. */
function checkedCode(report: PlanReport, path: string, minUsable: number, { stderr }: Dependencies): ExitCode {
  const checked = report.candidates.find(({ name }) => name === path)
  const share = checked?.usableShare ?? null
  if (share === null) {
    stderr.write(
      `keystamp: the usable share of the RU/s under ${path} is unknown. ${checked?.unknown['usableShare'] ?? 'No record of the sample has the key.'}\n`
    )
    return EXIT_CODES.undecided
  }
  const required = `${Math.round(minUsable * 100)} %`
  const [low, high] = [share.low, share.high].map((bound) => Math.round(bound * 100))
  const found = low === high ? `${low} %` : `${low} to ${high} %`
  if (share.high < minUsable) {
    stderr.write(
      `keystamp: under ${path}, the load can use ${found} of the RU/s, which is less than --min-usable (${required}).\n`
    )
    return EXIT_CODES.notMet
  }
  if (share.low < minUsable) {
    stderr.write(
      `keystamp: under ${path}, the load can use ${found} of the RU/s. This interval contains --min-usable (${required}): use a larger sample.\n`
    )
    return EXIT_CODES.undecided
  }
  return EXIT_CODES.ok
}
