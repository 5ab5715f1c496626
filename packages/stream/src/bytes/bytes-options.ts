import { KeystampError, RECORD_CODES } from '@keystamp/core'
import type { Refusal } from '../key/key-stamper.ts'
import type { RejectOptions } from '../reject/rejected.ts'

/** Options of all stages that read bytes. */
export interface BytesOptions extends RejectOptions<string> {
  /**
   * Maximum length of a record, in bytes. A longer record is rejected with JSON_TOO_LARGE. Default: 16 MiB; Cosmos DB
   * itself stores up to 2 MB.
   */
  readonly maxRecordBytes?: number | undefined
}

const DEFAULT_MAX_RECORD_BYTES = 16 * 1024 * 1024
const MAX_RECORD_BYTES = 2 ** 29

export function maxRecordBytesOf({
  maxRecordBytes = DEFAULT_MAX_RECORD_BYTES
}: Pick<BytesOptions, 'maxRecordBytes'>): number {
  if (Number.isInteger(maxRecordBytes) && maxRecordBytes > 0 && maxRecordBytes <= MAX_RECORD_BYTES)
    return maxRecordBytes
  throw new KeystampError('OPTION_INVALID', `\`maxRecordBytes\` must be a whole number from 1 to ${MAX_RECORD_BYTES}.`)
}

/** Refusal of a record that is longer than the limit. */
export function tooLarge(maxBytes: number): Refusal {
  const message = `${RECORD_CODES.JSON_TOO_LARGE.sentence.replace(/\.$/, '')} of ${maxBytes} bytes.`
  return { ok: false, code: 'JSON_TOO_LARGE', path: '', at: undefined, message }
}

/** Options of stages that read arrays. */
export interface ArrayOptions extends BytesOptions {
  /** Form of the output: lines of JSON, or a JSON array. Default: `lines`. */
  readonly to?: 'lines' | 'array' | undefined
  /**
   * Path of the array inside a larger document: property names separated by dots, such as `a.b`. Default: the document
   * is the array.
   */
  readonly pick?: string | undefined
}

export function checkArrayOptions({ to, pick }: ArrayOptions): void {
  if (to !== undefined && to !== 'lines' && to !== 'array')
    throw new KeystampError('OPTION_INVALID', '`to` must be "lines" or "array".')
  if (pick !== undefined && (typeof pick !== 'string' || pick === '')) {
    throw new KeystampError('OPTION_INVALID', '`pick` must be property names separated by dots, such as "a.b".')
  }
}
