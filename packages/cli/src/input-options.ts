import type { StampFilesOptions } from '@keystamp/files'
import type { Dependencies } from './dependencies.ts'
import { UsageError } from './usage-error.ts'

/** Says on a terminal that the command waits for what is typed. */
export function sayThatInputIsRead({ stdin, stderr }: Pick<Dependencies, 'stdin' | 'stderr'>): void {
  if (stdin.isTTY === true) stderr.write('keystamp: reading standard input; Ctrl-D ends it.\n')
}

/** The warning for inputs in which nothing was found. */
export function emptyWarning(names: readonly string[]): string {
  const [first, ...rest] = names
  const what = rest.length > 0 ? `the ${names.length} inputs hold` : `${first === '-' ? 'standard input' : first} holds`
  return `keystamp: warning: ${what} no record.\n`
}

/** The options that say how the records of the inputs are written. */
export interface FormOptions {
  readonly array?: boolean | undefined
  readonly pick?: string | undefined
  readonly csv?: boolean | undefined
}

/** The form that the options name; the names of the inputs tell it where they name none. */
export function toForm({ array, pick, csv }: FormOptions): Pick<StampFilesOptions, 'form'> {
  const isArray = array === true || pick !== undefined
  if (isArray && csv === true) throw new UsageError('--csv does not go with --array or --pick: each says how the records are written.')
  if (csv === true) return { form: 'csv' }
  return isArray ? { form: 'array' } : {}
}
