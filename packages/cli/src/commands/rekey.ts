import type { Command } from 'commander'
import { PAIR_ENVIRONMENT } from '../containers/container-access.ts'
import type { Dependencies } from '../dependencies.ts'
import { EXIT_CODES_HELP, type ExitCode } from '../exit-codes.ts'
import type { RekeyOptions } from '../rekey/rekey-options.ts'

/** `keystamp rekey`: moves a container to a new key while applications use it. */
export function addRekey(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('rekey')
    .description('Move a container to a new partition key while applications use it: copy, follow, compare, switch.')
    .argument('[step]', 'status, switch, back, finish, abort or compare; without a step: begins or continues a move')
    .option('--from <container>', 'the container that is in use: endpoint/database/container')
    .option('--to <container>', 'the new container')
    .option('--plan <file>', 'the key plan of the new container')
    .option('--journal <folder>', 'folder with the state of the move: the same command continues it')
    .option('--create', 'create the new container if it does not exist')
    .option('--dry-run', 'print what the move can promise, needs and costs, and write nothing')
    .option('-y, --yes', 'begin without a question, also if the check needs a confirmation')
    .option('--workers <way>', 'lease: the same command on several machines divides the work')
    .option('--leases <container>', 'with --workers lease: container for the leases, with the partition key /id')
    .option('--lease-length <time>', 'with --workers lease: the ranges of a silent machine move on after this time')
    .option('--fence', 'leave a marker in the place of each deleted copy, so that no late request brings it back')
    .option('--share-from <share>', 'RU/s of the old container, or a percentage (default: 30%)')
    .option('--share-to <share>', 'RU/s of the new container, or a percentage (default: 80%)')
    .option('--bucket <number>', 'throughput bucket of all requests, 1 to 5')
    .option('--deletes <way>', 'auto: by the feed of all versions and deletes if there is one; compare: by comparisons')
    .option('--ttl <way>', 'remaining: copies expire when the originals would; restart: their time begins again')
    .option('--keep-id-in <pointer>', 'for a plan that makes ids: member that keeps the old id, such as /oldId')
    .option('--before <command>', 'hook: the application must stop its writes')
    .option('--after <command>', 'hook: the application must use the other container')
    .option('--canceled <command>', 'hook: the switch was called off, the application must write as before')
    .option('--sink <file>', 'configuration of the sinks that follow the move; also with switch and back')
    .option('--sink-name <name>', 'the sink in this file, if several have the key `move`')
    .option('--hook-timeout <time>', 'time limit of a hook (default: 60s)')
    .option('--max-lag <time>', 'maximum lag of the copy at the switch (default: 10s)')
    .option('--http <port>', 'serve the status on the loopback: /status, /metrics, /health')
    .option('--json', 'with status or --dry-run: print JSON')
    .option('--show-ids', 'write keys and ids of rejected documents, which may be personal data')
    .option('-q, --quiet', 'print no steps')
    .addHelpText('after', EXAMPLES + PAIR_ENVIRONMENT + CODES + EXIT_CODES_HELP)
    .action(async (step: string | undefined, options: RekeyOptions) => {
      // the other commands do not need it
      const { rekeyCommand } = await import('../rekey/rekey-command.ts')
      finish(await rekeyCommand(step, options, dependencies))
    })
}

const EXAMPLES = `
Examples:
  $ keystamp rekey --from fleet/drives --to fleet/drives-2 --plan plan.json --journal moves/drives --dry-run
  $ keystamp rekey --from fleet/drives --to fleet/drives-2 --plan plan.json --journal moves/drives
  $ keystamp rekey status --journal moves/drives
  $ keystamp rekey switch --journal moves/drives
  $ keystamp rekey switch --journal moves/drives --sink sink.yaml
  $ keystamp rekey back --journal moves/drives
  $ keystamp rekey finish --journal moves/drives
`

const CODES = `
Of the exit codes below, 0 means that the step was done; without a step, that the move has ended. In addition, 4 means that the check or a step was refused: nothing was changed.
`
