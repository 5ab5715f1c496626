import { RECORD_CODES } from '@keystamp/core'
import type { Refusal } from '../key/key-stamper.ts'

/** The refusal of a record that is longer than the limit. */
export function tooLarge(maxBytes: number): Refusal {
  const message = `${RECORD_CODES.JSON_TOO_LARGE.sentence.replace(/\.$/, '')} of ${maxBytes} bytes.`
  return { ok: false, code: 'JSON_TOO_LARGE', path: '', at: undefined, message }
}
