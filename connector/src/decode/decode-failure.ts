import type { SinkRejection } from '../dead-letter/sink-codes.ts'

/** Why bytes cannot be read: thrown inside of a format, answered by the decoder as a value. Carries nothing of the payload. */
export class DecodeFailure extends Error {
  readonly code: 'DECODE_FAILED' | 'SCHEMA_UNKNOWN'
  /** The place inside of what was read, as a JSON pointer. */
  path = ''

  /** `reason` goes on behind a colon. */
  constructor(reason: string, code: 'DECODE_FAILED' | 'SCHEMA_UNKNOWN' = 'DECODE_FAILED') {
    super(reason)
    this.code = code
  }
}

/** The same failure, seen from one level further out. */
export function within(failure: unknown, step: string | number): unknown {
  if (failure instanceof DecodeFailure) failure.path = `/${step}${failure.path}`
  return failure
}

/** The answer for a record whose key or value cannot be read; what is no DecodeFailure is a mistake of ours and thrown on. */
export function toRejection(failure: unknown, side: 'key' | 'value', format: string): SinkRejection {
  if (!(failure instanceof DecodeFailure)) throw failure
  const { code, path, message } = failure
  return { ok: false, stage: 'decode', code, message: `The ${side} cannot be read as ${format}: ${message}.`, path }
}
