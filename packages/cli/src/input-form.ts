import type { StampFilesOptions } from '@keystamp/stream'
import { UsageError } from './usage-error.ts'

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
