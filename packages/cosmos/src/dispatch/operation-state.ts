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
