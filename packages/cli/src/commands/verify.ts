import type { Command } from 'commander'
import { PAIR_ENVIRONMENT } from '../containers/container-access.ts'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { VerifyCommandOptions } from '../verify/verify-options.ts'

/** `keystamp verify`: compares two containers, also while applications write to them. */
export function addVerify(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('verify')
    .description(
      'Compare two containers, also while they are written: which documents of a are not in b as they should be.'
    )
    .argument('[a]', 'endpoint/database/container; or database/container with COSMOS_CONNECTION_STRING')
    .argument('[b]', 'the container that should have the same documents')
    .option('--plan <file>', 'key plan with which b was made from a: checks the key of every copy')
    .option('--keep-id-in <pointer>', 'with a plan that makes new ids: the property that keeps the old one')
    .option('--by <fields>', 'fields that identify a document, such as /tenant,/id (default: the key of a, and the id)')
    .option('--ignore <pointer>', 'property that does not count, such as /partitionKey; repeatable', collect, [])
    .option('--max-ru <RU/s>', 'RU/s, or a percentage, that may be used in each container (default: 1000)')
    .option('--settle <time>', 'time for which a document of a must not change, so that it counts (default: 10s)')
    .option('--show-ids', 'show keys and ids, which may be personal data')
    .option('--json', 'print the report as JSON (docs/verify-report.schema.json)')
    .option('--repair', 'write into b what differs, after showing it and asking')
    .option('--yes', 'with --repair: do not ask')
    .option('-q, --quiet', 'no progress')
    .addHelpText('after', EXAMPLES + PAIR_ENVIRONMENT + CODES + EXIT_CODES_HELP)
    .action(async (a: string | undefined, b: string | undefined, options: VerifyCommandOptions) => {
      // the other commands do not need it
      const { verifyCommand } = await import('../verify/verify-command.ts')
      finish(await verifyCommand([a, b], options, dependencies))
    })
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value]
}

const EXAMPLES = `
Examples:
  $ keystamp verify fleet/drives fleet/drives-by-device --plan plan.json
  $ keystamp verify fleet/drives fleet/drives-copy --max-ru 5000/s --json
  $ keystamp verify fleet/drives fleet/drives-by-device --plan plan.json --repair
`

const CODES = `
Of the exit codes below, 0 means equal, or that everything was repaired, and 1 also that something could not be compared. In addition, 4 means that the containers differ.
`
