import { parseDuration, parseRu, type Workload } from '@keystamp/planner'
import { UsageError } from '../exit-codes.ts'
import { readWorkload } from '../planner/plan-options.ts'
import { toCount } from '../shared-options.ts'

/** Options of `keystamp xray`. */
export interface XrayCommandOptions {
  readonly since?: string
  readonly maxRu?: string
  readonly sample?: string
  readonly seed?: string
  readonly workload?: string
  readonly query: readonly string[]
  readonly logExport: readonly string[]
  readonly showValues?: boolean
  readonly json?: boolean
  readonly html?: string
  readonly report?: string
  readonly quiet?: boolean
}

/** Options with their defaults, checked before anything is sent. */
export interface XraySettings {
  readonly sinceSeconds: number
  readonly maxRuPerSecond: number
  readonly documents: number
  readonly seed: number
  readonly workload: Workload
}

const DEFAULT_SINCE_SECONDS = 15 * 60
const MIN_SINCE_SECONDS = 10
const MAX_SINCE_SECONDS = 7 * 86_400
const DEFAULT_MAX_RU = 500
const MIN_MAX_RU = 20
const DEFAULT_DOCUMENTS = 5000
const DEFAULT_SEED = 1

/** The given options that say what to read, and how. */
export function readingOptionsIn(options: XrayCommandOptions): readonly string[] {
  const { since, maxRu, sample, seed, workload, query, logExport, showValues } = options
  const given = {
    '--since': since,
    '--max-ru': maxRu,
    '--sample': sample,
    '--seed': seed,
    '--workload': workload,
    '--query': query[0],
    '--log-export': logExport[0],
    '--show-values': showValues
  }
  return Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

/** Reads and checks the options. `logged`: queries of a log export. */
export async function readXraySettings(options: XrayCommandOptions, logged: readonly string[]): Promise<XraySettings> {
  const { workload, query } = options
  return {
    sinceSeconds: sinceOf(options),
    maxRuPerSecond: maxRuOf(options),
    documents: documentsOf(options),
    seed: options.seed === undefined ? DEFAULT_SEED : toCount('--seed', options.seed),
    workload: await readWorkload(
      {
        ...(workload === undefined ? {} : { workload }),
        query,
        transaction: [],
        changes: [],
        field: [],
        compare: []
      },
      logged
    )
  }
}

function sinceOf({ since }: XrayCommandOptions): number {
  if (since === undefined) return DEFAULT_SINCE_SECONDS
  const age = parseDuration(since)
  if (!age.ok) throw new UsageError(`--since ${age.reason}.`)
  if (age.value < MIN_SINCE_SECONDS || age.value > MAX_SINCE_SECONDS)
    throw new UsageError(`--since takes a time from 10s to 7d, such as 15m, not "${since}".`)
  return Math.round(age.value)
}

function maxRuOf({ maxRu }: XrayCommandOptions): number {
  if (maxRu === undefined) return DEFAULT_MAX_RU
  const limit = parseRu(maxRu.replace(/\/s$/, ''))
  if (!limit.ok) throw new UsageError(`--max-ru ${limit.reason}.`)
  if (limit.value < MIN_MAX_RU)
    throw new UsageError(
      `--max-ru must be at least ${MIN_MAX_RU} RU/s, not "${maxRu}": a single request takes two to three RU.`
    )
  return limit.value
}

function documentsOf({ sample }: XrayCommandOptions): number {
  if (sample === undefined) return DEFAULT_DOCUMENTS
  const count = toCount('--sample', sample, 6)
  if (count < 100) throw new UsageError('--sample takes a number of documents from 100 on, such as 5000.')
  return count
}
