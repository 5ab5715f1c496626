import type { Container } from './container.ts'

/** A document that came with a write, as an object or as bytes: what must be known of it before it is stored, and what is stored. */
export interface DocumentContent {
  readonly id: unknown
  readonly ttl: unknown
  /** The user's document, without the system properties. */
  readonly document: Record<string, unknown>
  /** The JSON text that is stored. */
  readonly text: string
  /** Bytes of the text. */
  readonly length: number
  readonly isAscii: boolean
  /** The text as bytes, when the document came so. */
  readonly place: DocumentPlace | undefined
  /** The text of its partition key in this container. */
  keyText(container: Container): string
  /** How many indexed values it has in this container, or -1 when it is nested too deeply. */
  terms(container: Container): number
}

/** Where the bytes of a document lie. */
export interface DocumentPlace {
  readonly bytes: Buffer
  readonly start: number
  readonly end: number
}
