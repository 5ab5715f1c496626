import { isKeystampError, KeystampError } from '@keystamp/core'
import { systemCode, systemReason } from '@keystamp/core/internal'

/** Converts a system error of an input to an error with a clear message. */
export function inputError(name: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined || isKeystampError(error) || isAbort(error)) return error
  if (code.startsWith('Z_') || code.startsWith('ERR_ZSTD') || code.startsWith('ZSTD_')) {
    const why = code === 'Z_BUF_ERROR' ? 'it ends before it is complete' : 'it is damaged, or not compressed at all'
    return new KeystampError('INPUT_INVALID', `${name} cannot be decompressed: ${why}.`, { cause: error })
  }
  return new KeystampError('INPUT_UNREADABLE', `${name} cannot be read: ${systemReason(error)}.`, { cause: error })
}

/** Converts a system error of the output to an error with a clear message. */
export function outputError(name: string, error: unknown): unknown {
  const code = systemCode(error)
  if (code === undefined || code === 'EPIPE' || isKeystampError(error) || isAbort(error)) return error
  return new KeystampError('OUTPUT_UNWRITABLE', `${name} cannot be written: ${systemReason(error)}.`, { cause: error })
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
