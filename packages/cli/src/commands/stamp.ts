import { availableParallelism } from 'node:os'
import type { Command } from 'commander'
import type { StampFilesOptions } from '@keystamp/files'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode, UsageError } from '../exit-codes.ts'
import {
  emptyWarning,
  MAX_REJECTED_HELP,
  parseRejectPolicy,
  announceStandardInput,
  toCount,
  toForm,
  toRecordBytes
} from '../shared-options.ts'
import { addPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import { createProgressView } from '../progress/progress-view.ts'
import type { Dependencies } from '../dependencies.ts'

interface StampCommandOptions extends PlanOptions {
  readonly output: string
  readonly array?: boolean
  readonly pick?: string
  readonly csv?: boolean
  readonly delimiter?: string
  readonly debezium?: boolean
  readonly toArray?: boolean
  readonly onError: string
  readonly maxRejected?: string
  readonly maxRecordBytes?: string
  readonly threads?: string
  readonly progress?: string
  readonly quiet?: boolean
}

/** Adds `keystamp stamp`, which writes a key into every record of files. */
export function addStamp(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  addPlanOptions(program.command('stamp').description('Stamp a key onto every record of JSON or CSV files.'))
    .argument('[files...]', 'files or globs; .gz and .zst are decompressed; - or nothing for standard input')
    .option('-o, --output <file>', 'output; .gz and .zst are compressed; - for standard output', '-')
    .option('--array', 'the input is one JSON array; the output is lines of JSON')
    .option('--pick <path>', 'the input is a document with an array at a path such as a.b')
    .option('--csv', 'the input is CSV with a header line (default: by the ending .csv, .csv.gz or .csv.zst)')
    .option('--delimiter <character>', 'with CSV: the character between two values, such as ";" or tab (default: ",")')
    .option('--debezium', 'the records are change data of Debezium: stamp the rows in `before` and `after`')
    .option('--to-array', 'with --array, --pick or CSV: write an array')
    .option('--on-error <policy>', 'throw, skip, or collect:<file>, a new file for rejected records', 'throw')
    .option('--max-rejected <limit>', MAX_REJECTED_HELP)
    .option('--max-record-bytes <count>', 'reject longer records')
    .option('--threads <count>', 'with lines: threads that stamp them, or all; the output is the same')
    .option('--progress <kind>', 'bar, plain (a line a second) or none (default: bar on a terminal)')
    .option('-q, --quiet', 'no summary, no warnings')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (files: string[], options: StampCommandOptions) => {
      await stampCommand(files, options, dependencies)
      finish(EXIT_CODES.ok)
    })
}

const EXAMPLES = `
Examples:
  $ keystamp stamp --plan plan.json in.ndjson -o out.ndjson
  $ keystamp stamp --from deviceId,date 'data/*.ndjson.gz' -o all.ndjson.gz
  $ keystamp stamp --plan plan.json --pick data.items response.json -o items.ndjson
  $ cat in.ndjson | keystamp stamp --from date --suffix 400 --by vin | head
`

async function stampCommand(
  files: readonly string[],
  options: StampCommandOptions,
  dependencies: Dependencies
): Promise<void> {
  const { stdin, stdout, stderr, signal, now } = dependencies
  const start = now()
  // loaded here, since the other commands do not need these
  const [
    { findInputs, formOfName, stampFiles },
    { readPlan, readDefinition },
    { barOfStamp, describeStamp, lineOfStamp }
  ] = await Promise.all([
    import('@keystamp/files'),
    import('../plan/read-plan.ts'),
    import('../progress/stamp-text.ts')
  ])
  const threads = options.threads === undefined ? 0 : toThreads(options.threads)
  const definition = threads === 0 ? undefined : await readDefinition(options)
  const plan = await readPlan(options)
  const paths = await findInputs(files)
  const { form } = toForm(options)
  if (threads > 0 && (form ?? 'lines') !== 'lines')
    throw new UsageError('--threads needs lines of JSON: leave it out for an array or CSV.')
  if (options.toArray === true && form === undefined && !paths.some((path) => formOfName(path) === 'csv')) {
    throw new UsageError('--to-array needs --array, --pick or CSV.')
  }
  if (formOfName(options.output) === 'csv') {
    throw new UsageError(`${options.output} would hold JSON, not CSV: let the name of the output end in .ndjson.`)
  }
  const isOutputOnTerminal = stdout.isTTY === true && options.output === '-'
  const view = createProgressView(
    options.progress,
    { line: lineOfStamp, bar: barOfStamp },
    { stderr, isOutputOnTerminal }
  )
  if (options.quiet !== true)
    for (const { message, path } of plan.warnings) stderr.write(`keystamp: warning: ${path}: ${message}\n`)
  if (options.quiet !== true && paths.includes('-')) announceStandardInput(dependencies)
  try {
    const counts = await stampFiles(definition ?? plan, {
      inputs: paths.map((path) => (path === '-' ? stdin : path)),
      output: options.output === '-' ? stdout : options.output,
      signal,
      ...formOptions(options),
      ...rejectOptions(options),
      ...(threads === 0 ? {} : { threads }),
      ...(view === undefined ? {} : { onProgress: view.show, progressEveryMs: view.everyMs }),
      now
    })
    view?.clear()
    if (options.quiet !== true && counts.records === 0) stderr.write(emptyWarning(paths))
    if (options.quiet !== true) stderr.write(describeStamp(counts, (now() - start) / 1000))
  } catch (error) {
    view?.clear()
    throw error
  }
}

/** Number of threads; `all`: one for each processor. */
function toThreads(value: string): number {
  return value === 'all' ? availableParallelism() : toCount('--threads', value)
}

function formOptions({
  array,
  pick,
  csv,
  delimiter,
  debezium,
  toArray
}: StampCommandOptions): Partial<StampFilesOptions> {
  return {
    ...toForm({ array, pick, csv }),
    ...(pick === undefined ? {} : { pick }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(debezium === true ? { changeData: 'debezium' } : {}),
    ...(toArray === true ? { to: 'array' } : {})
  }
}

function rejectOptions({ onError, maxRejected, maxRecordBytes }: StampCommandOptions): Partial<StampFilesOptions> {
  return {
    ...parseRejectPolicy(onError, maxRejected),
    ...(maxRecordBytes === undefined ? {} : { maxRecordBytes: toRecordBytes(maxRecordBytes) })
  }
}
