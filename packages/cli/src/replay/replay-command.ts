import {
  type JournalOwner,
  type Log,
  openReplay,
  openReplayJournal,
  readReplayJournal,
  type ReplayFilter,
  type ServiceSettings,
  type SinkSettings
} from '@keystamp/connector'
import { toFieldPointer } from '@keystamp/core/internal'
import type { IdSource } from '@keystamp/load'
import { formatCount, parseDuration } from '@keystamp/planner'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { checkPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import { isConfirmed, toCount, toShare } from '../shared-options.ts'
import { readSettings } from '../sink/read-settings.ts'
import { describeFound, describeResult, plural, type ShownReplay, sumOf, toJson } from './replay-text.ts'

/** Options of `keystamp replay`. */
export interface ReplayCommandOptions extends PlanOptions {
  readonly config?: string
  readonly to?: string
  readonly strategy?: string
  readonly newerBy?: string
  readonly id?: string
  readonly share?: string
  readonly sink?: string
  readonly journal?: string
  readonly since?: string
  readonly until?: string
  readonly code?: readonly string[]
  readonly topic?: string
  readonly partition?: string
  readonly offset?: string
  readonly key?: string
  readonly dryRun?: boolean
  readonly yes?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** Replays dead letters, or rejected records of files: reads them, shows what matches, asks, and writes them. */
export async function replayCommand(
  files: readonly string[],
  options: ReplayCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { config, to, yes } = options
  const isDryRun = options.dryRun === true
  if (config === undefined && to === undefined)
    throw new UsageError(
      'Name the configuration of the sink: --config sink.yaml. For rejected records of `keystamp load` or `keystamp stamp`, name the container: --to.'
    )
  if (config !== undefined && to !== undefined)
    throw new UsageError(
      'Give either --config, for the dead letters of a sink, or --to, for rejected records of files.'
    )
  if (!isDryRun && yes !== true && dependencies.stdin.isTTY !== true)
    throw new UsageError('The replay asks before it writes, and standard input is no terminal: add --yes or --dry-run.')
  const replay = await (config === undefined
    ? openFileReplay(files, options, dependencies)
    : openSinkReplay(files, { ...options, config }, dependencies))
  try {
    return await showAndRun(replay, options, dependencies)
  } finally {
    replay.close()
  }
}

/** Opens a replay of the dead letters of a sink. */
async function openSinkReplay(
  files: readonly string[],
  options: ReplayCommandOptions & { readonly config: string },
  dependencies: Dependencies
): Promise<ShownReplay> {
  const { stderr, signal } = dependencies
  const stray = FILE_OPTIONS.find((name) => options[name] !== undefined)
  if (stray !== undefined)
    throw new UsageError(
      `--${inKebab(stray)} is for rejected records of files, with --to. The configuration of a sink has its own settings.`
    )
  const filter = readFilter(options, Date.now())
  const settings = chooseSink(await readSettings(options.config, dependencies), options)
  const journal = options.journal ?? `${settings.name}.replay`
  const isDryRun = options.dryRun === true
  const log = createStderrLog(stderr)
  return {
    ...(await openReplay({ settings, filter, files, journal, isDryRun, log, signal })),
    noun: 'dead letter',
    isDryRun
  }
}

const FILE_OPTIONS = [
  'plan',
  'from',
  'into',
  'separator',
  'suffix',
  'by',
  'labels',
  'id',
  'strategy',
  'newerBy',
  'share'
] as const

function inKebab(name: string): string {
  return name.replace('newerBy', 'newer-by')
}

/** Opens a replay of rejected records of `keystamp load` and `keystamp stamp`. */
async function openFileReplay(
  files: readonly string[],
  options: ReplayCommandOptions,
  { env, signal }: Pick<Dependencies, 'env' | 'signal'>
): Promise<ShownReplay> {
  checkOptions(files, options)
  const [{ openRejectedReplay }, { findInputs }, { findCredentials, parseTarget }, { readPlan }] = await Promise.all([
    import('@keystamp/load'),
    import('@keystamp/files'),
    import('../load/target.ts'),
    import('../plan/read-plan.ts')
  ])
  const { plan, from, id, newerBy, share, code } = options
  const target = parseTarget(options.to, env)
  const { endpoint, database, container } = target
  const isDryRun = options.dryRun === true
  const folder = options.journal ?? `${database}.${container}.replay`
  const owner: JournalOwner = { sink: undefined, target: `${new URL(endpoint).origin}/${database}/${container}` }
  const hasPlan = plan !== undefined || from !== undefined
  const known = readReplayJournal(folder, owner)
  const replay = await openRejectedReplay({
    inputs: await findInputs(files),
    ...(hasPlan ? { plan: await readPlan(options, { requireId: true }) } : {}),
    id: id as IdSource | undefined,
    ...(newerBy === undefined ? {} : { newerBy: toFieldPointer(newerBy) }),
    ...(share === undefined ? {} : { share: toShare(share) }),
    codes: code,
    isReplayed: (mark) => known.has(mark),
    endpoint,
    database,
    container,
    ...(await findCredentials(target, env)),
    signal
  })
  return {
    counts: { ...replay.counts, ofOthers: 0 },
    by: newerBy === undefined ? 'create' : 'newest',
    run: async (onProgress) => {
      const journal = openReplayJournal(folder, owner)
      try {
        return { ...(await replay.run(journal, onProgress)), ignored: 0, refused: new Map() }
      } finally {
        journal.close()
      }
    },
    close: () => {},
    noun: 'rejected record',
    isDryRun
  }
}

function checkOptions(files: readonly string[], options: ReplayCommandOptions): void {
  const stray = SINK_OPTIONS.find((name) => options[name] !== undefined)
  if (stray !== undefined)
    throw new UsageError(`--${stray} needs --config: rejected records of files have no topic, no offset and no time.`)
  if (files.length === 0) throw new UsageError('Name the files of rejected records.')
  checkPlanOptions(options)
  const { strategy, newerBy } = options
  if (strategy !== undefined && strategy !== 'append')
    throw new UsageError(
      `--strategy must be append for a replay, not "${strategy}": others could replace something newer.`
    )
  if ((strategy === undefined) === (newerBy === undefined))
    throw new UsageError(
      'A replayed record could replace something newer. Give --newer-by and a field such as /updatedAt, by which records and stored documents are compared; or --strategy append, with which each document that exists stays.'
    )
}

const SINK_OPTIONS = ['sink', 'since', 'until', 'topic', 'partition', 'offset', 'key'] as const

async function showAndRun(
  replay: ShownReplay,
  options: ReplayCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { stdout, stderr, signal } = dependencies
  const { counts, isDryRun } = replay
  const matched = sumOf(counts.matched)
  if (options.json !== true) stdout.write(describeFound(replay))
  const isRun =
    !isDryRun &&
    matched > 0 &&
    (options.yes === true || (await isConfirmed(`Replay ${plural(matched, replay.noun)}?`, dependencies)))
  if (!isRun) {
    if (options.json === true) stdout.write(toJson(replay, undefined))
    const isNothingOpen = counts.refused.size === 0 && (isDryRun || matched === 0)
    return isNothingOpen ? EXIT_CODES.ok : EXIT_CODES.notMet
  }
  const result = await replay.run((done) => {
    if (options.quiet !== true) stderr.write(`keystamp: ${formatCount(done)} of ${formatCount(matched)} replayed.\n`)
  })
  stdout.write(options.json === true ? toJson(replay, result) : describeResult(result))
  if (signal.aborted) {
    stderr.write(`keystamp: interrupted; ${result.open} are left. Run the same command again to replay them.\n`)
    return EXIT_CODES.interrupted
  }
  const isAll = counts.refused.size + result.rejected.size + result.refused.size + result.open === 0
  return isAll ? EXIT_CODES.ok : EXIT_CODES.notMet
}

function chooseSink({ sinks }: ServiceSettings, { config, sink }: ReplayCommandOptions): SinkSettings {
  const names = sinks.map(({ name }) => name).join(', ')
  if (sink === undefined && sinks.length > 1)
    throw new UsageError(`${config} has ${sinks.length} sinks. Name one of them with --sink: ${names}.`)
  const found = sink === undefined ? sinks[0] : sinks.find(({ name }) => name === sink)
  if (found === undefined) throw new UsageError(`${config} has no sink with the name "${sink}", only: ${names}.`)
  return found
}

/** Prints waits and retries, which are warnings. */
function createStderrLog(stderr: NodeJS.WritableStream): Log {
  const print = (_fields: object, sentence: string): void => void stderr.write(`keystamp: ${sentence}\n`)
  return { info: () => {}, warn: print, error: print }
}

/** Reads the filters. Throws a UsageError. */
function readFilter(
  { since, until, code, topic, partition, offset, key }: ReplayCommandOptions,
  nowMs: number
): ReplayFilter {
  const offsets = offset === undefined ? undefined : parseOffsets(offset)
  const filter = {
    sinceMs: since === undefined ? undefined : parseTime('--since', since, nowMs),
    untilMs: until === undefined ? undefined : parseTime('--until', until, nowMs),
    codes: code,
    topic,
    partition: partition === undefined ? undefined : toCount('--partition', partition),
    fromOffset: offsets?.from,
    toOffset: offsets?.to,
    key
  }
  if (filter.sinceMs !== undefined && filter.untilMs !== undefined && filter.sinceMs >= filter.untilMs)
    throw new UsageError('--until must be later than --since.')
  return filter
}

function parseOffsets(text: string): { readonly from: number; readonly to: number | undefined } {
  const [, from, to] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? []
  if (from === undefined)
    throw new UsageError(`--offset must be an offset such as 1200, or a range such as 1200-1300, not "${text}".`)
  if (to !== undefined && Number(to) < Number(from))
    throw new UsageError(`--offset must begin with the smaller offset, not "${text}".`)
  return { from: Number(from), to: to === undefined ? Number(from) : Number(to) }
}

/** A time such as 2026-11-20T08:00Z, or a duration before now. */
function parseTime(name: string, text: string, nowMs: number): number {
  const age = parseDuration(text)
  if (age.ok) return nowMs - age.value * 1000
  const ms = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms))
    throw new UsageError(
      `${name} must be a time with its zone such as 2026-11-20T08:00Z, or a duration before now such as 2h, not "${text}".`
    )
  return ms
}

// without a zone, the time would depend on the machine
const ISO_TIME = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/
