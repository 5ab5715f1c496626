import { UsageError } from './usage-error.ts'

/** The value of an option that takes a whole number. */
export function toCount(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`${name} takes a whole number, not "${text}".`)
}
