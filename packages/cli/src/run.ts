import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addCapacity } from './commands/capacity.ts'
import { addDemo } from './commands/demo.ts'
import { addEmulate } from './commands/emulate.ts'
import { addLoad } from './commands/load.ts'
import { addLocate } from './commands/locate.ts'
import { addPlan } from './commands/plan.ts'
import { addReplay } from './commands/replay.ts'
import { addSink } from './commands/sink.ts'
import { addStamp } from './commands/stamp.ts'
import { addVerify } from './commands/verify.ts'
import { addRekey } from './commands/rekey.ts'
import { addXray } from './commands/xray.ts'
import type { Dependencies } from './dependencies.ts'
import { EXIT_CODES, EXIT_CODES_HELP, type ExitCode, UsageError } from './exit-codes.ts'
import { type FailedCommand, reportError } from './report-error.ts'

/** Runs one command line and resolves with the exit code. A mistake of the user is printed, not thrown. */
export async function run(args: readonly string[], dependencies: Dependencies): Promise<ExitCode> {
  const { stdout, stderr } = dependencies
  let code: ExitCode = EXIT_CODES.ok
  let failed: FailedCommand = {}
  const program = new Command('keystamp')
    .description('Synthetic partition keys for Azure Cosmos DB: stamp them onto records, and find them again.')
    .version(readVersion(), '--version', 'print the version')
    .hook('preAction', (_, command) => {
      failed = { name: command.name(), optionNames: command.options.map((option) => option.attributeName()) }
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
  addCapacity(program, dependencies, finish)
  addLoad(program, dependencies, finish)
  addPlan(program, dependencies, finish)
  addXray(program, dependencies, finish)
  addVerify(program, dependencies, finish)
  addRekey(program, dependencies, finish)
  addSink(program, dependencies, finish)
  addReplay(program, dependencies, finish)
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
    return reportError(error, dependencies, failed)
  }
}

/** Rewrites `help emulate` to `emulate --help`: the help of that command comes from the emulator. */
function toHelpOption(args: readonly string[], names: readonly string[]): readonly string[] {
  const [first, second] = args
  if (first === 'help' && args.length === 2) return names.includes(second) ? [second, '--help'] : [second]
  // for an unknown command with --help, commander would show the help of the program
  return first === undefined || first === 'help' || first.startsWith('-') || names.includes(first) ? args : [first]
}

// both src and dist are next to package.json
function readVersion(): string {
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version
}

/** Refuses values that are wrong for every option: an empty one, the name of another option, and a second value. */
function checkOptionValues(command: Command): void {
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]))
  for (const { required, long, name, parseArg } of command.options.map((option) => ({
    ...option,
    name: option.name()
  }))) {
    const isRepeatable = parseArg !== undefined
    if (!required) continue
    let isGiven = false
    command.on(`option:${name}`, (value: string) => {
      if (isGiven && !isRepeatable)
        throw new UsageError(
          `${long} is given twice. Give it once${LISTS.has(name) ? ', with commas between the fields' : ''}.`
        )
      isGiven = true
      if (flags.has(value))
        throw new UsageError(`${long} needs a value, and ${value} follows it. Write the value after ${long}.`)
      if (value === '' && !MAY_BE_EMPTY.has(name)) {
        throw new UsageError(
          `${long} has an empty value, perhaps because a variable is not set. Name a value, or leave ${long} out.`
        )
      }
    })
  }
}

const LISTS: ReadonlySet<string> = new Set(['from', 'by'])

// an empty key can be looked up
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['key'])

/** The error message of commander, with a hint if the intended option is known. */
function describeParseError(text: string, command: Command): string {
  const sentence = text.replace(/^error: /, '')
  const unknown = /^unknown option '([^']*)'/.exec(sentence)?.[1]
  if (unknown === undefined || sentence.includes('(Did you mean')) return sentence
  const hint = hintFor(unknown, command)
  return hint === undefined ? sentence : `${sentence.trimEnd()}\n(${hint})\n`
}

function hintFor(unknown: string, command: Command): string | undefined {
  const [name, value] = unknown.split('=', 2)
  const flags = command.options.map(({ long }) => long ?? '')
  if (value !== undefined && flags.includes(name)) return `${name} takes no value.`
  if (name === '-') return 'A short option takes its value after a space, as in -p plan.json.'
  const owners = command.commands.filter(({ options }) => options.some(({ long }) => long === name))
  if (owners.length > 0) return `Name the command first, as in ${command.name()} ${owners[0].name()} ${name}.`
  const longer = flags.filter((flag) => name.length > 3 && flag.startsWith(name))
  return longer.length === 1 ? `Did you mean ${longer[0]}?` : undefined
}
