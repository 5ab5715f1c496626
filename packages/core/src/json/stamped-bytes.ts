import type { KeyValue } from '../key/field-value.ts'
import type { EncodedMember } from './encoded-member.ts'
import type { MemberTable } from './member-table.ts'

/**
 * One change of JSON bytes: `before` and then `value` as JSON replace `bytes[at, end)`.
 * A deletion has neither; an insertion has `end === at`; several insertions at one position are written in their order.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  /** JSON, such as a comma and a name with its colon. */
  readonly before: string
  /** The value itself, not yet as JSON: quoting it while it is written saves a pass and a string. */
  readonly value: KeyValue | undefined
}

/** A splice whose bytes may already be written somewhere. */
export interface EncodedSplice extends Splice {
  /** Holds `before` and `value` as bytes for as long as its generation is `generation`. */
  readonly encoded: EncodedMember | undefined
  readonly generation: number
}

/**
 * A record with its key: the bytes of the source and what has to change in them.
 * All positions count from the beginning of `bytes`. Nothing is copied: it is valid for as long as `bytes` keeps its content.
 */
export interface StampedBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  /** First byte of the record, without the whitespace around it. */
  readonly start: number
  readonly end: number
  /** In order, without overlap. Outside of them every byte of the output is that of the input. */
  readonly splices: readonly Splice[]
  /** One value for each level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or carried by the record; undefined where there is none and none is required. */
  readonly id: string | undefined
  /** Version of the plan that applied: 0 for the newest, 1 for the first of the previous ones. */
  readonly version: number
  /** The members at the top level of the record, as they came in. */
  readonly members: MemberTable
}
