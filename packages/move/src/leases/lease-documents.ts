import type { Direction, JournalEntry, RangePosition } from '../journal/journal.ts'

/** A document in the lease container. Each write increases its version. */
export type LeaseDocument = MoveRecord | RangeLease | WorkerRecord | RejectedRecord

/** A document that one worker at a time may change, and which it renews. */
export type OwnedDocument = MoveRecord | RangeLease | WorkerRecord

interface Written {
  readonly id: string
  readonly version: number
  /** Unique for each write, so that a worker recognizes its own write after a lost answer. */
  readonly tag: string
}

interface Owned extends Written {
  /** Name of the worker; null: none. */
  readonly owner: string | null
  /** Increases whenever a worker takes the lease. */
  readonly tenure: number
}

/** The move. Its owner coordinates the workers: only it changes the phase, compares, and runs hooks. */
export interface MoveRecord extends Owned {
  readonly kind: 'move'
  /** The journal without positions and rejected documents. */
  readonly entries: readonly JournalEntry[]
  /** Increases whenever the coordinator asks all workers to release their ranges. */
  readonly gathering: number
  /** Whether no worker but the coordinator may take a range now. */
  readonly isGathered: boolean
  /** ETags whose author the coordinator asks for, and the digests of their contents. */
  readonly asked: { readonly number: number; readonly etags: readonly string[]; readonly digests?: readonly string[] }
  /** Generation of the ranges in each direction: each beginning of a copy creates new leases. 0: none. */
  readonly generations: Readonly<Record<Direction, number>>
}

/** A range of the feeds in one direction: its owner reads both feeds, and writes the copies. */
export interface RangeLease extends Owned {
  readonly kind: 'range'
  readonly direction: Direction
  readonly generation: number
  readonly position: RangePosition
  /** Lease of the range of which this is a part. The lease is valid only if the parent lists it. */
  readonly parent: string | null
  /** Leases of the parts into which the range was split; null: it was not. */
  readonly children: readonly string[] | null
  /**
   * Lag of the copy when the owner wrote this, in milliseconds; null if it is unknown. For the status only. No time of
   * day, because the clocks of the workers may differ.
   */
  readonly lagMs: number | null
  /** False: only a coordinator may take the lease, and none before the one that has closed it. */
  readonly isOpen: boolean
  /** Tenure of the last coordinator that had the lease. */
  readonly coordinator: number
  /** Worker that asks the owner to release the lease. */
  readonly claimedBy: string | null
}

/** A worker. The record exists before its first lease. */
export interface WorkerRecord extends Owned {
  readonly kind: 'worker'
  /** Host and process, for messages. */
  readonly host: string
  /** Last gathering after whose beginning the worker held nothing and had nothing in flight. */
  readonly acknowledged: number
  /** Last question that the worker has answered, and the ETags in it that it has written. */
  readonly answered: { readonly number: number; readonly own: readonly string[] }
  readonly isEnded: boolean
}

/** A document that cannot be copied. */
export interface RejectedRecord extends Written {
  readonly kind: 'rejected'
  readonly direction: Direction
  /** Hash of the identity. */
  readonly document: string
  /** Null: it is copied, or deleted, after all. */
  readonly code: string | null
}

export interface Stored<Document extends LeaseDocument = LeaseDocument> {
  readonly document: Document
  readonly etag: string
}

export const MOVE_ID = 'move'

export function workerIdOf(name: string): string {
  return `worker.${name}`
}

export function createMoveRecord(entries: readonly JournalEntry[]): MoveRecord {
  return {
    kind: 'move',
    id: MOVE_ID,
    ...UNOWNED,
    entries,
    gathering: 0,
    isGathered: false,
    asked: { number: 0, etags: [] },
    generations: { forward: 0, back: 0 }
  }
}

export function createRangeLease(
  place: Pick<RangeLease, 'direction' | 'generation' | 'parent' | 'isOpen' | 'coordinator'>,
  position: RangePosition
): RangeLease {
  const { direction, generation } = place
  const { min, max } = position.range
  return {
    kind: 'range',
    id: `range.${direction}.${generation}.${min}.${max}`,
    ...UNOWNED,
    ...place,
    position,
    children: null,
    lagMs: null,
    claimedBy: null
  }
}

export function createWorkerRecord(name: string, host: string): WorkerRecord {
  return { kind: 'worker', id: workerIdOf(name), ...UNOWNED, host, ...UNASKED, isEnded: false }
}

const UNASKED = { acknowledged: 0, answered: { number: 0, own: [] } } as const
const UNOWNED = { version: 0, tag: '', owner: null, tenure: 0 } as const
