import type { NumberPolicy } from '../../../src/config/settings.ts'
import { AvroSource } from '../../../src/decode/avro/avro-source.ts'
import { createAvroReader } from '../../../src/decode/avro/avro-reader.ts'
import { parseSchema } from '../../../src/decode/avro/avro-schema.ts'
import { JsonTarget } from '../../../src/decode/json/json-target.ts'

export const EXACT: NumberPolicy = { int64: 'string', decimal: 'string' }

/** Reads values of one schema as JSON text. */
export function readerOf(schema: unknown, numbers: NumberPolicy = EXACT): (bytes: Uint8Array) => string {
  const read = createAvroReader(parseSchema(schema), numbers, new AvroSource(), target)
  return (bytes) => read(bytes, 0).toString()
}

const target = new JsonTarget()
