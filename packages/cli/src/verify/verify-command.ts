import {
  type Comparison,
  createVerification,
  hashOfIdentity,
  openMoveContainer,
  type OpenMoveContainer
} from '@keystamp/move'
import { type ContainerAccess, readContainerPair } from '../containers/container-access.ts'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { createTextLayout } from '../terminal/text-layout.ts'
import { checkCanAsk, confirmRepair, describeRepaired, repairDifferences } from './repair-differences.ts'
import { readVerifySettings, type VerifyCommandOptions, type VerifySettings } from './verify-options.ts'
import { startVerifyProgress } from './verify-progress.ts'
import { toVerifyReport, type VerifyReport } from './verify-report.ts'
import { describeVerify } from './verify-text.ts'

/** Runs `keystamp verify`. */
export async function verifyCommand(
  names: readonly [string | undefined, string | undefined],
  options: VerifyCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { env, stdout, stderr, signal } = dependencies
  if (names[1] === undefined)
    throw new UsageError('Name two containers: keystamp verify my-database/old my-database/new.')
  const settings = await readVerifySettings(options)
  if (options.repair === true) checkCanAsk(options.yes === true, dependencies)
  const accesses = await readContainerPair(names, 'verify', env)
  if (isSameContainer(accesses)) throw new UsageError('Both names are of the same container: name two.')
  const open: OpenMoveContainer[] = []
  try {
    for (const access of accesses) open.push(await openContainer(access, settings))
    const [source, target] = open
    const progress = startVerifyProgress(
      { containers: open, settleMs: settings.settleMs, isQuiet: options.quiet === true },
      dependencies
    )
    const { plan, keepIdIn, by, ignore, settleMs } = settings
    const onProgress = progress.show
    const verification = createVerification({
      source,
      target,
      plan,
      keepIdIn,
      by,
      ignore,
      settleMs,
      signal,
      onProgress
    })
    const comparison = await verification.compare().finally(progress.stop)
    const { differences } = comparison
    const report = reportOf(comparison, open, options)
    stdout.write(
      options.json === true
        ? `${JSON.stringify(report, null, 2)}\n`
        : describeVerify(report, createTextLayout(dependencies), options.repair === true)
    )
    if (options.repair !== true || differences.length === 0) return exitCodeOf(comparison)
    if (options.yes !== true && !(await confirmRepair(differences, target.name, dependencies))) {
      stderr.write('keystamp: nothing was written.\n')
      return EXIT_CODES.notMet
    }
    const repaired = await repairDifferences(differences, verification, signal)
    stderr.write(describeRepaired(repaired))
    if (repaired.isInterrupted) return EXIT_CODES.interrupted
    const isRepaired = repaired.counts.repaired === differences.length
    return isRepaired ? exitCodeOf({ ...comparison, differences: [] }) : EXIT_CODES.notMet
  } finally {
    await Promise.all(open.map((container) => container.close()))
  }
}

function openContainer(access: ContainerAccess, { share }: Pick<VerifySettings, 'share'>): Promise<OpenMoveContainer> {
  return openMoveContainer({ ...access, readShare: share, writeShare: share })
}

function isSameContainer([a, b]: readonly ContainerAccess[]): boolean {
  return a.endpoint === b.endpoint && a.database === b.database && a.container === b.container
}

function reportOf(
  comparison: Comparison,
  [a, b]: readonly OpenMoveContainer[],
  { showIds }: Pick<VerifyCommandOptions, 'showIds'>
): VerifyReport {
  const ruSpent = [a, b].reduce((sum, container) => sum + container.stats().reads.chargeRu, 0)
  return toVerifyReport(comparison, {
    a: a.name,
    b: b.name,
    ruSpent,
    showIds: showIds === true,
    hashOf: hashOfIdentity
  })
}

function exitCodeOf({ differences, unsettled, isComplete }: Comparison): ExitCode {
  if (differences.length > 0) return EXIT_CODES.notMet
  return unsettled.length > 0 || !isComplete ? EXIT_CODES.failed : EXIT_CODES.ok
}
