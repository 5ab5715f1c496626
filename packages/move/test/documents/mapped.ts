import { joinedLength, joinInto, type StampedBytes } from '@keystamp/core'
import type { Pointer } from '@keystamp/core/internal'
import type { CopyOptions } from '../../src/documents/copy-layout.ts'
import type { DocumentMapper, MappedDocument } from '../../src/documents/document-mapper.ts'
import { readStoredDocument } from '../../src/documents/identity-reader.ts'
import type { StoredDocument } from '../../src/documents/stored-document.ts'

/** Second of the last change of stored documents, unless they say another one. */
export const CHANGED_AT = 1_700_000_000

const SYSTEM = {
  _rid: 'Sl8fALN4sw4',
  _self: 'dbs/Sl8fAA==/',
  _etag: '"00000000-0000"',
  _attachments: 'attachments/',
  _ts: CHANGED_AT
}

/** A document as a container returns it: in the middle of other bytes. */
export function stored(document: object | string, keyPaths: readonly Pointer[]): StoredDocument {
  const text = typeof document === 'string' ? document : JSON.stringify({ ...document, ...SYSTEM })
  const bytes = new TextEncoder().encode(`[{"a":1},${text},{}]`)
  const found = readStoredDocument(bytes, 9, bytes.length - 4, keyPaths)
  if (found === undefined) throw new Error('The bytes are no document with an id.')
  return found
}

/** Bytes of a stamped document as text. */
export function joined(stamped: StampedBytes): string {
  const bytes = new Uint8Array(joinedLength(stamped))
  if (joinInto(stamped, bytes, 0) !== bytes.length) throw new Error('The length of the document is wrong.')
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** Options of a move from `/tenantId`, whose documents do not expire. */
export function optionsFor(plan: CopyOptions['plan'], others: Partial<CopyOptions> = {}): CopyOptions {
  return { plan, sourceKeyPaths: [['tenantId']], sourceDefaultTtl: undefined, ttl: 'remaining', ...others }
}

/** The result of a mapper, which must not be a rejection. */
export function mapped(
  mapper: DocumentMapper,
  document: StoredDocument,
  nowMs: number = CHANGED_AT * 1000
): MappedDocument {
  const result = mapper.map(document, nowMs)
  if (result.kind !== 'mapped') throw new Error(`The document is ${JSON.stringify(result)}.`)
  return result
}

/** A copy as the target returns it: system properties, one of them in front, and other white space. */
export function storedCopy(copy: MappedDocument, keyPaths: readonly Pointer[]): StoredDocument {
  const text = joined(copy.stamped)
  return stored(`{"_rid":"x",\n ${text.slice(1, -1)} ,"_etag":"\\"1\\"" , "_ts":${CHANGED_AT + 9}}`, keyPaths)
}
