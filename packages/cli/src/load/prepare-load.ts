import type { Plan } from '@keystamp/core'
import type { Share, WriteStrategy } from '@keystamp/cosmos'
import { toForm } from '../input-form.ts'
import { checkPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import { readPlan } from '../plan/read-plan.ts'
import { toRecordBytes } from '../to-count.ts'
import { UsageError } from '../usage-error.ts'
import { describeInputs, type InputFile } from './describe-inputs.ts'
import { inputId, parseIdConverter, parseIdMaker } from './make-id.ts'
import { formOf, type ReadFormat } from './read-input.ts'
import type { IdSources } from './shape-line.ts'
import { parseTarget, type Target } from './target.ts'

/** The options of `keystamp load` beside the plan's. */
export interface LoadSettings {
  readonly to?: string
  readonly strategy: string
  readonly id?: string
  readonly array?: boolean
  readonly pick?: string
  readonly csv?: boolean
  readonly delimiter?: string
  readonly maxRecordBytes?: string
  readonly share: string
  readonly redis?: string
  readonly checkpoint?: string | false
  readonly onError: string
  readonly maxRejected?: string
  readonly allowDuplicates?: boolean
  readonly dryRun?: boolean
  readonly progress?: string
  readonly quiet?: boolean
}

/** Everything about a load that is known before anything is sent. */
export interface PreparedLoad {
  readonly settings: LoadSettings
  readonly target: Target
  readonly plan: Plan | undefined
  readonly ids: IdSources
  readonly strategy: WriteStrategy
  readonly share: Share
  readonly format: ReadFormat
  readonly inputs: readonly InputFile[]
}

/** Checks the options and reads the plan. */
export async function prepareLoad(
  names: readonly string[],
  settings: PlanOptions & LoadSettings,
  env: Readonly<Record<string, string | undefined>>
): Promise<PreparedLoad> {
  const target = parseTarget(settings.to, env)
  checkRedis(settings.redis)
  const ids = { make: parseIdMaker(settings.id), convert: parseIdConverter(settings.id) }
  checkPlanOptions(settings)
  const hasPlan = settings.plan !== undefined || settings.from !== undefined
  const plan = hasPlan ? await readPlan(settings, { requireId: true }) : undefined
  const isRandom = plan?.warnings.some(({ code }) => code === 'RANDOM_SUFFIX') === true
  if (isRandom && settings.allowDuplicates !== true && settings.dryRun !== true) {
    throw new UsageError(
      'The plan draws suffixes at random: a load that is resumed would store records a second time, under other keys. ' +
        'Compute the suffix from a field, or say --allow-duplicates.'
    )
  }
  if (settings.id === 'position' && new Set(names.map(inputId)).size < names.length) {
    throw new UsageError('Two inputs would give the same ids by position: their names differ in characters only that an id cannot hold.')
  }
  return {
    settings,
    target,
    plan,
    ids,
    strategy: toStrategy(settings.strategy),
    share: toShare(settings.share),
    format: toFormat(names, settings),
    inputs: await describeInputs(names)
  }
}

// the address may hold a password, so the message does not repeat it
function checkRedis(address: string | undefined): void {
  if (address === undefined || (/^rediss?:\/\/./.test(address) && URL.canParse(address))) return
  throw new UsageError('--redis takes the address of a Redis, such as redis://localhost:6379.')
}

// Cosmos DB itself stores up to 2 MB
const DEFAULT_MAX_RECORD_BYTES = 8 << 20

function toFormat(names: readonly string[], { array, pick, csv, delimiter, maxRecordBytes }: LoadSettings): ReadFormat {
  const { form } = toForm({ array, pick, csv })
  if (delimiter !== undefined && !names.some((name) => formOf(name, { form }) === 'csv')) {
    throw new UsageError('--delimiter goes with CSV: --csv, or names that end in .csv.')
  }
  const most = maxRecordBytes === undefined ? DEFAULT_MAX_RECORD_BYTES : toRecordBytes(maxRecordBytes)
  return { form, pick, delimiter, maxRecordBytes: most }
}

const STRATEGIES: readonly string[] = [
  'overwrite',
  'append',
  'overwriteIfNotModified',
  'delete',
  'deleteIfNotModified'
] satisfies WriteStrategy[]

function toStrategy(text: string): WriteStrategy {
  if (STRATEGIES.includes(text)) return text as WriteStrategy
  throw new UsageError(`--strategy takes ${STRATEGIES.join(', ')}, not "${text}".`)
}

function toShare(text: string): Share {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (percent === '%' && Number(digits) > 0 && Number(digits) <= 100) return text as Share
  if (percent === '' && Number(digits) > 0) return Number(text)
  throw new UsageError(`--share must be a number of RU/s above 0, or a percentage above 0% and up to 100% such as 50%, not "${text}".`)
}
