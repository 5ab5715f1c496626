import type { Identity } from '../documents/identity.ts'
import type { CopyStatus } from './copier.ts'

/** The copy in one direction, as a move sees it: of one process, or of several that share it. */
export interface MoveCopy {
  readonly status: CopyStatus
  /** Copies and follows until the signal aborts; then saves the positions, and resolves. */
  run(signal: AbortSignal): Promise<void>
  pause(reason: string): void
  resume(): void
  /** Reads a document from the source again, and makes the target agree with it. */
  reconcile(source: Identity, places: readonly Identity[]): void
  /** Resolves when no document has work. */
  idle(): Promise<void>
  /** Resolves when no other process copies any more, so that all changes are known to this one. */
  gather?(signal: AbortSignal): Promise<void>
  /** Other processes may copy again. */
  scatter?(): Promise<void>
}
