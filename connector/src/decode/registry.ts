import type { RegistrySettings } from '../config/settings.ts'
import { DecodeFailure } from './decode-failure.ts'
import { createRegistryClient, httpGet, type RegistryDependencies, type SchemaBody } from './registry-client.ts'

/** What a registry knows under an id: a schema with those it refers to, or why there is none to use. */
export type RegisteredSchema =
  | { readonly type: 'AVRO'; readonly schema: unknown; readonly references: readonly unknown[] }
  | { readonly type: 'JSON' }
  | { readonly type: 'unusable'; readonly failure: DecodeFailure }

/** A schema registry with what it has answered so far. */
export interface Registry {
  /** What is known of an id now. */
  readonly known: (id: number) => RegisteredSchema | undefined
  /** Asks for an id, once for all who wait for it. Rejects when the registry refuses us; whatever else happens, it asks again. */
  readonly learn: (id: number) => Promise<void>
  readonly unframed: 'reject' | 'json'
  /** Why the answer is still out. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}

/** Makes a client of a schema registry as Confluent, Redpanda, Karapace and Apicurio offer it. */
export function createRegistry(settings: RegistrySettings, surroundings: Partial<RegistryDependencies> = {}): Registry {
  const now = surroundings.now ?? (() => performance.now())
  const ask = createRegistryClient(settings, {
    httpGet: surroundings.httpGet ?? httpGet,
    wait: surroundings.wait ?? wait,
    auth: surroundings.auth
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
    // what an id means never changes; that it means nothing can
    const until = schema.type === 'unknown' ? now() + UNKNOWN_MS : Infinity
    schemas.set(id, { schema: schema.type === 'unknown' ? { type: 'unusable', failure: schema.failure } : schema, until })
    forgetOldest(schemas)
  }
}

const UNKNOWN_MS = 10_000
const MAX_SCHEMAS = 1000

/** Ids come out of records, so anybody can make up any number of them. */
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

/** Asks for the schema of an id and for all that it refers to, each before what needs it. */
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
    // a primitive may stand there without quotes
    return schema
  }
}

function unusable(reason: string): DecodeFailure {
  return new DecodeFailure(reason, 'SCHEMA_UNKNOWN')
}
