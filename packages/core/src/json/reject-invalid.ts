import { reject, type Rejection } from '../errors/rejection.ts'

/** Says why reading stopped at `at`; the record begins at `start` and ends at `limit`. */
export function rejectInvalid(bytes: Uint8Array, at: number, limit: number, start: number): Rejection {
  return reject('JSON_INVALID', '', sentenceFor(bytes, at, limit), at - start)
}

function sentenceFor(bytes: Uint8Array, at: number, limit: number): string {
  if (at >= limit) return 'The record is not valid JSON: it ends before it is complete.'
  const byte = bytes[at]
  if (byte >= 0x80) return 'The record is not valid JSON: there is a byte that is out of place or not valid UTF-8.'
  if (byte < 0x20) return 'The record is not valid JSON: there is a control character where none may stand.'
  return 'The record is not valid JSON: there is a character where the grammar does not allow it.'
}
