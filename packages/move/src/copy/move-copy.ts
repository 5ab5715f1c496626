import type { RangeToken } from '@keystamp/cosmos'
import type { Freshness } from '../containers/move-container.ts'
import type { Identity } from '../documents/identity.ts'
import type { RangePosition } from '../journal/journal.ts'
import type { QueueCounts } from './identity-queue.ts'

/** Progress of a copy. */
export interface CopyStatus {
  readonly ranges: readonly RangePosition[]
  /** Whether every range was read to its end once. */
  readonly isCopied: boolean
  /** All changes before this time are in the target, in milliseconds since 1970; 0 if it is unknown. */
  readonly caughtUpMs: number
  /** The same by the process's own clock, and only after reads to the end of the feeds; -Infinity if it is unknown. */
  readonly readToEndMs: number
  readonly counts: QueueCounts
  readonly pausedFor: string | undefined
}

/** The copy in one direction, as a move sees it: of one process, or of several that share it. */
export interface MoveCopy {
  readonly status: CopyStatus
  /** Copies and follows until the signal aborts; then saves the positions, and resolves. */
  run(signal: AbortSignal): Promise<void>
  pause(reason: string): void
  resume(): void
  /** Reads a document from the source again, and makes the target agree with it. */
  reconcile(source: Identity, places: readonly Identity[]): void
  /** Whether the target has every change that the session tokens stand for. Absent if only the time can tell. */
  reaches?(tokens: readonly RangeToken[], freshness: Pick<Freshness, 'covers'>): boolean
  /** Resolves when all documents were reconciled, or when the copy has ended. Others may have work all the time. */
  reconciled(): Promise<void>
  /** Resolves when no document has work: ends only while the application does not write. */
  idle(): Promise<void>
  /** Resolves when no other process copies any more, so that all changes are known to this one. */
  gather?(signal: AbortSignal): Promise<void>
  /** Other processes may copy again. */
  scatter?(): Promise<void>
}
