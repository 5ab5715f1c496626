import type { NumberPolicy } from '../../config/settings.ts'
import { JsonCursor } from '../json/json-cursor.ts'
import type { JsonTarget } from '../json/json-target.ts'
import { KnownSchemas } from './known-schemas.ts'
import { RewrittenCopy } from './rewrite.ts'
import { splitEnvelope } from './split-envelope.ts'

/** Makes what takes the payload out of the envelopes of Connect's JsonConverter. Grammar inside of the payload is not checked here. */
export function createEnvelopeReader(numbers: NumberPolicy, target: JsonTarget): (bytes: Uint8Array) => Uint8Array {
  const schemas = new KnownSchemas(numbers)
  return (bytes) => {
    const { schema, payloadStart, payloadEnd } = splitEnvelope(bytes, schemas)
    if (schema.rewrite === undefined) return bytes.subarray(payloadStart, payloadEnd)
    const cursor = new JsonCursor(bytes, payloadStart, payloadEnd)
    const copy = new RewrittenCopy(cursor.bytes, payloadStart, target)
    schema.rewrite(cursor, copy)
    return copy.finish(payloadEnd)
  }
}
