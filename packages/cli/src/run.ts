import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addDemo } from './commands/demo.ts'
import { addEmulate } from './commands/emulate.ts'
import { addLoad } from './commands/load.ts'
import { addLocate } from './commands/locate.ts'
import { addSink } from './commands/sink.ts'
import { addStamp } from './commands/stamp.ts'
import { checkOptionValues, describeParseError } from './command-line-mistakes.ts'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode } from './exit-codes.ts'
import { reportError } from './report-error.ts'
import type { Dependencies } from './dependencies.ts'

/** Runs one command line and resolves with the exit code. A mistake of the user is printed, not thrown. */
export async function run(args: readonly string[], dependencies: Dependencies): Promise<ExitCode> {
  const { stdout, stderr } = dependencies
  let code: ExitCode = EXIT_CODES.ok
  let optionNames: readonly string[] = []
  const program = new Command('keystamp')
    .description('Synthetic partition keys for Azure Cosmos DB: stamp them onto records, and find them again.')
    .version(readVersion(), '--version', 'print the version')
    .hook('preAction', (_, { options }) => {
      optionNames = options.map((option) => option.attributeName())
    })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      outputError: (text, write) => write(`keystamp: ${describeParseError(text, program)}`)
    })
    .addHelpText('after', EXIT_CODES_HELP)
    .showHelpAfterError('(see --help)')
  const finish = (exitCode: ExitCode): void => {
    code = exitCode
  }
  addStamp(program, dependencies, finish)
  addLocate(program, dependencies, finish)
  addLoad(program, dependencies, finish)
  addSink(program, dependencies, finish)
  addEmulate(program, dependencies, finish)
  addDemo(program, dependencies, finish)
  for (const command of program.commands) {
    checkOptionValues(command)
    command.configureOutput({ outputError: (text, write) => write(`keystamp: ${describeParseError(text, command)}`) })
  }
  const names = program.commands.map((command) => command.name())
  try {
    await program.parseAsync(toHelpOption(args, names), { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage
    return reportError(error, dependencies, optionNames)
  }
}

/** Rewrites `help emulate` to `emulate --help`: the help of that command comes from the emulator. */
function toHelpOption(args: readonly string[], names: readonly string[]): readonly string[] {
  const [first, second] = args
  if (first === 'help' && args.length === 2) return names.includes(second) ? [second, '--help'] : [second]
  // for an unknown command with --help, commander would show the help of the program
  return first === undefined || first === 'help' || first.startsWith('-') || names.includes(first) ? args : [first]
}

// package.json is next to src and to dist
function readVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
}
