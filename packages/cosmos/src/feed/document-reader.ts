import type { KeyComponent } from '@keystamp/core'
import {
  BACKSLASH,
  CLOSE_BRACE,
  componentAt,
  createFieldReader,
  type FieldReader,
  OPEN_BRACE,
  QUOTE
} from '@keystamp/core/internal'
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
  /** Position of the JSON string of the id in `bytes`, if it is known: a reader of `identity` decodes it. */
  readonly idStart?: number
  readonly idEnd?: number
  /** Position of the value of the key, if it is known; -1 if there is none, or if the key has several levels. */
  readonly keyStart?: number
  readonly keyEnd?: number
}

/** Reads the documents of pages in place of a feed, one page after the other. */
export interface PageReader {
  /** Begins a page, and forgets the page before, which may be the same one in an answer that was of no use. */
  readonly begin: (bytes: Buffer) => void
  /**
   * Reads the document that begins at `start`. Returns the position after it; a negative number if it is not valid.
   * `documentAt` reads it as a feed does.
   */
  readonly read: (
    start: number,
    limit: number,
    documentAt: (start: number, limit: number) => FeedDocument | undefined
  ) => number
}

/** Reads documents from bytes, without parsing more than their key, id and version. */
export interface DocumentReader {
  /** The documents of a page of latest versions; undefined if the bytes are not a whole page. */
  readonly page: (bytes: Buffer) => readonly FeedDocument[] | undefined
  /** Reads pages for another reader, as the number of their documents; without one, as `page`. */
  readonly pageFor: (reader: PageReader | undefined) => (bytes: Buffer) => number | ReturnType<DocumentReader['page']>
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
      const found = next(bytes, start, limit)
      if (found === undefined) return -1
      documents.push(found)
      return found.end
    })
    return isWhole ? documents : undefined
  }

  function pageFor(reader: PageReader | undefined): ReturnType<DocumentReader['pageFor']> {
    if (reader === undefined) return page
    return (bytes) => {
      let count = 0
      const documentFrom = (start: number, limit: number): FeedDocument | undefined => next(bytes, start, limit)
      reader.begin(bytes)
      const isWhole = cutPage(bytes, (start, limit) => {
        count++
        return reader.read(start, limit, documentFrom)
      })
      return isWhole ? count : undefined
    }
  }

  /** The document that begins at `start`. */
  function next(bytes: Buffer, start: number, limit: number): FeedDocument | undefined {
    const end = fields.scan(bytes, start, limit)
    return end < 0 ? undefined : documentAt(bytes, start, end)
  }

  function inside(bytes: Buffer, start: number, end: number): FeedDocument | undefined {
    return fields.scan(bytes, start, end) === end ? documentAt(bytes, start, end) : undefined
  }

  function documentAt(bytes: Buffer, start: number, end: number): FeedDocument | undefined {
    if (!fields.has(ID) || bytes[fields.startOf(ID)] !== QUOTE) return undefined
    return new ReadDocument(bytes, start, end, fields, levels)
  }

  return {
    page,
    pageFor,
    inside,
    document: (bytes) => {
      const start = bytes.indexOf(OPEN_BRACE)
      const end = bytes.lastIndexOf(CLOSE_BRACE) + 1
      return start < 0 || end <= start ? undefined : inside(bytes, start, end)
    }
  }
}

/** Not every reader of a feed needs the identity and the ETag of a document: they are decoded when they are asked for. */
class ReadDocument implements FeedDocument {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
  readonly timestamp: number
  readonly lsn: number | undefined
  readonly idStart: number
  readonly idEnd: number
  readonly keyStart: number
  readonly keyEnd: number
  readonly #etagStart: number
  readonly #etagEnd: number
  /** Values of a key with several levels. */
  readonly #levels: DocumentIdentity['key'] | undefined
  #identity: DocumentIdentity | undefined = undefined

  /** `fields`: a reader that has scanned the document. */
  constructor(bytes: Buffer, start: number, end: number, fields: FieldReader, levels: number) {
    this.bytes = bytes
    this.start = start
    this.end = end
    this.timestamp = fields.number(TIMESTAMP) ?? 0
    this.lsn = fields.number(LSN)
    this.idStart = fields.startOf(ID)
    this.idEnd = fields.endOf(ID)
    const hasKey = levels === 1 && fields.has(FIRST_KEY)
    this.keyStart = hasKey ? fields.startOf(FIRST_KEY) : -1
    this.keyEnd = hasKey ? fields.endOf(FIRST_KEY) : -1
    const hasEtag = fields.has(ETAG)
    this.#etagStart = hasEtag ? fields.startOf(ETAG) : 0
    this.#etagEnd = hasEtag ? fields.endOf(ETAG) : 0
    this.#levels =
      levels === 1 ? undefined : Array.from({ length: levels }, (_, level) => fields.component(FIRST_KEY + level))
  }

  get identity(): DocumentIdentity {
    this.#identity ??= { key: this.#levels ?? [this.#key()], id: textAt(this.bytes, this.idStart, this.idEnd) }
    return this.#identity
  }

  // a previous image may have no system properties, and no answer begins with a quote
  get etag(): string {
    return this.bytes[this.#etagStart] === QUOTE ? etagAt(this.bytes, this.#etagStart, this.#etagEnd) : ''
  }

  #key(): KeyComponent {
    return this.keyStart < 0 ? undefined : componentAt(this.bytes, this.keyStart, this.keyEnd)
  }
}

function textAt(bytes: Buffer, start: number, end: number): string {
  return componentAt(bytes, start, end) as string
}

/**
 * An ETag begins and ends with a quote, each after a backslash: decoding these escapes as those of any string would cost
 * more.
 */
function etagAt(bytes: Buffer, start: number, end: number): string {
  const isQuoted =
    end - start >= 6 && bytes[start + 1] === BACKSLASH && bytes[start + 2] === QUOTE && bytes[end - 2] === QUOTE
  if (!isQuoted) return anyText(bytes, start, end)
  for (let at = start + 3; at < end - 3; at++)
    if (bytes[at] >= 0x80 || bytes[at] === BACKSLASH) return anyText(bytes, start, end)
  return `${bytes.toString('latin1', start + 2, end - 3)}"`
}

function anyText(bytes: Buffer, start: number, end: number): string {
  return JSON.parse(bytes.toString('utf8', start, end)) as string
}
