import type { KeyValue } from '../plan/compiled.ts'
import type { MemberTable } from './member-table.ts'

/**
 * One change to JSON bytes: `before + text + after` stands where `bytes[at, end)` stood. A cut has no text, an insertion has `end === at`.
 * The three are kept apart because writing them one after the other is cheaper than joining them.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  readonly before: string
  readonly text: string
  readonly after: string
  /** How many bytes the three take in UTF-8. */
  readonly byteLength: number
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
