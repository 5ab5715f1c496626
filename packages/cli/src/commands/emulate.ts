import type { Command } from 'commander'
import type { ExitCode } from '../exit-codes.ts'
import { type Dependencies, untilAborted } from '../dependencies.ts'

/** Adds `keystamp emulate`, which runs the command of the emulator with the emulator's own options. */
export function addEmulate(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('emulate')
    .description('Run a local Cosmos DB with real partitions, request units and throttling; --help lists its options.')
    .argument('[options...]')
    // the emulator checks its options itself
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      finish(await emulateCommand(args, dependencies))
    })
}

async function emulateCommand(args: readonly string[], { stdout, stderr, signal }: Dependencies): Promise<ExitCode> {
  // loaded here, since the other commands do not need it
  const { runCommand } = await import('@keystamp/emulator')
  return runCommand(args, {
    print: (line) => stdout.write(`${line}\n`),
    printError: (line) => stderr.write(`keystamp: ${line}\n`),
    log: (line) => stderr.write(`${line}\n`),
    commandName: 'keystamp emulate',
    waitForShutdown: () => untilAborted(signal)
  })
}
