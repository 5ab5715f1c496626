import { OPEN_BRACE, withoutByteOrderMark } from '@keystamp/core/internal'
import type { NumberPolicy, RegistrySettings } from '../config/settings.ts'
import { createAvroEnvelopeReader, type EnvelopeParts } from './avro/avro-envelope.ts'
import { createAvroReader, type ReadAvro } from './avro/avro-reader.ts'
import { parseSchema } from './avro/avro-schema.ts'
import { AvroSource } from './avro/avro-source.ts'
import { DecodeFailure } from './decode-failure.ts'
import { isWhitespace } from './json/json-cursor.ts'
import type { JsonTarget } from './json/json-target.ts'
import { writeBase64 } from './json/write-text.ts'
import { createProtobufReader } from './protobuf/proto-reader.ts'
import type { FindMessage } from './protobuf/proto-schema.ts'
import { createRegistryClient, httpGet, type RegistryDependencies, type SchemaBody } from './registry-client.ts'

const FRAME_BYTES = 5

/**
 * Reads values that begin with a zero byte and the four bytes of a schema id. Returns a promise when the schema has to
 * be fetched first.
 */
export function createRegistryReader(
  registry: Registry,
  numbers: NumberPolicy,
  target: JsonTarget,
  parts?: EnvelopeParts
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
    if (schema.type === 'unusable') throw copyOf(schema.failure)
    if (schema.type === 'JSON')
      return (bytes, from) => Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from)
    const read = readers.get(schema) ?? readerOrFailure(schema)
    readers.set(schema, read)
    if (read instanceof DecodeFailure) throw copyOf(read)
    return read
  }

  function readerOrFailure(schema: CompiledSchema): ReadAvro | DecodeFailure {
    try {
      return schema.type === 'PROTOBUF'
        ? createProtobufReader(schema.find, numbers, target)
        : avroReader(schema.schema, schema.references)
    } catch (failure) {
      if (failure instanceof DecodeFailure) return failure
      throw failure
    }
  }

  function avroReader(schema: unknown, references: readonly unknown[]): ReadAvro {
    const type = parseSchema(schema, references)
    if (type.kind === 'bytes' && type.logical === undefined) return rawBytes
    const readEnvelope = parts && createAvroEnvelopeReader(type, numbers, { source, target, parts })
    return readEnvelope ?? createAvroReader(type, numbers, source, target)
  }

  /** Confluent writes a value of type bytes without its length. */
  function rawBytes(bytes: Uint8Array, from: number): Buffer {
    target.begin()
    writeBase64(target, bytes, from, bytes.length)
    return target.end()
  }
}

function unframed(bytes: Uint8Array, policy: Registry['unframed']): Uint8Array {
  const json = withoutByteOrderMark(bytes)
  const first = json.find((byte) => !isWhitespace(byte))
  if (policy === 'json' && first === OPEN_BRACE) return json
  const remedy = first === OPEN_BRACE ? '; set `registry.unframed: json` to accept JSON without them' : ''
  throw new DecodeFailure(`it does not begin with a zero byte and the four bytes of a schema's id${remedy}`)
}

/** Copies a failure: each record needs its own, since its callers extend the path in it. */
function copyOf({ message, code }: DecodeFailure): DecodeFailure {
  return new DecodeFailure(message, code)
}

/** A schema that becomes a reader. */
type CompiledSchema =
  | { readonly type: 'AVRO'; readonly schema: unknown; readonly references: readonly unknown[] }
  | { readonly type: 'PROTOBUF'; readonly find: FindMessage }

/** Result for a schema id: a schema with its references, or why it cannot be used. */
type RegisteredSchema =
  | CompiledSchema
  | { readonly type: 'JSON' }
  | { readonly type: 'unusable'; readonly failure: DecodeFailure }

