import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'

/** A record whose value and key have become readable. */
export interface Decoded {
  readonly ok: true
  /** The document as JSON bytes, untouched where the record was JSON; undefined for a tombstone. */
  readonly json: Uint8Array | undefined
  /** The key as text: JSON where it has members. Null where the record has none. */
  readonly key: string | Uint8Array | null
}

/**
 * Turns records into JSON. Answers at once, or with a promise where a schema has to be fetched first; a failure is an answer.
 * The promise rejects only with what stops the work.
 */
export interface Decoder {
  readonly decode: (record: SinkRecord) => Decoded | SinkRejection | Promise<Decoded | SinkRejection>
  /** Why records wait, when they do: a registry that cannot be reached. */
  readonly waitingFor: string | undefined
  readonly close: () => void
}
