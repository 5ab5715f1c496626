import { createContainer, type NewThroughput } from '@keystamp/cosmos'
import { checkMove, type MoveCheck } from '@keystamp/move'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { isConfirmed } from '../shared-options.ts'
import { createTextLayout } from '../terminal/text-layout.ts'
import { describeCheck } from './check-text.ts'
import { readMoveFacts } from './read-move-facts.ts'
import type { RekeyOptions, RekeySettings } from './rekey-options.ts'

/**
 * Checks a new move, prints what it can promise, asks for a confirmation where one is needed, and creates the target if
 * that was asked for. Returns the exit code if the move does not begin.
 */
export async function prepareMove(
  settings: RekeySettings,
  options: RekeyOptions,
  dependencies: Dependencies
): Promise<ExitCode | undefined> {
  const { stdout } = dependencies
  const check = await readCheck(settings, options, dependencies)
  const isDryRun = options.dryRun === true
  if (options.json === true && isDryRun) stdout.write(`${JSON.stringify(check, null, 2)}\n`)
  else stdout.write(describeCheck(check, createTextLayout(dependencies)))
  const isStopped = check.verdict.kind === 'stops'
  if (isDryRun || isStopped) return isStopped ? EXIT_CODES.notMet : EXIT_CODES.ok
  if (check.verdict.kind === 'needs confirmation' && !(await mayBegin(options, dependencies))) return EXIT_CODES.notMet
  if (!check.target.exists) await create(check, settings)
  return undefined
}

async function readCheck(
  { move, containers, shares }: RekeySettings,
  { create: creates, quiet }: RekeyOptions,
  { signal, stderr }: Dependencies
): Promise<MoveCheck> {
  const [source, target] = containers
  const [readShare, writeShare] = shares
  const facts = await readMoveFacts({
    source,
    target,
    plan: move.plan,
    keepIdIn: move.keepIdIn,
    options: {
      creates: creates === true,
      readShare,
      writeShare,
      ttl: move.ttl ?? 'remaining',
      readsVersions: move.deletes !== 'compare',
      isFenced: move.fence === true,
      sweeps: true,
      // a range may move to a machine that does not have the index
      keepsIndex: move.leases === undefined
    },
    signal,
    nowMs: Date.now(),
    onProgress: (what) => {
      if (quiet !== true && what !== '') stderr.write(`keystamp: ${what}\n`)
    }
  })
  return checkMove(facts)
}

/** Asks whether to begin. */
async function mayBegin({ yes }: RekeyOptions, dependencies: Dependencies): Promise<boolean> {
  if (yes === true) return true
  if (dependencies.stdin.isTTY !== true)
    throw new UsageError('The check needs a confirmation, and standard input is no terminal: read it, and add --yes.')
  return isConfirmed('Begin the move?', dependencies)
}

/** Creates the target with the partitions that it needs. */
async function create({ recipe, source }: MoveCheck, { containers: [, target] }: RekeySettings): Promise<void> {
  const { createRuPerSecond: ruPerSecond, json } = recipe
  const isAutoscale = source.throughput?.kind === 'autoscale'
  const throughput: NewThroughput | undefined =
    ruPerSecond === null ? undefined : isAutoscale ? { autoscaleMax: ruPerSecond } : { manual: ruPerSecond }
  await createContainer(target, JSON.parse(json) as Record<string, unknown>, throughput)
}
