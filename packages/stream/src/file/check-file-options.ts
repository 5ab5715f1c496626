import { KeystampError } from '@keystamp/core'
import { ARRAY_OPTIONS, BYTES_OPTIONS, checkOptions, KEY_OPTIONS, REJECT_OPTIONS } from '../flow/check-options.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'

export const DEFAULT_CHUNK_BYTES: number = 512 * 1024

const FILE_OPTIONS = ['inputs', 'output', 'form', 'signal', 'onProgress', 'progressEveryMs', 'chunkBytes', 'now']
const LEAST_CHUNK_BYTES = 512
const MOST_CHUNK_BYTES = 64 * 1024 * 1024

/** Checks what belongs to files; what belongs to keys, records and arrays is checked where it is used. */
export function checkFileOptions(options: StampFilesOptions): void {
  checkOptions(options, [...KEY_OPTIONS, ...REJECT_OPTIONS, ...BYTES_OPTIONS, ...ARRAY_OPTIONS, ...FILE_OPTIONS])
  const { inputs, form, to, pick, chunkBytes = DEFAULT_CHUNK_BYTES } = options
  if (!Array.isArray(inputs) || inputs.length === 0) throw invalid('`inputs` must name at least one file or stream.')
  if (form !== undefined && form !== 'lines' && form !== 'array') throw invalid('`form` must be "lines" or "array".')
  if (form !== 'array' && (to ?? pick) !== undefined) throw invalid('`to` and `pick` go with `form: "array"`.')
  if (!Number.isInteger(chunkBytes) || chunkBytes < LEAST_CHUNK_BYTES || chunkBytes > MOST_CHUNK_BYTES) {
    throw invalid(`\`chunkBytes\` must be a whole number from ${LEAST_CHUNK_BYTES} to ${MOST_CHUNK_BYTES}.`)
  }
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
