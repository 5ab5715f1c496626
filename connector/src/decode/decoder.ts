import {
  type Change,
  CLOSE_BRACE,
  createChangeReader,
  OPEN_BRACE,
  QUOTE,
  withoutByteOrderMark
} from '@keystamp/core/internal'
import { KeystampError, type Rejection } from '@keystamp/core'
import { needsRegistry } from '../config/schema/format-schema.ts'
import type { FormatSettings, NumberPolicy, SinkSettings, ValueSettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { OversizedBatch, SinkRecord } from '../kafka/consumer-port.ts'
import { createAvroEnvelopeReader, EnvelopeParts } from './avro/avro-envelope.ts'
import { createAvroReader } from './avro/avro-reader.ts'
import { parseSchema } from './avro/avro-schema.ts'
import { AvroSource } from './avro/avro-source.ts'
import { DecodeFailure, toRejection } from './decode-failure.ts'
import { createEnvelopeReader, isEnvelope } from './envelope-reader.ts'
import { packText, JsonTarget, writePacked } from './json/json-target.ts'
import { writeBase64, writeText } from './json/write-text.ts'
import type { RegistryDependencies } from './registry-client.ts'
import { createRegistry, createRegistryReader, type Registry } from './registry.ts'

/** Record with decoded value and key. */
export interface Decoded {
  readonly ok: true
  /** Document as JSON bytes: the original bytes if the record was JSON. Undefined for a tombstone or a delete. */
  readonly json: Uint8Array | undefined
  /** Key as a string; as JSON if it is an object or array. Null if the record has no key. */
  readonly key: string | Uint8Array | null
  /**
   * Kind of the change, the row before it, and the JSON that contains the rows, if the record is change data. A record
   * that the shape drops is a change that is ignored.
   */
  readonly change?: Pick<Change, 'kind' | 'before'> & { readonly envelope: Uint8Array }
}

/** Bytes that decoding created for the record; 0 if the document is the value of the record, or a part of it. */
export function decodedDocumentBytes({ value }: SinkRecord, decoded: Decoded | SinkRejection): number {
  if (!decoded.ok) return 0
  const { json, change } = decoded
  if (change === undefined) return createdBytes(json, value)
  // the whole envelope stays in memory with its rows; rows of MongoDB are copies
  const { envelope, before } = change
  return createdBytes(envelope, value) + createdBytes(json, envelope) + createdBytes(before, envelope)
}

function createdBytes(bytes: Uint8Array | undefined, whole: Uint8Array | null): number {
  if (bytes === undefined || bytes === whole) return 0
  return whole !== null && isPartOf(bytes, whole) ? 0 : bytes.length
}

function isPartOf({ buffer, byteOffset }: Uint8Array, whole: Uint8Array): boolean {
  return buffer === whole.buffer && byteOffset >= whole.byteOffset && byteOffset < whole.byteOffset + whole.length
}

/**
 * Decodes records to JSON. Returns a result at once, or a promise if a schema has to be fetched first; a failure is a
 * result. The promise rejects only with errors that stop the sink.
 */
export interface Decoder {
  readonly decode: (record: SinkRecord) => Decoded | SinkRejection | Promise<Decoded | SinkRejection>
  /** Why records wait, such as a registry that cannot be reached. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/**
 * Creates the decoder of a sink. Records whose schema is known are decoded synchronously. While the registry cannot be
 * reached, a record waits, and `waitingFor` gives the reason; refused credentials make the promise reject. After
 * `close`, waiting records never get a result.
 */
export function createDecoder(
  settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>,
  dependencies: Partial<RegistryDependencies> = {}
): Decoder {
  const registry = registryFor(settings, dependencies)
  const parts = settings.value.format === 'debezium' ? new EnvelopeParts() : undefined
  const options = { numbers: settings.numbers, target: new JsonTarget(), registry }
  const readValue = usable('value', () => createValueReader(settings.value, { ...options, parts }))
  const readKey = usable('key', () => createKeyReader(settings.key, options))
  const changes = settings.value.format === 'debezium' ? createChangeReader(settings.value) : undefined
  const hasNull = settings.value.format !== 'json'
  return {
    decode,
    get waitingFor() {
      return registry?.waitingFor
    },
    close: () => registry?.close()
  }

  function decode(record: SinkRecord): Decoded | SinkRejection | Promise<Decoded | SinkRejection> {
    if (record.value === null && record.oversizedBatch !== undefined) return oversized(record.oversizedBatch)
    let side: 'key' | 'value' = 'value'
    try {
      const json = valueOf(record, readValue)
      if (json instanceof Promise) return json.then(() => decode(record))
      side = 'key'
      const key = keyOf(record, readKey)
      if (key instanceof Promise) return key.then(() => decode(record))
      // an envelope whose payload is null is a tombstone, as in Connect; the JSON value null is not: it may be a
      // mistake, and a tombstone can delete a document
      const isTombstone = json === undefined || (hasNull && isNull(json))
      if (isTombstone || changes === undefined) return { ok: true, json: isTombstone ? undefined : json, key }
      const change = parts?.json === json ? changes.judge(parts) : changes.read(json)
      if (!change.ok) return toRejectedChange(change)
      const { kind, before, after } = change
      return { ok: true, json: after, key, change: { kind, before, envelope: json } }
    } catch (failure) {
      return toRejection(failure, side, FORMAT_NAMES[settings[side].format])
    }
  }
}

function oversized({ firstOffset, lastOffset, bytes, maxBytes }: OversizedBatch): SinkRejection {
  const size = `The batch of offsets ${firstOffset} to ${lastOffset} (${bytes} bytes as it was fetched) takes more than ${maxBytes} bytes of memory`
  const message = `${size}, so none of its records was read. See \`kafka.maxDecompressedBytes\` and \`kafka.onOversizedBatch\`.`
  return { ok: false, stage: 'decode', code: 'BATCH_TOO_LARGE', message, path: '' }
}

const FORMAT_NAMES = {
  json: 'JSON',
  'json-envelope': 'JSON with a schema',
  text: 'text',
  bytes: 'bytes',
  registry: 'a value of the schema registry',
  avro: 'Avro',
  debezium: 'change data'
} as const

function toRejectedChange({ code, message, path }: Rejection): SinkRejection {
  return { ok: false, stage: 'decode', code, message, path }
}

function valueOf({ value }: SinkRecord, read: ReadValue): Uint8Array | undefined | Promise<void> {
  return value === null ? undefined : read(value)
}

function keyOf({ key }: SinkRecord, read: ReadKey): string | Uint8Array | null | Promise<void> {
  return key === null ? null : read(key)
}

function registryFor(
  { key, value, registry }: Pick<SinkSettings, 'key' | 'value' | 'registry'>,
  dependencies: Partial<RegistryDependencies>
): Registry | undefined {
  if (!needsRegistry(key) && !needsRegistry(value)) return undefined
  if (registry === undefined)
    throw new KeystampError(
      'CONFIG_INVALID',
      'The format `registry` needs the address of the registry: set `registry.url`.'
    )
  return createRegistry(registry, dependencies)
}

function usable<T>(side: 'key' | 'value', create: () => T): T {
  try {
    return create()
  } catch (error) {
    if (!(error instanceof DecodeFailure)) throw error
    throw new KeystampError('CONFIG_INVALID', `The format of the ${side} cannot be used: ${error.message}.`, {
      cause: error
    })
  }
}

/**
 * Converts a value to JSON bytes. If it returns a promise, the caller has to call again after that. Throws a
 * DecodeFailure.
 */
type ReadValue = (bytes: Uint8Array) => Uint8Array | Promise<void>

interface ReaderOptions {
  readonly numbers: NumberPolicy
  readonly target: JsonTarget
  readonly registry: Registry | undefined
  /** Set by readers of change data in Avro. */
  readonly parts?: EnvelopeParts | undefined
}

/** Creates the value reader of a format. */
function createValueReader(settings: ValueSettings, options: ReaderOptions): ReadValue {
  const { numbers, target, registry, parts } = options
  switch (settings.format) {
    case 'json':
      return withoutByteOrderMark
    case 'json-envelope':
      return createEnvelopeReader(numbers, target)
    case 'text':
      return (bytes) => documentOfText(bytes, target)
    case 'bytes':
      return (bytes) => documentOfBytes(bytes, target)
    case 'avro': {
      const type = parseSchema(settings.schema)
      const source = new AvroSource()
      const readEnvelope = parts && createAvroEnvelopeReader(type, numbers, { source, target, parts })
      const read = readEnvelope ?? createAvroReader(type, numbers, source, target)
      return (bytes) => read(bytes, 0)
    }
    case 'registry':
      return createRegistryReader(registry!, numbers, target, parts)
    case 'debezium': {
      if (settings.encoding.format !== 'json') return createValueReader(settings.encoding, options)
      const unwrap = createEnvelopeReader(numbers, target, ['before', 'after'])
      return (bytes) => (isEnvelope(bytes) ? unwrap(bytes) : withoutByteOrderMark(bytes))
    }
  }
}

/**
 * Converts a key to the form that a plan reads. If it returns a promise, the caller has to call again after that.
 * Throws a DecodeFailure.
 */
type ReadKey = (bytes: Uint8Array) => string | Uint8Array | null | Promise<void>

/**
 * Creates the key reader of a format. A JSON string becomes a plain string, without quotes; an object or array stays
 * JSON.
 */
function createKeyReader(settings: FormatSettings, options: ReaderOptions): ReadKey {
  if (settings.format === 'text') return (bytes) => bytes
  if (settings.format === 'bytes')
    return (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  const read = createValueReader(settings, options)
  return (bytes) => {
    const json = read(bytes)
    if (json instanceof Promise) return json
    if (isNull(json)) return null
    return json[0] === QUOTE ? textOf(json) : json
  }
}

const keyDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(json: Uint8Array): string {
  try {
    return JSON.parse(keyDecoder.decode(json)) as string
  } catch {
    throw new DecodeFailure('it is not valid JSON')
  }
}

/** Whether the JSON is `null`. */
function isNull(json: Uint8Array): boolean {
  return json.length === 4 && json[0] === 0x6e && json[1] === 0x75 && json[2] === 0x6c && json[3] === 0x6c
}

const LABEL = packText('{"value":')

/** Reads a string value: a JSON object is the document itself, any other string becomes `{"value":"..."}`. */
export function documentOfText(given: Uint8Array, target: JsonTarget): Uint8Array {
  const bytes = withoutByteOrderMark(given)
  if (isObject(bytes)) return bytes
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  target.begin()
  writePacked(target, LABEL)
  writeText(target, bytes, view, 0, bytes.length)
  return closed(target)
}

/** Wraps bytes as `{"value":"..."}`, in base64. */
export function documentOfBytes(bytes: Uint8Array, target: JsonTarget): Uint8Array {
  target.begin()
  writePacked(target, LABEL)
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
