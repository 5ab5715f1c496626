/** Where a sink is in its life. */
export type SinkState = 'starting' | 'running' | 'draining' | 'stopped' | 'failed'

/** What moves it on. */
export type SinkEvent = 'started' | 'stopAsked' | 'drained' | 'broken'

/** Every state answers to every event; an event that changes nothing leads back. The last two states are final. */
const NEXT_STATE: Readonly<Record<SinkState, Readonly<Record<SinkEvent, SinkState>>>> = {
  starting: { started: 'running', stopAsked: 'draining', drained: 'starting', broken: 'failed' },
  running: { started: 'running', stopAsked: 'draining', drained: 'running', broken: 'failed' },
  draining: { started: 'draining', stopAsked: 'draining', drained: 'stopped', broken: 'failed' },
  stopped: { started: 'stopped', stopAsked: 'stopped', drained: 'stopped', broken: 'stopped' },
  failed: { started: 'failed', stopAsked: 'failed', drained: 'failed', broken: 'failed' }
}

/** The state of one sink. */
export interface Lifecycle {
  readonly state: SinkState
  /** True when the state has changed by it. */
  readonly on: (event: SinkEvent) => boolean
}

/** Begins with `starting`; `onChange` hears of every new state. */
export function createLifecycle(onChange: (state: SinkState, before: SinkState) => void): Lifecycle {
  let state: SinkState = 'starting'
  return {
    get state() {
      return state
    },
    on: (event) => {
      const before = state
      state = NEXT_STATE[before][event]
      if (state === before) return false
      onChange(state, before)
      return true
    }
  }
}
