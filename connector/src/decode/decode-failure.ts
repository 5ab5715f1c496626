import type { SinkRejection } from '../dead-letter/sink-codes.ts'

/**
 * Reason why bytes cannot be decoded: formats throw it, and the decoder returns it as a value. Contains nothing of the
 * payload.
 */
export class DecodeFailure extends Error {
  readonly code: 'DECODE_FAILED' | 'SCHEMA_UNKNOWN'
  /** JSON pointer to the value inside the decoded document. */
  path = ''

  /** `reason` continues a sentence after a colon. */
  constructor(reason: string, code: 'DECODE_FAILED' | 'SCHEMA_UNKNOWN' = 'DECODE_FAILED') {
    super(reason)
    this.code = code
  }
}

/** The same failure with its path extended by one outer step. */
export function within(failure: unknown, step: string | number): unknown {
  if (failure instanceof DecodeFailure) failure.path = `/${step}${failure.path}`
  return failure
}

/** Result for a record whose key or value cannot be decoded. Throws any other error again: that is a defect. */
export function toRejection(failure: unknown, side: 'key' | 'value', format: string): SinkRejection {
  if (!(failure instanceof DecodeFailure)) throw failure
  const { code, path, message } = failure
  return { ok: false, stage: 'decode', code, message: `The ${side} cannot be read as ${format}: ${message}.`, path }
}
