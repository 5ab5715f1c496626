import { DecodeFailure } from '../decode-failure.ts'
import { isWhitespace, JsonCursor } from '../json/json-cursor.ts'
import type { KnownSchemas, SchemaUse } from './known-schemas.ts'

/** The two parts of what Kafka Connect's JsonConverter writes. */
export interface Envelope {
  readonly schema: SchemaUse
  readonly payloadStart: number
  readonly payloadEnd: number
}

/** Finds schema and payload in `{"schema":...,"payload":...}`, which must have both and nothing else, as Connect demands. */
export function splitEnvelope(bytes: Uint8Array, schemas: KnownSchemas): Envelope {
  const cursor = new JsonCursor(bytes)
  if (cursor.peek() !== 0x7b) throw noEnvelope()
  let schema: SchemaUse | undefined
  let payload: readonly [number, number] | undefined
  cursor.eachMember((name) => {
    const start = cursor.at
    if (name === 'schema' && schema === undefined) {
      schema = schemas.read(cursor)
    } else if (name === 'payload' && payload === undefined) {
      // behind the schema it is the last member, as Connect writes it: its end need not be looked for
      if (schema === undefined) cursor.skipValue()
      else cursor.at = endBeforeBrace(cursor)
      payload = [start, cursor.at]
    } else throw noEnvelope()
  })
  if (schema === undefined || payload === undefined || cursor.peek() !== undefined) throw noEnvelope()
  return { schema, payloadStart: payload[0], payloadEnd: payload[1] }
}

/** Where the last value of an object ends that fills the rest of the bytes. If it does not, what is taken for the value is no JSON. */
function endBeforeBrace(cursor: JsonCursor): number {
  const { bytes, at, end } = cursor
  let behind = end - 1
  while (behind > at && isWhitespace(bytes[behind - 1])) behind--
  if (behind <= at || bytes[end - 1] !== 0x7d) throw noEnvelope()
  return behind
}

function noEnvelope(): DecodeFailure {
  return new DecodeFailure('it is not an object of `schema` and `payload` alone; for JSON without them the format is `json`')
}
