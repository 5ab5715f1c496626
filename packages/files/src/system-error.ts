import { isKeystampError, KeystampError } from '@keystamp/core'

/** Converts a system error of an input to an error with a clear message. */
export function inputError(name: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined || isKeystampError(error) || isAbort(error)) return error
  if (code.startsWith('Z_') || code.startsWith('ERR_ZSTD') || code.startsWith('ZSTD_')) {
    const why = code === 'Z_BUF_ERROR' ? 'it ends before it is complete' : 'it is damaged, or not compressed at all'
    return new KeystampError('INPUT_INVALID', `${name} cannot be decompressed: ${why}.`, { cause: error })
  }
  return new KeystampError('INPUT_UNREADABLE', `${name} cannot be read: ${systemReason(error)}.`, { cause: error })
}

/** Converts a system error of the output to an error with a clear message. */
export function outputError(name: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined || code === 'EPIPE' || isKeystampError(error) || isAbort(error)) return error
  return new KeystampError('OUTPUT_UNWRITABLE', `${name} cannot be written: ${systemReason(error)}.`, { cause: error })
}

/** Returns the reason of a system error as the end of a sentence. */
export function systemReason(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  ELOOP: 'its links lead in a circle',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file is too large for this file system',
  EROFS: 'the disk is read-only',
  EMFILE: 'too many files are open',
  EIO: 'the device failed'
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
