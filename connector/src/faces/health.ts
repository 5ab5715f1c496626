import type { Sink } from '../sink.ts'

/** What a probe is told: the status, and a reason for each sink. */
export interface Health {
  readonly isOk: boolean
  readonly sinks: readonly SinkHealth[]
}

interface SinkHealth {
  readonly name: string
  readonly state: string
  readonly reason: string
}

type Observed = Pick<Sink, 'name' | 'state' | 'stats'>

/** Alive: false when every sink has failed. One failed sink must not make a probe restart its healthy neighbors; a waiting sink is alive. */
export function liveness(sinks: readonly Observed[]): Health {
  return healthOf(sinks, !sinks.every(({ state }) => state === 'failed'))
}

/** Ready: every sink is running. False while one starts or drains, and once one has failed. */
export function readiness(sinks: readonly Observed[]): Health {
  return healthOf(
    sinks,
    sinks.every(({ state }) => state === 'running')
  )
}

function healthOf(sinks: readonly Observed[], isOk: boolean): Health {
  return {
    isOk,
    sinks: sinks.map(({ name, state, stats }) => ({ name, state, reason: reasonOf(state, stats().waitingFor) }))
  }
}

function reasonOf(state: Sink['state'], waitingFor: string | undefined): string {
  switch (state) {
    case 'starting':
      return waitingFor === undefined ? 'It is connecting.' : `It is connecting, and waits for ${waitingFor}.`
    case 'running':
      return waitingFor === undefined ? 'It takes records.' : `It waits for ${waitingFor}.`
    case 'draining':
      return waitingFor === undefined ? 'It is shutting down.' : `It is shutting down, and waits for ${waitingFor}.`
    case 'stopped':
      return 'It was stopped.'
    case 'failed':
      return 'It has failed; the log says why.'
  }
}
