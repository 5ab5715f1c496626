import { CLOSE_BRACE, OPEN_BRACE } from '@keystamp/core/internal'
import type { NumberPolicy } from '../config/settings.ts'
import { compileSchema, type Rewrite, RewrittenCopy } from './connect-schema.ts'
import { DecodeFailure } from './decode-failure.ts'
import { isWhitespace, JsonCursor } from './json/json-cursor.ts'
import type { JsonTarget } from './json/json-target.ts'

/**
 * Creates a reader that extracts the payload from the envelopes of Connect's JsonConverter. It does not check whether
 * the payload is valid JSON. `fields`: the only properties of the payload whose values are converted; default: all.
 */
export function createEnvelopeReader(
  numbers: NumberPolicy,
  target: JsonTarget,
  fields?: readonly string[]
): (bytes: Uint8Array) => Uint8Array {
  const schemas = new KnownSchemas(numbers, fields)
  return (bytes) => {
    const { schema, payloadStart, payloadEnd } = splitEnvelope(bytes, schemas)
    if (schema.rewrite === undefined) return bytes.subarray(payloadStart, payloadEnd)
    const cursor = new JsonCursor(bytes, payloadStart, payloadEnd)
    const copy = new RewrittenCopy(cursor.bytes, payloadStart, target)
    schema.rewrite(cursor, copy)
    return copy.finish(payloadEnd)
  }
}

/** The two parts of an envelope of Kafka Connect's JsonConverter. */
interface Envelope {
  readonly schema: SchemaUse
  readonly payloadStart: number
  readonly payloadEnd: number
}

/** Finds schema and payload in `{"schema":...,"payload":...}`. Connect demands both, and nothing else. */
function splitEnvelope(bytes: Uint8Array, schemas: KnownSchemas): Envelope {
  const cursor = new JsonCursor(bytes)
  if (cursor.peek() !== OPEN_BRACE) throw noEnvelope()
  let schema: SchemaUse | undefined
  let payload: readonly [number, number] | undefined
  cursor.eachMember((name) => {
    const start = cursor.at
    if (name === 'schema' && schema === undefined) {
      schema = schemas.read(cursor)
    } else if (name === 'payload' && payload === undefined) {
      // a payload after the schema is the last property, as Connect writes it, so it ends before the closing brace
      if (schema === undefined) cursor.skipValue()
      else cursor.at = endBeforeBrace(cursor)
      payload = [start, cursor.at]
    } else throw noEnvelope()
  })
  if (schema === undefined || payload === undefined || cursor.peek() !== undefined) throw noEnvelope()
  return { schema, payloadStart: payload[0], payloadEnd: payload[1] }
}

/**
 * Returns the end of the last value, if the closing brace of the object is the last byte. If it is not, the bytes up to
 * the returned position are not valid JSON.
 */
function endBeforeBrace(cursor: JsonCursor): number {
  const { bytes, at, end } = cursor
  let after = end - 1
  while (after > at && isWhitespace(bytes[after - 1])) after--
  if (after <= at || bytes[end - 1] !== CLOSE_BRACE) throw noEnvelope()
  return after
}

function noEnvelope(): DecodeFailure {
  return new DecodeFailure(
    'it is not an object with exactly `schema` and `payload`; for JSON without them, the format is `json`'
  )
}

/** Rewriting that payloads of a schema need; undefined for most schemas. */
interface SchemaUse {
  readonly rewrite: Rewrite | undefined
}

interface KnownSchema extends SchemaUse {
  readonly bytes: Buffer
}

/**
 * Cache of schemas. Every record carries its own schema, mostly the same one as the record before, and comparing bytes
 * is cheaper than parsing.
 */
class KnownSchemas {
  readonly #numbers: NumberPolicy
  readonly #fields: readonly string[] | undefined
  #known: KnownSchema[] = []

  constructor(numbers: NumberPolicy, fields: readonly string[] | undefined) {
    this.#numbers = numbers
    this.#fields = fields
  }

  /** Reads the schema that begins at the cursor. */
  read(cursor: JsonCursor): SchemaUse {
    const { bytes, at, end } = cursor
    for (const known of this.#known) {
      const after = at + known.bytes.length
      if (after > end || bytes.compare(known.bytes, 0, known.bytes.length, at, after) !== 0) continue
      cursor.at = after
      return known
    }
    cursor.skipValue()
    const schema = Buffer.from(bytes.subarray(at, cursor.at))
    const known = { bytes: schema, rewrite: compileSchema(onlyFields(parse(schema), this.#fields), this.#numbers) }
    if (schema.length <= MAX_KEPT_BYTES) this.#known = [known, ...this.#known.slice(0, MAX_KNOWN - 1)]
    return known
  }
}

function onlyFields(schema: unknown, names: readonly string[] | undefined): unknown {
  const { fields } = (schema ?? {}) as { readonly fields?: unknown }
  if (names === undefined || !Array.isArray(fields)) return schema
  const kept = fields.filter((each: { readonly field?: unknown } | null) => names.includes(each?.field as string))
  return { ...(schema as object), fields: kept }
}

/** Whether a JSON object begins as the envelopes of Connect's JsonConverter do. */
export function isEnvelope(bytes: Uint8Array): boolean {
  let at = 0
  while (isWhitespace(bytes[at])) at++
  if (bytes[at] !== OPEN_BRACE) return false
  at++
  while (isWhitespace(bytes[at])) at++
  return isAt(SCHEMA_NAME, bytes, at) || isAt(PAYLOAD_NAME, bytes, at)
}

const SCHEMA_NAME = Buffer.from('"schema"')
const PAYLOAD_NAME = Buffer.from('"payload"')

function isAt(name: Uint8Array, bytes: Uint8Array, at: number): boolean {
  for (let index = 0; index < name.length; index++) if (bytes[at + index] !== name[index]) return false
  return true
}

const MAX_KNOWN = 16
const MAX_KEPT_BYTES = 1 << 20

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new DecodeFailure('its schema is not valid JSON')
  }
}
