import type { PlanDefinition } from '@keystamp/core'
import type { Share } from '@keystamp/cosmos'
import { parseDuration, parseRu } from '@keystamp/planner'
import { UsageError } from '../exit-codes.ts'
import { readPlanDefinition } from '../plan/read-plan.ts'

/** Options of `keystamp verify`. */
export interface VerifyCommandOptions {
  readonly plan?: string
  readonly keepIdIn?: string
  readonly by?: string
  readonly ignore: readonly string[]
  readonly maxRu?: string
  readonly settle?: string
  readonly json?: boolean
  readonly showIds?: boolean
  readonly repair?: boolean
  readonly yes?: boolean
  readonly quiet?: boolean
}

/** Options with their defaults, checked before anything is sent. */
export interface VerifySettings {
  readonly plan: PlanDefinition | undefined
  readonly keepIdIn: string | undefined
  readonly by: readonly string[] | undefined
  readonly ignore: readonly string[]
  /** For each of the two containers. */
  readonly share: Share
  readonly settleMs: number
}

const DEFAULT_MAX_RU = 1000
const MIN_MAX_RU = 20
const DEFAULT_SETTLE_MS = 10_000
const MAX_SETTLE_SECONDS = 3600

/** Reads and checks the options. */
export async function readVerifySettings(options: VerifyCommandOptions): Promise<VerifySettings> {
  const { plan, keepIdIn, by, ignore, yes, repair } = options
  if (yes === true && repair !== true) throw new UsageError('--yes answers the question of --repair: add --repair.')
  if (keepIdIn !== undefined && plan === undefined)
    throw new UsageError('--keep-id-in is for a plan that makes new ids: name the plan with --plan.')
  return {
    plan: plan === undefined ? undefined : await readPlanDefinition(plan),
    keepIdIn,
    by: by?.split(',').map((pointer) => pointer.trim()),
    ignore,
    share: shareOf(options),
    settleMs: settleOf(options)
  }
}

function shareOf({ maxRu }: VerifyCommandOptions): Share {
  if (maxRu === undefined) return DEFAULT_MAX_RU
  if (/^\d+(?:\.\d+)?%$/.test(maxRu)) {
    const percent = Number(maxRu.slice(0, -1))
    if (percent > 0 && percent <= 100) return maxRu as Share
    throw new UsageError(`--max-ru takes a percentage above 0% and up to 100%, not "${maxRu}".`)
  }
  const limit = parseRu(maxRu.replace(/\/s$/, ''))
  if (!limit.ok) throw new UsageError(`--max-ru ${limit.reason}.`)
  if (limit.value < MIN_MAX_RU)
    throw new UsageError(
      `--max-ru must be at least ${MIN_MAX_RU} RU/s, not "${maxRu}": a single page of documents takes several RU.`
    )
  return limit.value
}

function settleOf({ settle }: VerifyCommandOptions): number {
  if (settle === undefined) return DEFAULT_SETTLE_MS
  const time = parseDuration(settle)
  if (!time.ok) throw new UsageError(`--settle ${time.reason}.`)
  if (time.value > MAX_SETTLE_SECONDS) throw new UsageError(`--settle takes a time up to 1h, not "${settle}".`)
  return time.value * 1000
}
