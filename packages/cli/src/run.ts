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

/** Runs one command line and answers with the exit code. Nothing is thrown for a user's mistake. */
export async function run(args: readonly string[], dependencies: Dependencies): Promise<ExitCode> {
  const { stdout, stderr } = dependencies
  let code: ExitCode = EXIT_CODES.ok
  let optionNames: readonly string[] = []
  const program = new Command('keystamp')
    .description('Synthetic partition keys for Azure Cosmos DB: stamp them onto records, and find them again.')
    .version(readVersion(), '--version', 'say the version')
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
    .showHelpAfterError('(--help tells more)')
  const finish = (answer: ExitCode): void => {
    code = answer
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

/** `help emulate` as `emulate --help`: that command has help of its own, of which the program knows nothing. */
function toHelpOption(args: readonly string[], names: readonly string[]): readonly string[] {
  const [first, second] = args
  if (first === 'help' && args.length === 2) return names.includes(second) ? [second, '--help'] : [second]
  // with --help the program would show its own help for a command that it does not have
  return first === undefined || first === 'help' || first.startsWith('-') || names.includes(first) ? args : [first]
}

// beside the sources and beside what is built of them
function readVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
}
