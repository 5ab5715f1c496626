import type { Container } from './container.ts'
import type { Document } from './document.ts'
import type { LogicalPartition } from './logical-partition.ts'
import { childRid } from './resource-id.ts'
import { NOWHERE, type Slab } from './slab.ts'
import type { StoredDocument } from './stored-document.ts'

/** Properties of an item other than its document. */
export interface ItemProperties {
  readonly id: string
  readonly ordinal: number
  readonly version: number
  readonly lsn: number
  readonly timestamp: number
  readonly ttl: number | undefined
  readonly terms: number
}

/** State of an item, stored or staged. */
export interface ItemState extends ItemProperties {
  readonly length: number
  /** The user's JSON, without the system properties. */
  json(): string
  /** Whether storing a document would change nothing. */
  holds(document: Document | StoredDocument): boolean
}

/** An item of a container, whose bytes are in a slab. */
export class StoredItem implements ItemState {
  readonly partition: LogicalPartition
  id: string
  readonly ordinal: number
  version = 0
  lsn = 0
  timestamp = 0
  ttl: number | undefined = undefined
  terms = 0
  slab: Slab = NOWHERE
  offset = 0
  length = 0
  isAscii = true
  position = 0
  changePosition = 0

  constructor(partition: LogicalPartition, id: string, ordinal: number) {
    this.partition = partition
    this.id = id
    this.ordinal = ordinal
  }

  json(): string {
    return this.slab.bytes.toString(this.isAscii ? 'latin1' : 'utf8', this.offset, this.offset + this.length)
  }

  /** A copy of the current state, which later writes do not change. */
  snapshot(): ItemState {
    const { id, ordinal, version, lsn, timestamp, ttl, terms, length } = this
    const text = this.json()
    return {
      id,
      ordinal,
      version,
      lsn,
      timestamp,
      ttl,
      terms,
      length,
      json: () => text,
      holds: (document) => document.text === text
    }
  }

  holds(document: Document | StoredDocument): boolean {
    const { length } = document
    if (length !== this.length) return false
    if (document.bytes === undefined) return this.json() === document.text
    return (
      this.slab.bytes.compare(document.bytes, document.start, document.end, this.offset, this.offset + length) === 0
    )
  }
}

/** Whether an item's TTL has ended; nothing expires in a container without a default TTL. */
export function isExpired(item: ItemState, defaultTtl: number | undefined, nowMs: number): boolean {
  if (defaultTtl === undefined) return false
  const ttl = item.ttl ?? defaultTtl
  return ttl !== -1 && nowMs >= (item.timestamp + ttl) * 1000
}

/** The second since 1970 in which an item of a container with a default TTL expires; infinite if it never does. */
export function expiresAt(item: ItemState, defaultTtl: number): number {
  const ttl = item.ttl ?? defaultTtl
  return ttl === -1 ? Infinity : item.timestamp + ttl
}

/** An item that a write will store: its document was validated, but nothing has changed yet. */
export class StagedItem implements ItemState {
  readonly id: string
  readonly ttl: number | undefined
  readonly terms: number
  readonly length: number
  readonly document: Document | StoredDocument
  // set once the write is decided
  ordinal = 0
  version = 0
  lsn = 0
  timestamp = 0

  constructor(
    document: Document | StoredDocument,
    checked: { id: string; ttl: number | undefined; terms: number; length: number }
  ) {
    this.document = document
    this.id = checked.id
    this.ttl = checked.ttl
    this.terms = checked.terms
    this.length = checked.length
  }

  json(): string {
    return this.document.text
  }

  holds(document: Document | StoredDocument): boolean {
    return this.document.text === document.text
  }
}

/** A version of an item, as far as its JSON depends on it. */
type DocumentVersion = Pick<ItemState, 'json' | 'ordinal' | 'version' | 'timestamp'>

/** An item as returned to clients: the user's JSON and the system properties. */
export function documentText(container: Container, item: DocumentVersion): string {
  return item.json().slice(0, -1) + documentEnd(container, item)
}

/** The end of an item as returned to clients, in ASCII: the system properties, and the brace after them. */
export function documentEnd(container: Container, item: Omit<DocumentVersion, 'json'>): string {
  const rid = childRid(container.rid, item.ordinal, 'item')
  const etag = container.itemEtagText(item.version, item.timestamp)
  return `,"_rid":"${rid}","_self":"${container.self}docs/${rid}/","_etag":"\\"${etag}\\"","_attachments":"attachments/","_ts":${item.timestamp}}`
}
