import type { Command } from 'commander'
import { formOfName, stampFiles, type StampFilesOptions } from '@keystamp/stream'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import { findInputs } from '../find-inputs.ts'
import { toForm } from '../input-form.ts'
import { MAX_REJECTED_HELP, parseMaxRejected } from '../max-rejected.ts'
import { addPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import { readPlan } from '../plan/read-plan.ts'
import { createProgressView, type ProgressView } from '../progress/progress-view.ts'
import { emptyWarning, sayThatInputIsRead } from '../say-of-inputs.ts'
import { summaryOf } from '../progress/summary.ts'
import type { Surroundings } from '../surroundings.ts'
import { toRecordBytes } from '../to-count.ts'
import { UsageError } from '../usage-error.ts'

interface StampCommandOptions extends PlanOptions {
  readonly output: string
  readonly array?: boolean
  readonly pick?: string
  readonly csv?: boolean
  readonly delimiter?: string
  readonly toArray?: boolean
  readonly onError: string
  readonly maxRejected?: string
  readonly maxRecordBytes?: string
  readonly progress?: string
  readonly quiet?: boolean
}

/** `keystamp stamp`: files of JSON in, the same with keys out. */
export function addStamp(program: Command, surroundings: Surroundings, finish: (code: ExitCode) => void): void {
  addPlanOptions(program.command('stamp').description('Stamp a key onto every record of JSON files.'))
    .argument('[files...]', 'files or globs, decompressed by .gz or .zst; - or nothing for standard input')
    .option('-o, --output <file>', 'compressed by .gz or .zst; - for standard output', '-')
    .option('--array', 'the input is one JSON array; lines of JSON come out')
    .option('--pick <path>', 'the input is a document, in which an array stands at a path such as a.b')
    .option('--csv', 'the input is CSV with a header line (default: by the ending .csv, .csv.gz or .csv.zst)')
    .option('--delimiter <character>', 'with CSV: what is between two values, such as ";" or tab (default: ",")')
    .option('--to-array', 'with --array, --pick or CSV: an array comes out')
    .option('--on-error <policy>', 'throw, skip, or collect:<file>, a new file for rejected records', 'throw')
    .option('--max-rejected <limit>', MAX_REJECTED_HELP)
    .option('--max-record-bytes <count>', 'reject longer records')
    .option('--progress <kind>', 'bar, plain (a line a second) or none (default: bar on a terminal)')
    .option('-q, --quiet', 'no summary, no warnings')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (files: string[], options: StampCommandOptions) => {
      await stampCommand(files, options, surroundings)
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

async function stampCommand(files: readonly string[], options: StampCommandOptions, surroundings: Surroundings): Promise<void> {
  const { stdin, stdout, stderr, signal } = surroundings
  const start = surroundings.now()
  const plan = await readPlan(options)
  const paths = await findInputs(files)
  const { form } = toForm(options)
  if (options.toArray === true && form === undefined && !paths.some((path) => formOfName(path) === 'csv')) {
    throw new UsageError('--to-array goes with --array, --pick or CSV.')
  }
  if (formOfName(options.output) === 'csv') {
    throw new UsageError(`${options.output} would hold JSON, not CSV: let the name of the output end in .ndjson.`)
  }
  const view = createProgressView(options.progress, stderr, (stdout.isTTY ?? false) && options.output === '-')
  if (options.quiet !== true) for (const { message, path } of plan.warnings) stderr.write(`keystamp: warning: ${path}: ${message}\n`)
  if (options.quiet !== true && paths.includes('-')) sayThatInputIsRead(surroundings)
  try {
    const counts = await stampFiles(plan, {
      inputs: paths.map((path) => (path === '-' ? stdin : path)),
      output: options.output === '-' ? stdout : options.output,
      signal,
      ...formOptions(options),
      ...rejectOptions(options),
      ...progressOptions(view),
      now: surroundings.now
    })
    view?.clear()
    if (options.quiet !== true && counts.records === 0) stderr.write(emptyWarning(paths))
    if (options.quiet !== true) stderr.write(summaryOf(counts, (surroundings.now() - start) / 1000))
  } catch (error) {
    view?.clear()
    throw error
  }
}

function formOptions({ array, pick, csv, delimiter, toArray }: StampCommandOptions): Partial<StampFilesOptions> {
  return {
    ...toForm({ array, pick, csv }),
    ...(pick === undefined ? {} : { pick }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(toArray === true ? { to: 'array' } : {})
  }
}

function rejectOptions({ onError, maxRejected, maxRecordBytes }: StampCommandOptions): Partial<StampFilesOptions> {
  return {
    onError: toPolicy(onError),
    ...(maxRejected === undefined ? {} : { maxRejected: parseMaxRejected(maxRejected) }),
    ...(maxRecordBytes === undefined ? {} : { maxRecordBytes: toRecordBytes(maxRecordBytes) })
  }
}

function toPolicy(text: string): NonNullable<StampFilesOptions['onError']> {
  if (text === 'throw' || text === 'skip') return text
  const file = /^collect:(.+)$/.exec(text)?.[1]
  if (file === undefined) throw new UsageError(`--on-error takes throw, skip or collect:<file>, not "${text}".`)
  return { collect: file }
}

function progressOptions(view: ProgressView | undefined): Partial<StampFilesOptions> {
  return view === undefined ? {} : { onProgress: view.show, progressEveryMs: view.everyMs }
}
