import type { DocumentContent } from './document-content.ts'
import type { LogicalPartition } from './logical-partition.ts'
import { NOWHERE, type Slab } from './slab.ts'

/** What an operation needs to know of an item, stored or only staged by a batch. */
export interface ItemState {
  readonly id: string
  readonly ordinal: number
  readonly version: number
  readonly lsn: number
  readonly timestamp: number
  readonly ttl: number | undefined
  readonly terms: number
  readonly length: number
  /** The user's JSON, without the system properties. */
  json(): string
  /** Whether that is just what a document would be stored as. */
  holds(content: DocumentContent): boolean
}

/** An item of a container; its bytes lie in a slab. */
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
  place = 0
  changePlace = 0

  constructor(partition: LogicalPartition, id: string, ordinal: number) {
    this.partition = partition
    this.id = id
    this.ordinal = ordinal
  }

  json(): string {
    return this.slab.bytes.toString(this.isAscii ? 'latin1' : 'utf8', this.offset, this.offset + this.length)
  }

  /** The item as it is now, whatever is written to it later. */
  snapshot(): ItemState {
    const { id, ordinal, version, lsn, timestamp, ttl, terms, length } = this
    const text = this.json()
    return { id, ordinal, version, lsn, timestamp, ttl, terms, length, json: () => text, holds: (content) => content.text === text }
  }

  holds(content: DocumentContent): boolean {
    const { place, length } = content
    if (length !== this.length) return false
    if (place === undefined) return this.json() === content.text
    return this.slab.bytes.compare(place.bytes, place.start, place.end, this.offset, this.offset + length) === 0
  }
}
