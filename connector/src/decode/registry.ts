import type { RegistrySettings } from '../config/settings.ts'
import { DecodeFailure } from './decode-failure.ts'
import { createRegistryClient, httpGet, type RegistryDependencies, type SchemaBody } from './registry-client.ts'

/** Result for a schema id: a schema with its references, or why it cannot be used. */
export type RegisteredSchema =
  | { readonly type: 'AVRO'; readonly schema: unknown; readonly references: readonly unknown[] }
  | { readonly type: 'JSON' }
  | { readonly type: 'unusable'; readonly failure: DecodeFailure }

/** Client of a schema registry with a cache of its answers. */
export interface Registry {
  /** Cached result for an id. */
  readonly known: (id: number) => RegisteredSchema | undefined
  /** Fetches a schema, once for all records that wait for it. Rejects when the registry refuses the credentials; retries after any other failure. */
  readonly learn: (id: number) => Promise<void>
  readonly unframed: 'reject' | 'json'
  /** Why an answer is outstanding. */
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
    schemas.set(id, { schema: schema.type === 'unknown' ? { type: 'unusable', failure: schema.failure } : schema, until })
    forgetOldest(schemas)
  }
}

const UNKNOWN_MS = 10_000
const MAX_SCHEMAS = 1000

/** Bounds the cache: ids come from records, so a producer can make up any number of them. */
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

/** Fetches the schema of an id and all schemas that it refers to, each before the first that needs it. */
async function fetchSchema(
  id: number,
  get: Get
): Promise<RegisteredSchema | { readonly type: 'unknown'; readonly failure: DecodeFailure }> {
  const body = await get(`/schemas/ids/${id}`)
  if (body === undefined) return { type: 'unknown', failure: unusable(`the registry knows no schema ${id}`) }
  const type = body.schemaType ?? 'AVRO'
  if (type === 'JSON') return { type }
  if (type !== 'AVRO') return { type: 'unusable', failure: unusable(notRead(id, type)) }
  try {
    const references = await fetchReferences(id, body, get)
    return { type, schema: parseSchemaText(body.schema), references }
  } catch (failure) {
    if (!(failure instanceof DecodeFailure)) throw failure
    return { type: 'unusable', failure }
  }
}

async function fetchReferences(id: number, body: SchemaBody, get: Get): Promise<readonly unknown[]> {
  const seen = new Set<string>()
  const schemas: unknown[] = []
  await follow(body)
  return schemas

  async function follow({ references }: SchemaBody): Promise<void> {
    for (const { subject, version } of referencesIn(references)) {
      const path = `/subjects/${encodeURIComponent(subject)}/versions/${encodeURIComponent(version)}`
      if (seen.has(path)) continue
      seen.add(path)
      if (seen.size > MAX_REFERENCES) throw unusable(`schema ${id} refers to more than ${MAX_REFERENCES} others`)
      const referred = await get(path)
      if (referred === undefined) throw unusable(`schema ${id} refers to a subject and version that the registry does not know`)
      await follow(referred)
      schemas.push(parseSchemaText(referred.schema))
    }
  }
}

const MAX_REFERENCES = 100

function referencesIn(given: unknown): readonly Reference[] {
  return Array.isArray(given) ? given.filter((each: Partial<Reference> | null) => typeof each?.subject === 'string') : []
}

function notRead(id: number, type: unknown): string {
  return type === 'PROTOBUF'
    ? `schema ${id} is Protobuf, which this sink does not read; produce Avro or JSON Schema`
    : `schema ${id} is of a type that this sink does not read; Avro and JSON Schema it does`
}

function parseSchemaText(schema: string): unknown {
  try {
    return JSON.parse(schema)
  } catch {
    // the name of a primitive type may be there without quotes
    return schema
  }
}

function unusable(reason: string): DecodeFailure {
  return new DecodeFailure(reason, 'SCHEMA_UNKNOWN')
}
