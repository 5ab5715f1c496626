import type { Command } from 'commander'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { LocateCommandOptions } from '../locate/locate.ts'
import { addPlanOptions } from '../plan/plan-from-options.ts'

/** Adds `keystamp locate`, which shows the key, hash and physical partition of a record, and the parts of a key. */
export function addLocate(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  addPlanOptions(
    program
      .command('locate')
      .description('Find the key of a record, or every key that is possible if only some parts are known.')
  )
    .argument('[parts]', 'known parts of the record, as JSON')
    .option('--key <key>', 'decode a key; a hierarchical one as a JSON array, such as [7,"x"]')
    .option('--ranges <count>', 'show the physical partition, too, in a container with this number (at most 999,999)')
    .option('--between <from,to>', 'list the time buckets between two times, such as 2026-01-01,2026-01-31')
    .option('--json', 'print a line of JSON for each key')
    .option('-q, --quiet', 'no warnings')
    .addHelpText('after', EXAMPLES + EXIT_CODES_HELP)
    .action(async (parts: string | undefined, options: LocateCommandOptions) => {
      // loaded here, since the other commands do not need it
      const { locateCommand } = await import('../locate/locate.ts')
      dependencies.stdout.write(await locateCommand(parts, options, dependencies))
      finish(EXIT_CODES.ok)
    })
}

const EXAMPLES = `
Examples:
  $ keystamp locate --plan plan.json '{"date":"2018-08-09","vin":"1FTFW1ET5DFC10312"}' --ranges 20
  $ keystamp locate --plan plan.json '{"date":"2018-08-09"}' --json
  $ keystamp locate --from deviceId,date --key abc-123-2018
`
