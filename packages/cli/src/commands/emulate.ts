import type { Command } from 'commander'
import type { ExitCode } from '../exit-codes.ts'
import type { Dependencies } from '../dependencies.ts'
import { untilAborted } from '../until-aborted.ts'

/** `keystamp emulate`: the emulator's own command, under its own options. */
export function addEmulate(program: Command, dependencies: Dependencies, finish: (code: ExitCode) => void): void {
  program
    .command('emulate')
    .description('Run a local Cosmos DB with true partitions, request units and throttling; --help lists its options.')
    .argument('[options...]')
    // what is known, and what is not, the emulator says itself
    .allowUnknownOption()
    .helpOption(false)
    .action(async (args: readonly string[]) => {
      finish(await emulateCommand(args, dependencies))
    })
}

async function emulateCommand(args: readonly string[], { stdout, stderr, signal }: Dependencies): Promise<ExitCode> {
  // loaded only here: no other command should pay for it
  const { runCommand } = await import('@keystamp/emulator')
  return runCommand(args, {
    print: (line) => stdout.write(`${line}\n`),
    printError: (line) => stderr.write(`keystamp: ${line}\n`),
    log: (line) => stderr.write(`${line}\n`),
    commandName: 'keystamp emulate',
    waitForShutdown: () => untilAborted(signal)
  })
}
