import type { FormatSettings, NumberPolicy } from '../config/settings.ts'
import { createAvroReader } from './avro/avro-reader.ts'
import { parseSchema } from './avro/avro-schema.ts'
import { AvroSource } from './avro/avro-source.ts'
import { DecodeFailure } from './decode-failure.ts'
import { createEnvelopeReader } from './envelope-reader.ts'
import { skipMark } from './json/json-cursor.ts'
import { createLabel, type JsonTarget, writeLabel } from './json/json-target.ts'
import { writeBase64, writeText } from './json/write-text.ts'
import { createRegistryReader } from './registry-reader.ts'
import type { Registry } from './registry.ts'

/** Converts a value to JSON bytes. Returns a promise where the caller has to retry after it. Throws a DecodeFailure. */
export type ReadValue = (bytes: Uint8Array) => Uint8Array | Promise<void>

interface ReaderOptions {
  readonly numbers: NumberPolicy
  readonly target: JsonTarget
  readonly registry: Registry | undefined
}

/** Creates the value reader of a format. */
export function createValueReader(settings: FormatSettings, { numbers, target, registry }: ReaderOptions): ReadValue {
  switch (settings.format) {
    case 'json':
      return skipMark
    case 'json-envelope':
      return createEnvelopeReader(numbers, target)
    case 'text':
      return (bytes) => documentOfText(bytes, target)
    case 'bytes':
      return (bytes) => documentOfBytes(bytes, target)
    case 'avro': {
      const read = createAvroReader(parseSchema(settings.schema), numbers, new AvroSource(), target)
      return (bytes) => read(bytes, 0)
    }
    case 'registry':
      return createRegistryReader(registry!, numbers, target)
  }
}

/** Converts a key to the form that a plan reads. Returns a promise where the caller has to retry after it. Throws a DecodeFailure. */
export type ReadKey = (bytes: Uint8Array) => string | Uint8Array | null | Promise<void>

/** Creates the key reader of a format. A key that is one string stays that string, without quotes; an object or array becomes JSON. */
export function createKeyReader(settings: FormatSettings, options: ReaderOptions): ReadKey {
  if (settings.format === 'text') return (bytes) => bytes
  if (settings.format === 'bytes') return (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  const read = createValueReader(settings, options)
  return (bytes) => {
    const json = read(bytes)
    if (json instanceof Promise) return json
    if (isNull(json)) return null
    return json[0] === QUOTE ? textOf(json) : json
  }
}

const QUOTE = 0x22
const keyDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(json: Uint8Array): string {
  try {
    return JSON.parse(keyDecoder.decode(json)) as string
  } catch {
    throw new DecodeFailure('it is not valid JSON')
  }
}

/** Whether the JSON is `null`. */
export function isNull(json: Uint8Array): boolean {
  return json.length === 4 && json[0] === 0x6e && json[1] === 0x75 && json[2] === 0x6c && json[3] === 0x6c
}

const LABEL = createLabel('{"value":')
const [OPEN_BRACE, CLOSE_BRACE] = [0x7b, 0x7d]

/** Reads a string value: a JSON object is the document itself, any other string becomes `{"value":"..."}`. */
export function documentOfText(given: Uint8Array, target: JsonTarget): Uint8Array {
  const bytes = skipMark(given)
  if (isObject(bytes)) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  target.begin()
  writeLabel(target, LABEL)
  writeText(target, bytes, view, 0, bytes.length)
  return closed(target)
}

/** Wraps bytes as `{"value":"..."}`, in base64. */
export function documentOfBytes(bytes: Uint8Array, target: JsonTarget): Uint8Array {
  target.begin()
  writeLabel(target, LABEL)
  writeBase64(target, bytes, 0, bytes.length)
  return closed(target)
}

function closed(target: JsonTarget): Uint8Array {
  target.reserve(1)
  target.put(CLOSE_BRACE)
  return target.end()
}

function isObject(bytes: Uint8Array): boolean {
  if (bytes.find((byte) => byte > 0x20) !== OPEN_BRACE) return false
  try {
    JSON.parse(strictDecoder.decode(bytes))
    return true
  } catch {
    return false
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true })
