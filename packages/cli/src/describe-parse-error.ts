import type { Command } from 'commander'

/** What commander says of a command line that it cannot read, completed by what is meant where that is known. */
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
  if (name === '-') return 'A short option takes its value after a blank, as in -p plan.json.'
  const owners = command.commands.filter(({ options }) => options.some(({ long }) => long === name))
  if (owners.length > 0) return `Name the command first, as in ${command.name()} ${owners[0].name()} ${name}.`
  const longer = flags.filter((flag) => name.length > 3 && flag.startsWith(name))
  return longer.length === 1 ? `Did you mean ${longer[0]}?` : undefined
}
