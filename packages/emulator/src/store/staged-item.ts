import type { DocumentBody } from './document-body.ts'
import type { DocumentContent } from './document-content.ts'
import type { ItemState } from './stored-item.ts'

/** An item that is decided upon but not stored yet. */
export class StagedItem implements ItemState {
  readonly id: string
  readonly ordinal: number
  readonly version: number
  readonly lsn: number
  readonly timestamp: number
  readonly ttl: number | undefined
  readonly terms: number
  readonly length: number
  readonly content: DocumentContent

  constructor(body: DocumentBody, place: { ordinal: number; version: number; lsn: number; timestamp: number }) {
    this.id = body.id
    this.ttl = body.ttl
    this.terms = body.terms
    this.length = body.length
    this.content = body.content
    this.ordinal = place.ordinal
    this.version = place.version
    this.lsn = place.lsn
    this.timestamp = place.timestamp
  }

  json(): string {
    return this.content.text
  }

  holds(content: DocumentContent): boolean {
    return this.content.text === content.text
  }
}
