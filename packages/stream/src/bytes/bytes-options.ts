import { KeystampError } from '@keystamp/core'
import type { RejectOptions } from '../reject/reject-options.ts'

/** What the stages over bytes have in common. */
export interface BytesOptions extends RejectOptions<string> {
  /** A record of more bytes is rejected with JSON_TOO_LARGE. Default: 16 MiB; Cosmos DB itself stores up to 2 MB. */
  readonly maxRecordBytes?: number | undefined
}

const DEFAULT_MAX_RECORD_BYTES = 16 * 1024 * 1024
const MOST_RECORD_BYTES = 2 ** 29

export function maxRecordBytesOf({ maxRecordBytes = DEFAULT_MAX_RECORD_BYTES }: BytesOptions): number {
  if (Number.isInteger(maxRecordBytes) && maxRecordBytes > 0 && maxRecordBytes <= MOST_RECORD_BYTES) return maxRecordBytes
  throw new KeystampError('OPTION_INVALID', `\`maxRecordBytes\` must be a whole number from 1 to ${MOST_RECORD_BYTES}.`)
}
