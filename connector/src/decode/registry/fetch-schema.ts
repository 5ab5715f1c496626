import { DecodeFailure } from '../decode-failure.ts'
import type { SchemaBody } from './patient-ask.ts'
import type { RegisteredSchema } from './registry.ts'

interface Reference {
  readonly subject: string
  readonly version: number
}

type Get = (path: string) => Promise<SchemaBody | undefined>

/** Asks for the schema of an id and for all that it refers to, each before what needs it. */
export async function fetchSchema(
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
    return { type, schema: parse(body.schema), references }
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
      schemas.push(parse(referred.schema))
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

function parse(schema: string): unknown {
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
