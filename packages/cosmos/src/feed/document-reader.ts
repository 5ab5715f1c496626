import type { KeyComponent } from '@keystamp/core'
import { BACKSLASH, CLOSE_BRACE, createFieldReader, OPEN_BRACE, QUOTE } from '@keystamp/core/internal'
import { membersOfPath } from '../client/container.ts'
import { cutPage } from './cut-page.ts'

/** Names one document of a container. */
export interface DocumentIdentity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** A document in the bytes of an answer, which may contain other documents, too. */
export interface FeedDocument {
  readonly bytes: Uint8Array
  /** First byte of the document, its opening brace. */
  readonly start: number
  /** Position after the closing brace. */
  readonly end: number
  readonly identity: DocumentIdentity
  readonly etag: string
  /** Second of the last change, since 1970. */
  readonly timestamp: number
  /** Number of the change in its physical partition; undefined for a document that was not read from a feed. */
  readonly lsn: number | undefined
}

/** Reads documents from bytes, without parsing more than their key, id and version. */
export interface DocumentReader {
  /** The documents of a page of latest versions; undefined if the bytes are not a whole page. */
  readonly page: (bytes: Buffer) => readonly FeedDocument[] | undefined
  /** The document that is the whole of `bytes`; undefined if it is not one. */
  readonly document: (bytes: Buffer) => FeedDocument | undefined
  /** The document in `bytes[start, end)`; undefined if it has no id. */
  readonly inside: (bytes: Buffer, start: number, end: number) => FeedDocument | undefined
}

const ID = 0
const ETAG = 1
const TIMESTAMP = 2
const LSN = 3
const FIRST_KEY = 4

/** Creates a reader of the documents of one container, by its key paths. */
export function createDocumentReader(paths: readonly string[]): DocumentReader {
  const fields = createFieldReader([['id'], ['_etag'], ['_ts'], ['_lsn'], ...paths.map(membersOfPath)])
  const levels = paths.length

  function page(bytes: Buffer): readonly FeedDocument[] | undefined {
    const documents: FeedDocument[] = []
    const isWhole = cutPage(bytes, (start, limit) => {
      const end = fields.scan(bytes, start, limit)
      if (end < 0) return end
      const found = documentAt(bytes, start, end)
      if (found === undefined) return -1
      documents.push(found)
      return end
    })
    return isWhole ? documents : undefined
  }

  function inside(bytes: Buffer, start: number, end: number): FeedDocument | undefined {
    return fields.scan(bytes, start, end) === end ? documentAt(bytes, start, end) : undefined
  }

  function documentAt(bytes: Buffer, start: number, end: number): FeedDocument | undefined {
    const id = fields.text(ID)
    if (id === undefined) return undefined
    const key: KeyComponent[] = []
    for (let level = 0; level < levels; level++) key.push(fields.component(FIRST_KEY + level))
    return {
      bytes,
      start,
      end,
      identity: { key, id },
      // a previous image may have no system properties
      etag: (fields.has(ETAG) ? etagAt(bytes, fields.startOf(ETAG), fields.endOf(ETAG)) : fields.text(ETAG)) ?? '',
      timestamp: fields.number(TIMESTAMP) ?? 0,
      lsn: fields.number(LSN)
    }
  }

  // an ETag begins and ends with a quote, each after a backslash: decoding these escapes as those of any string would
  // cost more than the rest of the document
  function etagAt(bytes: Buffer, start: number, end: number): string | undefined {
    const isQuoted =
      end - start >= 6 && bytes[start + 1] === BACKSLASH && bytes[start + 2] === QUOTE && bytes[end - 2] === QUOTE
    if (!isQuoted) return fields.text(ETAG)
    for (let at = start + 3; at < end - 3; at++)
      if (bytes[at] >= 0x80 || bytes[at] === BACKSLASH) return fields.text(ETAG)
    return `${bytes.toString('latin1', start + 2, end - 3)}"`
  }

  return {
    page,
    inside,
    document: (bytes) => {
      const start = bytes.indexOf(OPEN_BRACE)
      const end = bytes.lastIndexOf(CLOSE_BRACE) + 1
      return start < 0 || end <= start ? undefined : inside(bytes, start, end)
    }
  }
}
