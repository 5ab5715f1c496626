import type { NumberPolicy } from '../config/settings.ts'
import { AvroSource } from './avro/avro-source.ts'
import { createAvroReader, type ReadAvro } from './avro/avro-reader.ts'
import { parseSchema } from './avro/avro-schema.ts'
import { DecodeFailure } from './decode-failure.ts'
import { isWhitespace, skipMark } from './json/json-cursor.ts'
import type { JsonTarget } from './json/json-target.ts'
import { writeBase64 } from './json/write-text.ts'
import type { RegisteredSchema, Registry } from './registry.ts'

const FRAME_BYTES = 5
const OPEN_BRACE = 0x7b

/** Reads values that begin with a zero byte and the four bytes of a schema id. Returns a promise when the schema has to be fetched first. */
export function createRegistryReader(
  registry: Registry,
  numbers: NumberPolicy,
  target: JsonTarget
): (bytes: Uint8Array) => Uint8Array | Promise<void> {
  const source = new AvroSource()
  const readers = new WeakMap<RegisteredSchema, ReadAvro | DecodeFailure>()
  let lastId = -1
  let lastRead: ReadAvro | undefined
  return (bytes) => {
    if (bytes.length < FRAME_BYTES || bytes[0] !== 0) return unframed(bytes, registry.unframed)
    const id = bytes[1] * 2 ** 24 + ((bytes[2] << 16) | (bytes[3] << 8) | bytes[4])
    if (id !== lastId) {
      const schema = registry.known(id)
      if (schema === undefined) return registry.learn(id)
      lastRead = readerOf(schema)
      lastId = id
    }
    return lastRead!(bytes, FRAME_BYTES)
  }

  function readerOf(schema: RegisteredSchema): ReadAvro {
    if (schema.type === 'unusable') throw again(schema.failure)
    if (schema.type === 'JSON') return (bytes, from) => Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from)
    const read = readers.get(schema) ?? readerOrFailure(schema.schema, schema.references)
    readers.set(schema, read)
    if (read instanceof DecodeFailure) throw again(read)
    return read
  }

  function readerOrFailure(schema: unknown, references: readonly unknown[]): ReadAvro | DecodeFailure {
    try {
      return avroReader(schema, references)
    } catch (failure) {
      if (failure instanceof DecodeFailure) return failure
      throw failure
    }
  }

  function avroReader(schema: unknown, references: readonly unknown[]): ReadAvro {
    const type = parseSchema(schema, references)
    return type.kind === 'bytes' && type.logical === undefined ? rawBytes : createAvroReader(type, numbers, source, target)
  }

  /** Confluent writes a value of type bytes without its length. */
  function rawBytes(bytes: Uint8Array, from: number): Buffer {
    target.begin()
    writeBase64(target, bytes, from, bytes.length)
    return target.end()
  }
}

function unframed(bytes: Uint8Array, policy: Registry['unframed']): Uint8Array {
  const json = skipMark(bytes)
  const first = json.find((byte) => !isWhitespace(byte))
  if (policy === 'json' && first === OPEN_BRACE) return json
  const remedy = first === OPEN_BRACE ? '; JSON without it is taken where `registry.unframed` is `json`' : ''
  throw new DecodeFailure(`it does not begin with a zero byte and the four bytes of a schema's id${remedy}`)
}

/** Each record gets a failure of its own, since its path is extended on the way out. */
function again({ message, code }: DecodeFailure): DecodeFailure {
  return new DecodeFailure(message, code)
}
