import type { Command } from 'commander'
import { EXIT_CODES_HELP, type ExitCode, UsageError } from '../exit-codes.ts'
import type { Dependencies } from '../dependencies.ts'

interface SinkCommandOptions {
  readonly config?: string
  readonly check?: boolean
  readonly showValues?: boolean
  readonly fromConnect?: string
  readonly migrateConfig?: boolean
  readonly json?: boolean
}

/** Adds `keystamp sink`, which writes Kafka topics into Cosmos DB until a signal ends it. */
export function addSink(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('sink')
    .description(
      'Write the records of Kafka topics into Cosmos DB: nothing lost, nothing out of order, within the RU budget.'
    )
    .option('-c, --config <file>', 'the configuration: YAML or JSON; - for standard input')
    .option(
      '--check',
      'check everything that the configuration names, and show the outcome of one record of each topic'
    )
    .option('--show-values', 'with --check: also show the values of these records')
    .option(
      '--from-connect <file>',
      'translate a configuration of Microsoft’s sink connectors: YAML on standard output, notes on standard error'
    )
    .option('--migrate-config', 'print the configuration with the current names of its keys, and keep comments')
    .option('--json', 'with --check, --from-connect or --migrate-config: print JSON')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (options: SinkCommandOptions) => {
      finish(await sinkCommand(options, dependencies))
    })
}

const EXAMPLES = `
Examples:
  $ keystamp sink --config sink.yaml
  $ keystamp sink --check --config sink.yaml
  $ keystamp sink --from-connect connector.json > sink.yaml
  $ keystamp sink --migrate-config --config old.yaml > sink.yaml
`

async function sinkCommand(
  { config, check, showValues, fromConnect, migrateConfig, json }: SinkCommandOptions,
  dependencies: Dependencies
): Promise<ExitCode> {
  if (showValues === true && check !== true) throw new UsageError('--show-values needs --check.')
  if (fromConnect !== undefined) {
    if (config !== undefined || check === true || migrateConfig === true)
      throw new UsageError('--from-connect can be combined only with --json: it translates, and starts no sink.')
    const { translateFile } = await import('../sink/translate-file.ts')
    return translateFile(fromConnect, { json: json === true }, dependencies)
  }
  if (config === undefined) throw new UsageError('Name a configuration: --config sink.yaml.')
  if (migrateConfig === true) {
    if (check === true)
      throw new UsageError('--migrate-config cannot be combined with --check: migrate the file first.')
    const { migrateFile } = await import('../sink/translate-file.ts')
    return migrateFile(config, { json: json === true }, dependencies)
  }
  if (check === true) {
    const { checkSinks } = await import('../sink/check-sinks.ts')
    return checkSinks(config, { json: json === true, showValues: showValues === true }, dependencies)
  }
  if (json === true)
    throw new UsageError(
      '--json needs --check, --from-connect or --migrate-config: a running sink writes its log as JSON in any case.'
    )
  // records in flight need a larger young generation than V8's default, and only a new thread can have one
  if (dependencies.inThread !== undefined) return dependencies.inThread({ readsInput: config === '-' })
  // the clients of Kafka and Cosmos DB take time and memory, which the other commands do not need
  const { runSinks } = await import('../sink/run-sinks.ts')
  return runSinks(config, dependencies)
}
