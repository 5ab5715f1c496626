import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import type { IdSource, LoadEstimate, LoadOptions, LoadSummary } from '@keystamp/load'
import type { WriteStrategy } from '@keystamp/cosmos'
import type { Resumption } from '@keystamp/files'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode, UsageError } from '../exit-codes.ts'
import { inOptionNames } from '../report-error.ts'
import {
  emptyWarning,
  type FormOptions,
  MAX_REJECTED_HELP,
  parseRejectPolicy,
  announceStandardInput,
  toForm,
  toRecordBytes,
  toShare
} from '../shared-options.ts'
import { addPlanOptions, checkPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import { createProgressView } from '../progress/progress-view.ts'

interface LoadCommandOptions extends PlanOptions, FormOptions {
  readonly to?: string
  readonly strategy: string
  readonly id?: string
  readonly delimiter?: string
  readonly debezium?: boolean
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

/** Adds `keystamp load`, which writes files into a container. */
export function addLoad(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  addPlanOptions(
    program
      .command('load')
      .description('Write lines of JSON, CSV or JSON arrays into a container, within an RU budget; resumable.')
  )
    .argument('[files...]', 'files or globs; .gz and .zst are decompressed; - or nothing for standard input')
    .option('--to <container>', 'endpoint/database/container; with COSMOS_CONNECTION_STRING only database/container')
    .option(
      '--strategy <name>',
      'overwrite, append (keep existing documents), overwriteIfNotModified, delete or deleteIfNotModified',
      'overwrite'
    )
    .option('--id <source>', 'for records without an id: field:/name, hash or position; field:/id converts numeric ids')
    .option('--csv', 'the input is CSV with a header line (default: by the ending .csv, .csv.gz or .csv.zst)')
    .option('--delimiter <character>', 'with CSV: the character between two values, such as ";" or tab (default: ",")')
    .option('--array', 'the input is one JSON array')
    .option('--pick <path>', 'the input is a document with an array at a path such as a.b')
    .option('--debezium', 'the records are change data of Debezium: store the rows in `after`, and apply deletes')
    .option('--max-record-bytes <count>', 'reject longer records (default: 8 MiB)')
    .option(
      '--share <share>',
      'RU/s that the load may use, or a percentage of the provisioned throughput, such as 50%',
      '100%'
    )
    .option('--redis <url>', 'share the budget with other loads of this container through Redis')
    .option('--checkpoint <file>', 'where to save progress (default: the first file with .checkpoint after its name)')
    .option('--no-checkpoint', 'do not write a checkpoint')
    .option('--on-error <policy>', 'throw, skip, or collect:<file> for rejected records', 'throw')
    .option('--max-rejected <limit>', MAX_REJECTED_HELP)
    .option('--allow-duplicates', 'accept random suffixes, which store a record twice when a load is resumed')
    .option('--dry-run', 'write nothing: report the key distribution and the cost from the first 10,000 records')
    .option('--progress <kind>', 'bar, plain (a line a second) or none (default: bar on a terminal)')
    .option('-q, --quiet', 'no summary, no warnings')
    .addHelpText('after', EXAMPLES + ENVIRONMENT + EXIT_CODES_HELP)
    .action(async (files: string[], options: LoadCommandOptions) => {
      // V8 collects garbage when the heap has grown by this percentage; by default the heap grows to three or four
      // times the size of the live objects
      setFlagsFromString('--heap-growing-percent=60')
      finish(await loadCommand(files, options, dependencies))
    })
}

const EXAMPLES = `
Examples:
  $ keystamp load --plan plan.json --to http://127.0.0.1:8081/telemetry/drives drives.ndjson
  $ keystamp load --plan plan.json --to https://my-account.documents.azure.com/d/c --share 50% 'data/*.ndjson.gz'
  $ COSMOS_CONNECTION_STRING="AccountEndpoint=...;AccountKey=...;" keystamp load --plan plan.json --to d/c drives.ndjson
  $ keystamp load --plan plan.json --to http://127.0.0.1:8081/d/c --dry-run drives.ndjson
`

const ENVIRONMENT = `
Environment:
  COSMOS_CONNECTION_STRING  endpoint and key of the account: --to is then
                            database/container
  COSMOS_KEY                the account key

Without either variable, an endpoint on this machine gets the public key of the
emulators, and any other endpoint is used with Entra.
`

async function loadCommand(
  files: readonly string[],
  options: LoadCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  const { stdout, stderr } = dependencies
  // the clients of Cosmos DB take time and memory, which the other commands do not need
  const [{ estimateLoad, load }, { findInputs, formOfName }, { hasConnectionString }] = await Promise.all([
    import('@keystamp/load'),
    import('@keystamp/files'),
    import('../load/target.ts')
  ])
  const inputs = await findInputs(files)
  const loadOptions = await toLoadOptions(inputs, options, dependencies)
  const warn = (message: string): void =>
    void (options.quiet !== true && stderr.write(`keystamp: warning: ${message}\n`))
  warnOfOptions(options, hasConnectionString(options.to ?? ''), warn)
  if (options.quiet !== true && inputs.includes('-')) announceStandardInput(dependencies)
  if (options.dryRun === true) {
    for (const { message } of loadOptions.plan?.warnings ?? []) warn(message)
    const { describeEstimate } = await import('../load/load-text.ts')
    const estimate: LoadEstimate = await estimateLoad(loadOptions)
    stdout.write(describeEstimate(estimate, isDelete(options) ? 'deleted' : 'stored'))
    return EXIT_CODES.ok
  }
  const { barOfLoad, describeLoad, lineOfLoad } = await import('../load/load-text.ts')
  const view = createProgressView(options.progress, { line: lineOfLoad, bar: barOfLoad }, { stderr })
  try {
    const { isComplete } = await load({
      ...loadOptions,
      onProgress: view?.show,
      progressEveryMs: view?.everyMs,
      onResumed: (resumption) => {
        if (options.quiet !== true)
          stderr.write(resumedText(resumption, inputs, (name) => loadOptions.form ?? formOfName(name)))
      },
      // `warnOfOptions` has warned about a small share already
      onWarning: (warning) => void (warning.startsWith('`share` is ') || warn(inOptionNames(warning, ['share']))),
      onEnd: (summary) => {
        view?.clear()
        if (options.quiet !== true) stderr.write(endText(summary, inputs, describeLoad(summary, isDelete(options))))
        const { checkpoint } = summary
        if (checkpoint !== undefined)
          stderr.write(`keystamp: progress is saved in ${checkpoint}: the same command resumes from there.\n`)
      }
    })
    return isComplete ? EXIT_CODES.ok : EXIT_CODES.interrupted
  } finally {
    view?.clear()
  }
}

async function toLoadOptions(
  inputs: readonly string[],
  options: LoadCommandOptions,
  { env, stdin, signal, now }: Dependencies
): Promise<LoadOptions> {
  const { readPlan } = await import('../plan/read-plan.ts')
  const { findCredentials, parseTarget } = await import('../load/target.ts')
  const target = parseTarget(options.to, env)
  checkPlanOptions(options)
  const hasPlan = options.plan !== undefined || options.from !== undefined
  const { id, delimiter, pick, checkpoint, maxRecordBytes, redis } = options
  const { endpoint, database, container } = target
  return {
    inputs,
    plan: hasPlan ? await readPlan(options, { requireId: true }) : undefined,
    planPath: options.plan,
    strategy: options.strategy as WriteStrategy,
    id: id as IdSource | undefined,
    ...(options.debezium === true ? { changeData: 'debezium' as const } : {}),
    ...toForm(options),
    delimiter,
    pick,
    ...(maxRecordBytes === undefined ? {} : { maxRecordBytes: toRecordBytes(maxRecordBytes) }),
    share: toShare(options.share),
    ...toSharedBudget(redis, `${new URL(endpoint).host}/${database}/${container}`),
    checkpoint,
    ...parseRejectPolicy(options.onError, options.maxRejected),
    allowDuplicates: options.allowDuplicates === true,
    endpoint,
    database,
    container,
    ...(await findCredentials(target, env)),
    stdin,
    signal,
    now
  }
}

// the address may hold a password, so the message does not repeat it
function toSharedBudget(redis: string | undefined, name: string): Pick<LoadOptions, 'sharedThrough'> {
  if (redis === undefined) return {}
  if (/^rediss?:\/\/./.test(redis) && URL.canParse(redis)) return { sharedThrough: { redis, name } }
  throw new UsageError('--redis takes the address of a Redis, such as redis://localhost:6379.')
}

// a quarter of the throughput of the smallest container: below it, a percent sign is probably missing
const FEW_RU = 100

function warnOfOptions({ share: text }: LoadCommandOptions, isKeyInTo: boolean, warn: (message: string) => void): void {
  const share = toShare(text)
  if (typeof share === 'number' && share < FEW_RU) {
    // 0.5 probably means a half, and 50 means 50 percent
    const percent = share <= 1 ? Number((share * 100).toPrecision(6)) : share
    warn(`--share ${share} means ${share} RU/s. For ${percent} percent of the throughput write --share ${percent}%.`)
  }
  if (isKeyInTo) {
    warn(
      'other users of this machine can see the account key in --to. Set COSMOS_CONNECTION_STRING to the connection string, and write --to database/container.'
    )
  }
}

function isDelete({ strategy }: LoadCommandOptions): boolean {
  return strategy === 'delete' || strategy === 'deleteIfNotModified'
}

function resumedText(
  { position: { input, line }, changed }: Resumption,
  inputs: readonly string[],
  formOf: (name: string) => string
): string {
  const name = inputs[input] ?? 'the end'
  const unit = formOf(name) === 'lines' ? 'line' : 'record'
  const changes = changed.map((file) => `keystamp: ${file} has changed since, but only after that ${unit}.\n`).join('')
  return `keystamp: resuming after ${unit} ${line.toLocaleString('en-US')} of ${name === '-' ? 'standard input' : name}.\n${changes}`
}

/** The summary; empty for a load that failed before its first record, since its error says enough. */
function endText(
  { records, isComplete, isResumed, error }: LoadSummary,
  inputs: readonly string[],
  summary: string
): string {
  if (error !== undefined && records === 0) return ''
  return `${records === 0 && isComplete && !isResumed ? emptyWarning(inputs) : ''}${summary}`
}
