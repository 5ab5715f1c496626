import type { Command } from 'commander'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { XrayCommandOptions } from '../xray/xray-options.ts'

/** `keystamp xray`: troubles of a container that exists, found by reading it. */
export function addXray(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('xray')
    .description(
      'Look at a live container: its physical partitions, busy and large keys, and what is wrong. Read-only.'
    )
    .argument('[container]', 'endpoint/database/container; or database/container with COSMOS_CONNECTION_STRING')
    .option('--since <time>', 'read the writes of this last time, from 10s to 7d (default: 15m)')
    .option('--max-ru <RU/s>', 'RU/s that all requests together may take, from 20 on (default: 500)')
    .option('--sample <n>', 'documents to draw for the answer of the planner (default: 5,000)')
    .option('--seed <number>', 'seed of the random numbers (default: 1)')
    .option('--workload <file>', 'rates and queries of the applications, as YAML or JSON (docs/workload.schema.json)')
    .option(
      '--query <filters @ rate>',
      "such as 'deviceId, at=day @ 20/s', or SQL with a rate; repeatable",
      collect,
      []
    )
    .option(
      '--log-export <file>',
      'export of CDBPartitionKeyRUConsumption or CDBQueryRuntimeStatistics, CSV or JSON; repeatable',
      collect,
      []
    )
    .option('--show-values', 'show the values of keys, which may be personal data')
    .option('--json', 'print the report as JSON (docs/xray-report.schema.json)')
    .option('--html <file>', 'write the report as a page: one file that loads nothing')
    .option('--report <file>', 'print a report that --json has printed, instead of reading a container')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES + ENVIRONMENT + CODES + EXIT_CODES_HELP)
    .action(async (container: string | undefined, options: XrayCommandOptions) => {
      // the other commands do not need it
      const { xrayCommand } = await import('../xray/xray-command.ts')
      finish(await xrayCommand(container, options, dependencies))
    })
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
}

const EXAMPLES = `
Examples:
  $ keystamp xray https://my-account.documents.azure.com/fleet/drives
  $ keystamp xray fleet/drives --since 1h --max-ru 100/s --query 'deviceId @ 20/s'
  $ keystamp xray fleet/drives --log-export ru.csv --log-export queries.csv --html xray.html
  $ keystamp xray --report xray.json --html xray.html
`

const ENVIRONMENT = `
Environment:
  COSMOS_CONNECTION_STRING  endpoint and key of the account: the container is
                            then named database/container
  COSMOS_KEY                the account key; a read-only key suffices
`

const CODES = `
Of the exit codes below, 0 means healthy, and 1 also that not everything could be seen that a verdict needs. In addition, 4 means that a trouble was found.
`
