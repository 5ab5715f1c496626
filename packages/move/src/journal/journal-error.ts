import { KeystampError } from '@keystamp/core'
import { systemReason } from '@keystamp/core/internal'

/** The error for a journal that cannot be used: one sentence, and what to do. */
export function invalidJournal(what: string): KeystampError {
  return new KeystampError('JOURNAL_INVALID', what)
}

/** Advice for a damaged file of a journal. */
export const RESTORE = 'Restore the folder from a copy, or name an empty folder with `--journal` to begin again.'

/** The error for a file or folder that cannot be written. */
export function unwritable(path: string, cause: unknown): KeystampError {
  return new KeystampError('OUTPUT_UNWRITABLE', `${path} cannot be written: ${systemReason(cause)}.`, { cause })
}

/** The error for a file or folder that cannot be read. */
export function unreadable(path: string, cause: unknown): KeystampError {
  return new KeystampError('INPUT_UNREADABLE', `${path} cannot be read: ${systemReason(cause)}.`, { cause })
}
