import type { Rejection } from '@keystamp/core'
import { SINK_CODES, type SinkCode, type SinkRejection } from '../rejects/sink-codes.ts'

/** A record that cannot be shaped. */
export function rejectShape(code: SinkCode, path = ''): SinkRejection {
  const { sentence } = SINK_CODES[code]
  const message = path === '' ? sentence : `${sentence.replace(/\.$/, ':')} ${path}.`
  return { ok: false, stage: 'shape', code, message, path }
}

/** What the key plan says of a record, in the words of the sink. */
export function rejectedByPlan({ code, message, path }: Rejection): SinkRejection {
  return { ok: false, stage: 'shape', code, message, path }
}
