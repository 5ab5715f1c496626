import type { FeedRange } from '../containers/move-container.ts'

/**
 * The record of one move, from which the same command continues it. The state is the sum of its entries. Entries are
 * applied in order; an entry that was appended survives the end of the process, and after `sync` a power failure, too.
 */
export interface Journal {
  /** The entries so far, applied. */
  readonly state: () => JournalState
  /** Applies the entry, and resolves when it survives the end of the process. */
  readonly append: (entry: JournalEntry) => Promise<void>
  /** Resolves when the disk has all entries. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

export type JournalEntry = BeginEntry | RangeEntry | PhaseEntry | ComparedEntry | RejectedEntry | HookEntry

/** First entry: the containers and the plan of the move. Another move cannot use the journal. */
export interface BeginEntry {
  readonly type: 'begin'
  readonly at: string
  readonly from: MovedContainer
  readonly to: MovedContainer
  /** Fingerprint of the plan. */
  readonly plan: string
  /** Whether deleted copies leave markers. Default: false. */
  readonly fence?: boolean
  /** Directions without an index of identities, because previous images tell the former places. Default: none. */
  readonly images?: readonly Direction[]
}

export interface MovedContainer {
  /** Endpoint, database and container, without credentials. */
  readonly name: string
  /** Resource id: a container that was created again is another one. */
  readonly rid: string
}

/** `forward`: from the source to the target. `back`: from the target to the source, after the switch. */
export type Direction = 'forward' | 'back'

/** New positions of feed ranges, which replace the positions of all ranges inside of these. One entry describes a split. */
export interface RangeEntry {
  readonly type: 'ranges'
  readonly direction: Direction
  readonly ranges: readonly RangePosition[]
}

/** Position of a feed range: all changes before it are in the other container. */
export interface RangePosition {
  readonly range: FeedRange
  /** Position in the feed of latest versions; null: nothing is copied yet. */
  readonly latest: string | null
  /** Position in the feed of all versions and deletes; null: it is not read. */
  readonly versions: string | null
  /** Millisecond since 1970 at which `versions` was received: it must be younger than the retention of the feed. */
  readonly versionsAt: number | null
  /**
   * Session token of the newest answer: without it, a replica that is behind could return a document whose delete was
   * already followed.
   */
  readonly sessionToken: string | null
  /** Whether the reader has been at the end of the feed of latest versions. */
  readonly isCopied: boolean
  /** Documents that were copied from this range, and its parents. */
  readonly documents: number
}

/**
 * Phases of a move. `copy` and `follow`: the source is in charge. `switch`: on the way to the target. `reverse`: the
 * target is in charge, and its changes are copied back. `back`: on the way back to the source, and then `follow` again.
 */
export type Phase = 'copy' | 'follow' | 'switch' | 'reverse' | 'back' | 'finished' | 'aborted'

export interface PhaseEntry {
  readonly type: 'phase'
  readonly phase: Phase
  readonly at: string
}

/**
 * The last hook of a turn begins, and runs again after a restart. `after`, the default, moves the application to the
 * other container: it may write there already, so that nothing before this hook may be repeated. `canceled` lets the
 * application write as before: it may do so already, so that it may not be moved in this turn any more.
 */
export interface HookEntry {
  readonly type: 'hook'
  readonly hook?: 'canceled'
  readonly at: string
}

/** A comparison of the two containers. */
export interface ComparedEntry {
  readonly type: 'compared'
  readonly at: string
  readonly isEqual: boolean
  /** Number of differences; if `isEqual`, of those that were copied again, and are equal now. */
  readonly differences: number
  /** Number of differences of documents that others have written in the container that is not in charge. Default: 0. */
  readonly ofOthers?: number
}

/** A document that cannot be copied, or, with `code` null, that is copied or deleted after all. */
export interface RejectedEntry {
  readonly type: 'rejected'
  readonly direction: Direction
  /** Hash of the identity, 32 hexadecimal digits: ids and keys are often personal data. */
  readonly document: string
  readonly code: string | null
}

/** The sum of the entries. */
export interface JournalState {
  /** Undefined for a new journal. */
  readonly begin: BeginEntry | undefined
  readonly phase: Phase
  /** When the phase began. */
  readonly phaseAt: string | undefined
  /** Whether the hook that moves the application has begun in this phase, and the turn was not called off since. */
  readonly isHookBegun: boolean
  /** Positions by direction, sorted by `min`, without overlap. */
  readonly ranges: Readonly<Record<Direction, readonly RangePosition[]>>
  /** Codes of the documents that cannot be copied, by the hash of their identity. */
  readonly rejected: Readonly<Record<Direction, ReadonlyMap<string, string>>>
  /** The last comparison. */
  readonly compared: ComparedEntry | undefined
}
