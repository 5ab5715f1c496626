import type { Position } from './position.ts'

/** Progress of a write that stores a change only if it is newer than the stored document. */
export interface NewestState {
  position: Position
  /**
   * The next request: a create, because no document is known; a read, because one exists; or a replace with the ETag
   * that was read.
   */
  phase: 'create' | 'read' | 'replace'
  /** Number of times that another write came between. */
  conflicts: number
  /** Time of the first conflict. */
  conflictMs: number
}

/** The next step of such a write, after an answer. */
export type NewestStep =
  | { readonly phase: 'create' | 'read'; readonly isConflict: boolean }
  | { readonly phase: 'replace'; readonly etag: string }

export function newestState(position: Position): NewestState {
  return { position, phase: 'create', conflicts: 0, conflictMs: 0 }
}
