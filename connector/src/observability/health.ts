import { type SinkWait, type WaitReason, waitText } from '../lifecycle/waits.ts'
import type { Sink } from '../sink.ts'

/** Answer to a probe: the status, and a reason for each sink. */
export interface Health {
  readonly isOk: boolean
  readonly sinks: readonly SinkHealth[]
}

interface SinkHealth {
  readonly name: string
  readonly state: string
  readonly reason: string
  /** Everything that the sink waits for; empty while it waits for nothing. */
  readonly waits: readonly { readonly reason: WaitReason; readonly detail: string; readonly seconds: number }[]
}

type Observed = Pick<Sink, 'name' | 'state' | 'stats'>

/** Liveness: 503 only when every sink has failed. One failed sink must not make a probe restart its healthy neighbors; a waiting sink is alive. */
export function liveness(sinks: readonly Observed[]): Health {
  return healthOf(sinks, !sinks.every(({ state }) => state === 'failed'))
}

/** Readiness: every sink is running. Not ready while one starts or drains, after one has failed, and while credentials are refused. */
export function readiness(sinks: readonly Observed[]): Health {
  return healthOf(
    sinks,
    sinks.every(({ state, stats }) => state === 'running' && !stats().waits.some(({ reason }) => reason === 'auth'))
  )
}

function healthOf(sinks: readonly Observed[], isOk: boolean): Health {
  return {
    isOk,
    sinks: sinks.map(({ name, state, stats }) => {
      const { waits } = stats()
      return { name, state, reason: reasonOf(state, waits), waits: waits.map(toWait) }
    })
  }
}

function toWait({ reason, detail, durationMs }: SinkWait): SinkHealth['waits'][number] {
  return { reason, detail, seconds: Math.round(durationMs / 1000) }
}

function reasonOf(state: Sink['state'], waits: readonly SinkWait[]): string {
  const waitingFor = waits.length === 0 ? undefined : waits.map(waitText).join('; and for ')
  switch (state) {
    case 'starting':
      return waitingFor === undefined ? 'connecting' : `connecting, waiting for ${waitingFor}`
    case 'running':
      return waitingFor === undefined ? 'running' : `waiting for ${waitingFor}`
    case 'draining':
      return waitingFor === undefined ? 'draining' : `draining, waiting for ${waitingFor}`
    case 'stopped':
      return 'stopped'
    case 'failed':
      return 'failed; see the log for the reason'
  }
}
