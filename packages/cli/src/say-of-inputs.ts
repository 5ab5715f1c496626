import type { Surroundings } from './surroundings.ts'

/** Says on a terminal that the command waits for what is typed. */
export function sayThatInputIsRead({ stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>): void {
  if (stdin.isTTY === true) stderr.write('keystamp: reading standard input; Ctrl-D ends it.\n')
}

/** The warning for inputs in which nothing was found. */
export function emptyWarning(names: readonly string[]): string {
  const [first, ...rest] = names
  const what = rest.length > 0 ? `the ${names.length} inputs hold` : `${first === '-' ? 'standard input' : first} holds`
  return `keystamp: warning: ${what} no record.\n`
}
