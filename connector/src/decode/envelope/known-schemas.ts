import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'
import type { JsonCursor } from '../json/json-cursor.ts'
import { compileSchema } from './compile-schema.ts'
import type { Rewrite } from './rewrite.ts'

/** What has to be rewritten in the payloads of a schema; nothing for most. */
export interface SchemaUse {
  readonly rewrite: Rewrite | undefined
}

interface KnownSchema extends SchemaUse {
  readonly bytes: Buffer
}

/**
 * Schemas that came before. Every record carries its own, mostly the same as the record before:
 * comparing it takes the place of reading it.
 */
export class KnownSchemas {
  readonly #numbers: NumberPolicy
  #known: KnownSchema[] = []

  constructor(numbers: NumberPolicy) {
    this.#numbers = numbers
  }

  /** Reads the schema that begins at the cursor. */
  read(cursor: JsonCursor): SchemaUse {
    const { bytes, at, end } = cursor
    for (const known of this.#known) {
      const behind = at + known.bytes.length
      if (behind > end || bytes.compare(known.bytes, 0, known.bytes.length, at, behind) !== 0) continue
      cursor.at = behind
      return known
    }
    cursor.skipValue()
    const schema = Buffer.from(bytes.subarray(at, cursor.at))
    const known = { bytes: schema, rewrite: compileSchema(parse(schema), this.#numbers) }
    if (schema.length <= MAX_KEPT_BYTES) this.#known = [known, ...this.#known.slice(0, MAX_KNOWN - 1)]
    return known
  }
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
