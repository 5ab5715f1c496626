import { KeyReader, type Pointer } from '@keystamp/core/internal'
import type { StoredDocument } from './stored-document.ts'

const ID = 0
const ETAG = 1
const TIMESTAMP = 2
const LSN = 3
const FIELDS: readonly Pointer[] = [['id'], ['_etag'], ['_ts'], ['_lsn']]

/** Reads the document in `bytes[start, end)`; undefined if these are no object with an id. */
export type ReadStoredDocument = (bytes: Uint8Array, start: number, end: number) => StoredDocument | undefined

/** Creates a reader of the documents of a container, by the pointers of its key paths. */
export function createIdentityReader(keyPaths: readonly Pointer[]): ReadStoredDocument {
  const reader = new KeyReader([{ paths: keyPaths, version: 2 }], FIELDS)
  return (bytes, start, end) => {
    if (!reader.read(bytes, start, end, undefined)) return undefined
    const id = reader.field(ID)
    if (typeof id !== 'string') return undefined
    const etag = reader.field(ETAG)
    return {
      bytes,
      start,
      end,
      identity: { key: [...reader.values(0)], id },
      etag: typeof etag === 'string' ? etag : '',
      timestamp: numberOf(reader, TIMESTAMP) ?? 0,
      lsn: numberOf(reader, LSN)
    }
  }
}

/** Reads one document, as `createIdentityReader` does. */
export function readStoredDocument(
  bytes: Uint8Array,
  start: number,
  end: number,
  keyPaths: readonly Pointer[]
): StoredDocument | undefined {
  return createIdentityReader(keyPaths)(bytes, start, end)
}

function numberOf(reader: KeyReader, field: number): number | undefined {
  const value = reader.field(field)
  return typeof value === 'number' ? value : undefined
}