/** Client of a schema registry with a cache of its answers. */
export interface Registry {
  /** Cached result for an id. */
  readonly known: (id: number) => RegisteredSchema | undefined
  /**
   * Fetches a schema, once for all records that wait for it. Rejects when the registry refuses the credentials; retries
   * after any other failure.
   */
  readonly learn: (id: number) => Promise<void>
  readonly unframed: 'reject' | 'json'
  /** Why a request has no answer yet. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** Creates a client for the schema registry API that Confluent, Redpanda, Karapace and Apicurio offer. */
export function createRegistry(settings: RegistrySettings, dependencies: Partial<RegistryDependencies> = {}): Registry {
  const now = dependencies.now ?? (() => performance.now())
  const ask = createRegistryClient(settings, {
    httpGet: dependencies.httpGet ?? httpGet,
    wait: dependencies.wait ?? wait,
    auth: dependencies.auth
  })
  const schemas = new Map<number, { readonly schema: RegisteredSchema; readonly until: number }>()
  const asked = new Map<number, Promise<void>>()
  return {
    known(id) {
      const entry = schemas.get(id)
      return entry !== undefined && (entry.until === Infinity || now() < entry.until) ? entry.schema : undefined
    },
    learn(id) {
      const pending = asked.get(id) ?? learn(id).finally(() => asked.delete(id))
      asked.set(id, pending)
      return pending
    },
    unframed: settings.unframed ?? 'reject',
    get waitingFor() {
      return ask.waitingFor
    },
    close: ask.close
  }

  async function learn(id: number): Promise<void> {
    const schema = await fetchSchema(id, ask.get)
    // the schema of an id never changes; an unknown id can become known
    const until = schema.type === 'unknown' ? now() + UNKNOWN_MS : Infinity
    schemas.set(id, {
      schema: schema.type === 'unknown' ? { type: 'unusable', failure: schema.failure } : schema,
      until
    })
    forgetOldest(schemas)
  }
}

const UNKNOWN_MS = 10_000
const MAX_SCHEMAS = 1000

/** Limits the size of the cache: ids come from records, and a producer can invent any number of them. */
function forgetOldest(schemas: Map<number, unknown>): void {
  if (schemas.size <= MAX_SCHEMAS) return
  for (const id of schemas.keys()) {
    schemas.delete(id)
    return
  }
}

async function wait(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = (): void => clearTimeout(timer)
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}

interface Reference {
  readonly subject: string
  readonly version: number
}

type Get = (path: string) => Promise<SchemaBody | undefined>

/** Fetches the schema of an id and all schemas that it refers to. Each schema comes after its own references. */
async function fetchSchema(
  id: number,
  get: Get
): Promise<RegisteredSchema | { readonly type: 'unknown'; readonly failure: DecodeFailure }> {
  const body = await get(`/schemas/ids/${id}`)
  if (body === undefined) return { type: 'unknown', failure: unusable(`the registry knows no schema ${id}`) }
  const type = body.schemaType ?? 'AVRO'
  if (type === 'JSON') return { type }
  if (type !== 'AVRO' && type !== 'PROTOBUF')
    return {
      type: 'unusable',
      failure: unusable(`schema ${id} has a type that this sink does not read; it reads ${READ}`)
    }
  try {
    const references = await fetchReferences(id, body, get)
    if (type === 'AVRO')
      return { type, schema: parseSchemaText(body.schema), references: references.map(parseSchemaText) }
    // most sinks need no parser of Protobuf
    const { parseProto } = await import('./protobuf/proto-schema.ts')
    return { type, find: parseProto(body.schema, references) }
  } catch (failure) {
    if (!(failure instanceof DecodeFailure)) throw failure
    return { type: 'unusable', failure }
  }
}

const READ = 'Avro, JSON Schema and Protobuf'

async function fetchReferences(id: number, body: SchemaBody, get: Get): Promise<readonly string[]> {
  const seen = new Set<string>()
  const schemas: string[] = []
  await follow(body)
  return schemas

  async function follow({ references }: SchemaBody): Promise<void> {
    for (const { subject, version } of referencesIn(references)) {
      const path = `/subjects/${encodeURIComponent(subject)}/versions/${encodeURIComponent(version)}`
      if (seen.has(path)) continue
      seen.add(path)
      if (seen.size > MAX_REFERENCES) throw unusable(`schema ${id} refers to more than ${MAX_REFERENCES} others`)
      const referred = await get(path)
      if (referred === undefined)
        throw unusable(`schema ${id} refers to a subject and version that the registry does not know`)
      await follow(referred)
      schemas.push(referred.schema)
    }
  }
}

const MAX_REFERENCES = 100

function referencesIn(given: unknown): readonly Reference[] {
  return Array.isArray(given)
    ? given.filter((each: Partial<Reference> | null) => typeof each?.subject === 'string')
    : []
}

function parseSchemaText(schema: string): unknown {
  try {
    return JSON.parse(schema)
  } catch {
    // the schema of a primitive type may be its name without quotes
    return schema
  }
}

function unusable(reason: string): DecodeFailure {
  return new DecodeFailure(reason, 'SCHEMA_UNKNOWN')
}
