import type { KeyValue } from '../key/field-value.ts'
import type { Ink } from './encoded-member.ts'
import type { MemberTable } from './member-table.ts'

/**
 * One change to JSON bytes: `before` and then `value` as JSON stand where `bytes[at, end)` stood.
 * A cut has neither, an insertion has `end === at`; several insertions at one place stand in their order.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  /** JSON text, such as a comma and a name. */
  readonly before: string
  /** Not yet JSON text: quoting it while it is written spares a pass and a text. */
  readonly value: KeyValue | undefined
  /** Where `before` and `value` stand as bytes too, as long as its turn is still this one. */
  readonly ink?: Ink | undefined
  readonly turn?: number
}

/**
 * A record with its key: the source bytes and what has to change in them.
 * All positions count from the beginning of `bytes`. Nothing is copied: it holds for as long as `bytes` keeps its content.
 */
export interface StampedBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  /** The record without the whitespace round it. */
  readonly start: number
  readonly end: number
  /** In order, without overlap. Outside of them every byte of the output is the input's. */
  readonly splices: readonly Splice[]
  readonly values: readonly KeyValue[]
  readonly id: string | undefined
  /** 0 for the plan itself, 1 for the first of its previous versions, and so on. */
  readonly version: number
  /** The record's own members at the top level, as they came in. */
  readonly members: MemberTable
}
