/** State of a sink. */
export type SinkState = 'starting' | 'running' | 'draining' | 'stopped' | 'failed'

/** Event that may change the state of a sink. */
export type SinkEvent = 'started' | 'stopAsked' | 'drained' | 'closed' | 'broken'

/** `closing` is the part of `draining` in which nothing can fail any more. */
type Phase = SinkState | 'closing'

/** Next phase for each phase and event; an event that changes nothing leads back. The last two phases are final. */
const NEXT_PHASE: Readonly<Record<Phase, Readonly<Record<SinkEvent, Phase>>>> = {
  starting: { started: 'running', stopAsked: 'draining', drained: 'starting', closed: 'starting', broken: 'failed' },
  running: { started: 'running', stopAsked: 'draining', drained: 'running', closed: 'running', broken: 'failed' },
  draining: { started: 'draining', stopAsked: 'draining', drained: 'closing', closed: 'draining', broken: 'failed' },
  closing: { started: 'closing', stopAsked: 'closing', drained: 'closing', closed: 'stopped', broken: 'closing' },
  stopped: { started: 'stopped', stopAsked: 'stopped', drained: 'stopped', closed: 'stopped', broken: 'stopped' },
  failed: { started: 'failed', stopAsked: 'failed', drained: 'failed', closed: 'failed', broken: 'failed' }
}

/** State of one sink. */
export interface States {
  readonly state: SinkState
  /** True once the sink has begun to leave its group. */
  readonly isClosing: boolean
  /** Applies the event. Returns whether it changed anything. */
  readonly on: (event: SinkEvent) => boolean
}

/** Begins with `starting`. Calls `onChange` with every new state. */
export function createStates(onChange: (state: SinkState, before: SinkState) => void): States {
  let phase: Phase = 'starting'
  return {
    get state() {
      return stateOf(phase)
    },
    get isClosing() {
      return phase === 'closing' || phase === 'stopped' || phase === 'failed'
    },
    on: (event) => {
      const before = phase
      phase = NEXT_PHASE[before][event]
      if (phase === before) return false
      if (stateOf(phase) !== stateOf(before)) onChange(stateOf(phase), stateOf(before))
      return true
    }
  }
}

function stateOf(phase: Phase): SinkState {
  return phase === 'closing' ? 'draining' : phase
}
