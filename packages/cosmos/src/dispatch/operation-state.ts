/** State of an operation between its submission and its outcome. */
export type OperationState =
  /** Earlier operations on the same document are not completed yet. */
  | 'waiting'
  /** In the queue of a lane. */
  | 'queued'
  /** Taken from the queue; until the actions for its answer have been applied. */
  | 'inFlight'
  /** Waits for a delay to end before it returns to its queue. */
  | 'delayed'
  /** Its outcome was reported. */
  | 'closed'

export type OperationEvent = 'enqueue' | 'send' | 'requeue' | 'delay' | 'close'

/** Every state answers to every event; an event that changes nothing leads back. The last state is final. */
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
