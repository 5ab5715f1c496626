import { UsageError } from './usage-error.ts'

/** The value of an option that takes a whole number, of at most so many digits. */
export function toCount(name: string, text: string, mostDigits = 9): number {
  if (/^\d+$/.test(text) && text.length <= mostDigits) return Number(text)
  const limit = /^\d+$/.test(text) ? ` up to ${(10 ** mostDigits - 1).toLocaleString('en-US')}` : ''
  throw new UsageError(`${name} takes a whole number${limit}, not "${text}".`)
}

/** The value of `--max-record-bytes`. */
export function toRecordBytes(text: string): number {
  const bytes = toCount('--max-record-bytes', text)
  if (bytes === 0) throw new UsageError('--max-record-bytes takes a whole number from 1 on.')
  return bytes
}
