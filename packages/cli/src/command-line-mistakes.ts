import type { Command } from 'commander'
import { UsageError } from './usage-error.ts'

/** Refuses values that are a mistake for any option: an empty one, the name of the next option, and a second one. */
export function checkOptionValues(command: Command): void {
  const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]))
  for (const { required, long, name } of command.options.map((option) => ({ ...option, name: option.name() }))) {
    if (!required) continue
    let isGiven = false
    command.on(`option:${name}`, (value: string) => {
      if (isGiven) throw new UsageError(`${long} is given twice. Give it once${LISTS.has(name) ? ', with commas between the fields' : ''}.`)
      isGiven = true
      if (flags.has(value)) throw new UsageError(`${long} needs a value, and ${value} follows it. Write the value after ${long}.`)
      if (value === '' && !MAY_BE_EMPTY.has(name)) {
        throw new UsageError(`${long} has an empty value, as from a variable that is not set. Name a value, or leave ${long} out.`)
      }
    })
  }
}

const LISTS: ReadonlySet<string> = new Set(['from', 'by'])

// an empty key can be looked up
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['key'])

/** The error message of commander with a hint, where the meaning is known. */
export function describeParseError(text: string, command: Command): string {
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
