import {
  type Log,
  openReplay,
  type Replay,
  type ReplayFilter,
  type ServiceSettings,
  type SinkSettings
} from '@keystamp/connector'
import { formatCount, parseDuration } from '@keystamp/planner'
import { createInterface } from 'node:readline/promises'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, type ExitCode, UsageError } from '../exit-codes.ts'
import { toCount } from '../shared-options.ts'
import { readSettings } from '../sink/read-settings.ts'
import { describeFound, describeResult, plural, sumOf, toJson } from './replay-text.ts'

/** Options of `keystamp replay`. */
export interface ReplayCommandOptions {
  readonly config?: string
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

/** Replays dead letters: reads them, shows what matches, asks, and writes them. */
export async function replayCommand(
  files: readonly string[],
  options: ReplayCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { stdin, stdout, stderr, signal } = dependencies
  const isDryRun = options.dryRun === true
  if (options.config === undefined) throw new UsageError('Name the configuration of the sink: --config sink.yaml.')
  if (!isDryRun && options.yes !== true && stdin.isTTY !== true)
    throw new UsageError('The replay asks before it writes, and standard input is no terminal: add --yes or --dry-run.')
  const filter = readFilter(options, Date.now())
  const settings = chooseSink(await readSettings(options.config, dependencies), options)
  const journal = options.journal ?? `${settings.name}.replay`
  const log = createStderrLog(stderr)
  const replay = await openReplay({ settings, filter, files, journal, isDryRun, log, signal })
  try {
    return await showAndRun(replay)
  } finally {
    replay.close()
  }

  async function showAndRun({ counts, run }: Replay): Promise<ExitCode> {
    const matched = sumOf(counts.matched)
    if (options.json !== true) stdout.write(describeFound(replay, isDryRun))
    const isRun = !isDryRun && matched > 0 && (options.yes === true || (await isConfirmed(matched, dependencies)))
    if (!isRun) {
      if (options.json === true) stdout.write(toJson(replay, undefined))
      const isNothingOpen = counts.refused.size === 0 && (isDryRun || matched === 0)
      return isNothingOpen ? EXIT_CODES.ok : EXIT_CODES.notMet
    }
    const result = await run((done) => {
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
}

function chooseSink({ sinks }: ServiceSettings, { config, sink }: ReplayCommandOptions): SinkSettings {
  const names = sinks.map(({ name }) => name).join(', ')
  if (sink === undefined && sinks.length > 1)
    throw new UsageError(`${config} has ${sinks.length} sinks. Name one of them with --sink: ${names}.`)
  const found = sink === undefined ? sinks[0] : sinks.find(({ name }) => name === sink)
  if (found === undefined) throw new UsageError(`${config} has no sink with the name "${sink}", only: ${names}.`)
  return found
}

async function isConfirmed(
  matched: number,
  { stdin, stderr, signal }: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): Promise<boolean> {
  const asking = createInterface({ input: stdin, output: stderr })
  try {
    const answer = await asking.question(`Replay ${plural(matched, 'dead letter')}? (yes/no) `, { signal })
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    asking.close()
  }
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
