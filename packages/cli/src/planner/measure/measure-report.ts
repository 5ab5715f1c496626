import type { Candidate, PlanReport, Workload } from '@keystamp/planner'
import type { Dependencies } from '../../dependencies.ts'
import { UsageError } from '../../exit-codes.ts'
import { toCount } from '../../shared-options.ts'
import type { PlanCommandOptions } from '../plan-options.ts'
import { findFinalists } from './finalists.ts'
import type { KeptRecords } from './kept-records.ts'

const DEFAULT_SECONDS = 20
const MAX_SECONDS = 100

/** Seconds to measure each key; undefined without `--measure`. */
export function measureSecondsOf({ measure, measureSeconds, field }: PlanCommandOptions): number | undefined {
  if (measure !== true) {
    if (measureSeconds === undefined) return undefined
    throw new UsageError('--measure-seconds needs --measure.')
  }
  if (field.length > 0)
    throw new UsageError(
      '--measure needs the records of a sample, but --field only describes fields: give files instead of --field.'
    )
  const seconds = measureSeconds === undefined ? DEFAULT_SECONDS : toCount('--measure-seconds', measureSeconds, 3)
  // the emulator keeps the use of the last 120 seconds
  if (seconds < 1 || seconds > MAX_SECONDS)
    throw new UsageError(`--measure-seconds must be from 1 to ${MAX_SECONDS}, not ${seconds}.`)
  return seconds
}

export interface MeasurementInput {
  readonly candidates: readonly Candidate[]
  /** Candidates of the user. */
  readonly given: readonly Candidate[]
  /** Undefined without a measurement. */
  readonly kept: KeptRecords | undefined
  readonly workload: Pick<Workload, 'queries'>
  readonly seconds: number | undefined
  readonly seed: number
  readonly isQuiet: boolean
}

/** Measures the best candidates in a local emulator if the options request it, and adds the figures to the report. */
export async function withMeasurement(
  report: PlanReport,
  { candidates, given, kept, workload, seconds, seed, isQuiet }: MeasurementInput,
  { stderr, signal }: Pick<Dependencies, 'stderr' | 'signal'>
): Promise<PlanReport> {
  if (kept === undefined || seconds === undefined) return report
  // writer and emulator take time and memory, which other reports do not need
  const { measureKeys } = await import('./measure-keys.ts')
  const isShown = !isQuiet && stderr.isTTY === true
  const { measured, failures } = await measureKeys(findFinalists(report, candidates, given), kept, {
    workload,
    seconds,
    seed,
    signal,
    onProgress: (line) => isShown && stderr.write(`\r\u001b[K${line}`)
  })
  if (isShown) stderr.write('\r\u001b[K')
  for (const failure of failures) stderr.write(`keystamp: ${failure}\n`)
  if (measured.length > 0) return { ...report, measured, unknown: withoutReason(report.unknown) }
  return { ...report, unknown: { ...report.unknown, measured: failures[0] ?? 'there is no candidate' } }
}

function withoutReason({ measured: _reason, ...others }: PlanReport['unknown']): PlanReport['unknown'] {
  return others
}
