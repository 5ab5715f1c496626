import type { Position } from '../newest/position.ts'

/** State of an operation between its submission and its outcome. */
export type OperationState =
  /** Waits for earlier operations on the same document. */
  | 'waiting'
  /** In the queue of a lane. */
  | 'queued'
  /** Taken from the queue, until the actions for its answer are applied. */
  | 'inFlight'
  /** Waits for the end of a delay before it returns to its queue. */
  | 'delayed'
  /** Its outcome was reported. */
  | 'closed'

export type OperationEvent = 'enqueue' | 'send' | 'requeue' | 'delay' | 'close'

/**
 * The next state for each state and event. An event that changes nothing leads to the same state. `closed` is final.
 */
const NEXT_STATE: Readonly<Record<OperationState, Readonly<Record<OperationEvent, OperationState>>>> = {
  waiting: { enqueue: 'queued', send: 'waiting', requeue: 'waiting', delay: 'waiting', close: 'closed' },
  queued: { enqueue: 'queued', send: 'inFlight', requeue: 'queued', delay: 'queued', close: 'closed' },
  inFlight: { enqueue: 'inFlight', send: 'inFlight', requeue: 'queued', delay: 'delayed', close: 'closed' },
  delayed: { enqueue: 'delayed', send: 'delayed', requeue: 'queued', delay: 'delayed', close: 'closed' },
  closed: { enqueue: 'closed', send: 'closed', requeue: 'closed', delay: 'closed', close: 'closed' }
}

export function nextState(state: OperationState, event: OperationEvent): OperationState {
  return NEXT_STATE[state][event]
}

/** Progress of a write that stores a change only if it is newer than the stored document. */
export interface NewestState {
  position: Position
  /** Whether the change is the marker of a deleted document. */
  isMarker: boolean
  /** Set for a patch, which needs a document. */
  readonly patch: OrderedPatch | undefined
  /**
   * The next request: a create, because no document is known; a patch with the order as its condition; a read, because a
   * document exists; a replace or a patch with the ETag that was read; or a patch after another change of its atomic
   * batch, without a condition.
   */
  phase: NewestStep['phase']
  /** Number of times that another write came between. */
  conflicts: number
  /** Time of the first conflict. */
  conflictMs: number
}

/** A patch that is applied only if it is newer than the stored document. */
export interface OrderedPatch {
  /** JSON of the steps. */
  readonly body: string
  /** Condition that is met only if the patch is newer; undefined if no condition can tell. */
  readonly condition: string | undefined
  /** Whether this is a later part of a patch that is sent in parts: it shares the fate of the part before. */
  readonly isContinued: boolean
}

/** The next step of such a write, after an answer. */
export type NewestStep =
  | { readonly phase: 'create' | 'condition' | 'read'; readonly isConflict: boolean }
  | { readonly phase: 'replace'; readonly etag: string }
  | { readonly phase: 'after' }

export function newestState(position: Position, isMarker: boolean, patch?: OrderedPatch): NewestState {
  return { position, isMarker, patch, phase: 'create', conflicts: 0, conflictMs: 0 }
}
