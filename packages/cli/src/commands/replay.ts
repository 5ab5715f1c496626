import type { Command } from 'commander'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import { addPlanOptions } from '../plan/plan-from-options.ts'
import type { ReplayCommandOptions } from '../replay/replay-command.ts'

/** Adds `keystamp replay`, which writes the dead letters of a sink through the same pipeline. */
export function addReplay(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  addPlanOptions(
    program
      .command('replay')
      .description(
        'Write the dead letters of a sink, or rejected records of files, once more, never over anything newer.'
      )
  )
    .argument('[files...]', 'files of dead letters (default: rejects.topic or rejects.file of the sink)')
    .option('-c, --config <file>', 'the configuration of the sink: YAML or JSON')
    .option('--to <container>', 'for rejected records of `load` or `stamp`: the container, as in `load`')
    .option('--newer-by <field>', 'with --to: store a record only if this field is higher than in the stored document')
    .option('--strategy <name>', 'with --to: append (keep existing documents)')
    .option('--id <source>', 'with --to: for records without an id, as in `load`')
    .option('--share <share>', 'with --to: RU/s, or a percentage of the provisioned throughput (default: "100%")')
    .option('--sink <name>', 'one of several sinks in the configuration')
    .option(
      '--journal <folder>',
      'marks of dead letters that were replayed (default: <sink>.replay or <database>.<container>.replay)'
    )
    .option('--since <time>', 'records from this time on: 2026-11-20T08:00Z, or 2h for two hours ago')
    .option('--until <time>', 'records before this time')
    .option('--code <code>', 'records that were rejected with this code; repeatable', collect, [])
    .option('--topic <topic>', 'records of this topic')
    .option('--partition <n>', 'records of this partition')
    .option('--offset <from[-to]>', 'the record at this offset, or all from one offset to another: 100-200')
    .option('--key <text>', 'records with this key')
    .option('--dry-run', 'show how many dead letters match, and write nothing')
    .option('--yes', 'do not ask')
    .option('--json', 'print the result as JSON')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', FILTERS + EXAMPLES + CODES + EXIT_CODES_HELP)
    .action(async (files: readonly string[], options: ReplayCommandOptions) => {
      // the clients of Kafka and Cosmos DB take time and memory, which the other commands do not need
      const { replayCommand } = await import('../replay/replay-command.ts')
      finish(await replayCommand(files, options, dependencies))
    })
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
}

const FILTERS = `
All filters are about the original record: its topic, partition, offset and key, and its timestamp, since dead letters do not tell when they were rejected. Rejected records of files have only --code.
`

const EXAMPLES = `
Examples:
  $ keystamp replay --config sink.yaml --dry-run
  $ keystamp replay --config sink.yaml --code FIELD_MISSING --since 2026-11-20T08:00Z
  $ keystamp replay --config sink.yaml --topic drives --partition 3 --offset 1200-1300 --yes
  $ keystamp replay --config sink.yaml rejected.ndjson
  $ keystamp replay --to my-database/my-container --plan plan.json --newer-by /updatedAt rejected.ndjson
`

const CODES = `
Of the exit codes below, 0 means that every record that matches was replayed, and 4 that some of them were rejected again or cannot be replayed; those stay for a later replay.
`
