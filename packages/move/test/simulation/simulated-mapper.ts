import type { DocumentMapper } from '../../src/documents/document-mapper.ts'
import type { Identity } from '../../src/documents/identity.ts'
import type { StoredDocument } from '../../src/documents/stored-document.ts'
import type { Body } from './simulated-document.ts'

const SYSTEM = new Set(['_rid', '_self', '_etag', '_attachments', '_ts', '_lsn'])

/**
 * Maps `pk` to `key`. `identity`: joins `pk` and `id`. `fields`: takes the field `group`, so that documents with the
 * same id and group meet in the target.
 */
export function createSimulatedMapper(basis: DocumentMapper['basis']): DocumentMapper {
  const keyOf = (body: Body): string =>
    basis === 'identity' ? `${String(body['pk'])}-${body.id}` : String(body['group'])
  return {
    basis,
    map: (document) => {
      const body = contentOf(document)
      if (body['group'] === null)
        return { kind: 'rejected', code: 'FIELD_MISSING', message: 'The field /group is missing.' }
      const bytes = new TextEncoder().encode(JSON.stringify({ ...body, key: keyOf(body) }))
      const identity = { key: [keyOf(body)], id: body.id }
      const stamped = {
        ok: true,
        bytes,
        start: 0,
        end: bytes.length,
        splices: [],
        values: [keyOf(body)],
        id: body.id,
        version: 0
      } as const
      return { kind: 'mapped', identity, stamped }
    },
    targetOf: ({ key, id }: Identity) => ({ key: [`${String(key[0])}-${id}`], id }),
    sourceOf: (copy) => {
      const { pk, id } = contentOf(copy)
      return typeof pk === 'string' ? { key: [pk], id } : undefined
    }
  }
}

/** The way back: removes `key`. */
export function createBackMapper(basis: DocumentMapper['basis']): DocumentMapper {
  const forward = createSimulatedMapper(basis)
  return {
    basis: 'fields',
    map: (document) => {
      const { key: _, ...body } = contentOf(document)
      const { pk, id } = body as Body
      const bytes = new TextEncoder().encode(JSON.stringify(body))
      const stamped = {
        ok: true,
        bytes,
        start: 0,
        end: bytes.length,
        splices: [],
        values: [pk as string],
        id,
        version: 0
      } as const
      return { kind: 'mapped', identity: { key: [pk as string], id }, stamped }
    },
    targetOf: () => ({ kind: 'rejected', code: 'FIELD_MISSING', message: 'The old key depends on fields.' }),
    sourceOf: (copy) => {
      const mapped = forward.map(copy, 0)
      return mapped.kind === 'mapped' ? mapped.identity : undefined
    }
  }
}

/** The content of a document without system properties. */
function contentOf({ bytes, start, end }: StoredDocument): Body {
  const all = JSON.parse(new TextDecoder().decode(bytes.subarray(start, end))) as Record<string, unknown>
  return Object.fromEntries(Object.entries(all).filter(([name]) => !SYSTEM.has(name))) as Body
}
