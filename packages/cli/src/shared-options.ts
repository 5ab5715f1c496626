import type { Share } from '@keystamp/cosmos'
import type { StampFilesOptions } from '@keystamp/files'
import type { Dependencies } from './dependencies.ts'
import { UsageError } from './exit-codes.ts'

/** Prints that the command reads standard input, if that is a terminal. */
export function announceStandardInput({ stdin, stderr }: Pick<Dependencies, 'stdin' | 'stderr'>): void {
  if (stdin.isTTY === true) stderr.write('keystamp: reading standard input; Ctrl-D ends it.\n')
}

/** Asks on the terminal. Any answer but yes means no, and so does the end of the input. */
export async function isConfirmed(
  question: string,
  { stdin, stderr, signal }: Pick<Dependencies, 'stdin' | 'stderr' | 'signal'>
): Promise<boolean> {
  // other commands need not load it
  const { createInterface } = await import('node:readline/promises')
  const asking = createInterface({ input: stdin, output: stderr })
  // while it asks, the terminal sends Ctrl-C as a character
  asking.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const ended = new Promise<string>((resolve) => {
    asking.once('close', () => resolve(''))
  })
  try {
    const answer = await Promise.race([asking.question(`${question} (yes/no) `, { signal }), ended])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    asking.close()
  }
}

/** Warning for inputs without a record. */
export function emptyWarning(names: readonly string[]): string {
  const [first, ...rest] = names
  const what = rest.length > 0 ? `the ${names.length} inputs hold` : `${first === '-' ? 'standard input' : first} holds`
  return `keystamp: warning: ${what} no record.\n`
}

/** Options for the format of the inputs. */
export interface FormOptions {
  readonly array?: boolean | undefined
  readonly pick?: string | undefined
  readonly csv?: boolean | undefined
}

/** The format that the options set. Without such an option, the names of the inputs decide. */
export function toForm({ array, pick, csv }: FormOptions): Pick<StampFilesOptions, 'form'> {
  const isArray = array === true || pick !== undefined
  if (isArray && csv === true)
    throw new UsageError('--csv cannot be combined with --array or --pick: each sets the format of the input.')
  if (csv === true) return { form: 'csv' }
  return isArray ? { form: 'array' } : {}
}

/** Parses a whole number with a limited number of digits. */
export function toCount(name: string, text: string, maxDigits = 9): number {
  if (/^\d+$/.test(text) && text.length <= maxDigits) return Number(text)
  const limit = /^\d+$/.test(text) ? ` up to ${(10 ** maxDigits - 1).toLocaleString('en-US')}` : ''
  throw new UsageError(`${name} takes a whole number${limit}, not "${text}".`)
}

/** Parses `--max-record-bytes`. */
export function toRecordBytes(text: string): number {
  const bytes = toCount('--max-record-bytes', text)
  if (bytes === 0) throw new UsageError('--max-record-bytes takes a whole number from 1 on.')
  return bytes
}

/** Parses `--share`. */
export function toShare(text: string): Share {
  const [, digits, percent] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (percent === '%' && Number(digits) > 0 && Number(digits) <= 100) return text as Share
  if (percent === '' && Number(digits) > 0) return Number(text)
  throw new UsageError(
    `--share must be a number of RU/s above 0, or a percentage above 0% and up to 100% such as 50%, not "${text}".`
  )
}

/** Parses `--on-error` and `--max-rejected`. */
export function parseRejectPolicy(
  onError: string,
  maxRejected: string | undefined
): { readonly onError: 'throw' | 'skip' | { readonly collect: string }; readonly maxRejected?: MaxRejected } {
  return {
    onError: parseOnError(onError),
    ...(maxRejected === undefined ? {} : { maxRejected: parseMaxRejected(maxRejected) })
  }
}

function parseOnError(text: string): 'throw' | 'skip' | { readonly collect: string } {
  if (text === 'throw' || text === 'skip') return text
  const file = /^collect:(.+)$/.exec(text)?.[1]
  if (file === undefined) throw new UsageError(`--on-error takes throw, skip or collect:<file>, not "${text}".`)
  return { collect: file }
}

/** A number of records, or a percentage of the records read. */
type MaxRejected = number | `${number}%`

function parseMaxRejected(text: string): MaxRejected {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  if (/^\d+(?:\.\d+)?%$/.test(text) && Number(text.slice(0, -1)) <= 100) return text as `${number}%`
  throw new UsageError(
    `--max-rejected must be a whole number, or a percentage from 0% to 100% such as 1%, not "${text}".`
  )
}

/** Description of `--max-rejected` in the help of every command that has it. */
export const MAX_REJECTED_HELP =
  'with skip or collect: stop when more records are rejected; a number, or a percentage of the records read such as 1% (checked from 1,000 records on, and at the end)'
