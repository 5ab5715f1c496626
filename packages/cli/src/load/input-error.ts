import { KeystampError } from '@keystamp/core'
import { systemReason } from '../system-reason.ts'

/** Turns what the system says about an input into a sentence that names it. */
export function inputError(input: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  // nor is an end that the user asked for a failure of the input
  if (typeof code !== 'string' || code === 'ABORT_ERR') return error
  const name = input === '-' ? 'Standard input' : input
  if (/^(?:Z_|ERR_ZSTD|ZSTD_)/.test(code)) {
    const why = code === 'Z_BUF_ERROR' ? 'it ends before it is complete' : 'it is damaged, or not compressed at all'
    return new KeystampError('INPUT_INVALID', `${name} cannot be decompressed: ${why}.`, { cause: error })
  }
  return new KeystampError('INPUT_UNREADABLE', `${name} cannot be read: ${systemReason(error)}.`, { cause: error })
}
