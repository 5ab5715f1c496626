import { writeFile } from 'node:fs/promises'
import type { PlanDefinition } from '@keystamp/core'
import { systemReason } from '@keystamp/files'
import { planCandidate, type PlanReport, type Workload } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { readPlanDefinition } from '../plan/read-plan.ts'
import { createTextLayout } from '../terminal/text-layout.ts'
import { chooseKey } from './choose-key.ts'
import { openSample } from './open-sample.ts'
import { minUsableOf, type PlanCommandOptions, readWorkload, seedOf } from './plan-options.ts'
import { describeReport, reportJson } from './report-text.ts'

/** Runs `keystamp plan`. */
export async function planCommand(
  files: readonly string[],
  options: PlanCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const [stated, seed, minUsable] = [await readWorkload(options), seedOf(options), minUsableOf(options)]
  const paths = [...(options.check === undefined ? [] : [options.check]), ...options.compare]
  const given = await Promise.all(paths.map(async (path) => planCandidate(path, await readPlanDefinition(path))))
  const onProgress = progressOf(options, dependencies)
  const { batches, method, known = {} } = await openSample(files, options, seed, dependencies, onProgress)
  const workload = completed(stated, known)
  const report = await chooseKey(batches, {
    workload,
    seed,
    given,
    method,
    nowMs: Date.now(),
    showValues: options.showValues === true,
    onProgress
  })
  if (report.sample.records === 0)
    throw new UsageError('The sample has no record, so there is nothing to choose a key from.')
  dependencies.stdout.write(
    options.json === true ? reportJson(report) : describeReport(report, createTextLayout(dependencies))
  )
  if (options.write !== undefined) await writePlan(options.write, report, dependencies)
  return options.check === undefined ? codeOf(report) : checkedCode(report, options.check, minUsable, dependencies)
}

/** The workload with facts of its container, where the user has said nothing. */
function completed(stated: Workload, known: Partial<Workload>): Workload {
  const { items, totalBytes } = stated
  return {
    ...stated,
    items: items ?? (totalBytes === undefined ? known.items : undefined),
    ttlSeconds: stated.ttlSeconds ?? known.ttlSeconds,
    presentKey: stated.presentKey ?? known.presentKey
  }
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
    stderr.write(`\r\u001b[K${records.toLocaleString('en-US')} records, ${(bytes / 1e6).toFixed(0)} MB read`)
  }
}

async function writePlan(path: string, report: PlanReport, { stderr }: Dependencies): Promise<void> {
  const plan: PlanDefinition | null = report.recipe?.plan ?? null
  if (plan === null) {
    stderr.write(`keystamp: ${path} is not written: the verdict needs no key plan.\n`)
    return
  }
  try {
    await writeFile(path, `${JSON.stringify(plan, null, 2)}\n`)
  } catch (error) {
    throw new UsageError(`The key plan ${path} cannot be written: ${systemReason(error)}.`)
  }
}

function codeOf({ verdict }: PlanReport): ExitCode {
  if (verdict.kind !== 'unknown') return EXIT_CODES.ok
  return verdict.candidate === null ? EXIT_CODES.notMet : EXIT_CODES.undecided
}

/** 4 only if even the upper bound is below the limit; 5 if the limit lies inside of the interval. */
function checkedCode(report: PlanReport, path: string, minUsable: number, { stderr }: Dependencies): ExitCode {
  const share = report.candidates.find(({ name }) => name === path)?.usableShare ?? null
  if (share === null) {
    stderr.write(`keystamp: what ${path} can use of the RU/s is unknown from this sample.\n`)
    return EXIT_CODES.undecided
  }
  const asked = `${Math.round(minUsable * 100)} %`
  const found = `${Math.round(share.low * 100)} to ${Math.round(share.high * 100)} %`
  if (share.high < minUsable) {
    stderr.write(`keystamp: ${path} can use ${found} of the RU/s, below ${asked}.\n`)
    return EXIT_CODES.notMet
  }
  if (share.low < minUsable) {
    stderr.write(
      `keystamp: ${path} can use ${found} of the RU/s: this sample does not tell whether that is ${asked}. Take a larger one.\n`
    )
    return EXIT_CODES.undecided
  }
  return EXIT_CODES.ok
}
