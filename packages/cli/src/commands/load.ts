import { setFlagsFromString } from 'node:v8'
import type { Command } from 'commander'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import { findInputs } from '../find-inputs.ts'
import type { LoadSettings } from '../load/prepare-load.ts'
import { MAX_REJECTED_HELP } from '../max-rejected.ts'
import { addPlanOptions, type PlanOptions } from '../plan/plan-from-options.ts'
import type { Surroundings } from '../surroundings.ts'

/** `keystamp load`: files of JSON lines into a container. */
export function addLoad(program: Command, surroundings: Surroundings, finish: (code: ExitCode) => void): void {
  addPlanOptions(
    program.command('load').description('Write lines of JSON, CSV or arrays into a container: within its budget, and resumable.')
  )
    .argument('[files...]', 'files or globs, decompressed by .gz or .zst; - or nothing for standard input')
    .option('--to <place>', 'endpoint/database/container; with COSMOS_CONNECTION_STRING only database/container')
    .option(
      '--strategy <name>',
      'overwrite, append (leave what is there), overwriteIfNotModified, delete or deleteIfNotModified',
      'overwrite'
    )
    .option('--id <source>', 'for records without an id: field:/name, hash or position; field:/id converts numeric ids')
    .option('--csv', 'the input is CSV with a header line (default: by the ending .csv, .csv.gz or .csv.zst)')
    .option('--delimiter <character>', 'with CSV: what is between two values, such as ";" or tab (default: ",")')
    .option('--array', 'the input is one JSON array')
    .option('--pick <path>', 'the input is a document, in which an array stands at a path such as a.b')
    .option('--max-record-bytes <count>', 'reject longer records (default: 8 MiB)')
    .option('--share <share>', 'what may be used: a number of RU/s, or with % a share of the provisioned throughput, such as 50%', '100%')
    .option('--redis <url>', 'share the budget with other loads of this container through Redis')
    .option('--checkpoint <file>', 'where to remember how far it came (default: beside the first file)')
    .option('--no-checkpoint', 'remember nothing')
    .option('--on-error <policy>', 'throw, skip, or collect:<file> for rejected records', 'throw')
    .option('--max-rejected <limit>', MAX_REJECTED_HELP)
    .option('--allow-duplicates', 'take random suffixes, which store a record twice when a load is resumed')
    .option('--dry-run', 'write nothing; say what the first 10,000 lines would store where, and what all would cost')
    .option('--progress <kind>', 'bar, plain (a line a second) or none (default: bar on a terminal)')
    .option('-q, --quiet', 'no summary, no warnings')
    .addHelpText('after', EXAMPLES + ENVIRONMENT + EXIT_CODES_HELP)
    .action(async (files: string[], options: PlanOptions & LoadSettings) => {
      // garbage is looked for when the heap has grown by so much: V8 by itself lets it grow to three or four times of what lives in it
      setFlagsFromString('--heap-growing-percent=60')
      // the clients of Cosmos DB take time and memory that no other command should pay for
      const { loadFiles } = await import('../load/load-files.ts')
      const isDone = await loadFiles(await findInputs(files), options, surroundings)
      finish(isDone ? EXIT_CODES.ok : EXIT_CODES.interrupted)
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
  COSMOS_KEY                the account key; without both Entra is used, and on
                            this machine the public key of the emulators
`
