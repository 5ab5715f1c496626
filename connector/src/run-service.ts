import type { ServiceSettings } from './config/settings.ts'
import { watchCredentials } from './watch-credentials.ts'
import { MACHINE_CLOCK } from './lifecycle/clock.ts'
import { createLog } from './log.ts'
import type { SinkDependencies } from './dependencies.ts'
import { createMetrics } from './observability/metrics.ts'
import { liveness, openObservabilityServer, readiness } from './observability/http-server.ts'
import { createSink, type Sink } from './sink.ts'
import type { SinkEnd } from './sink-lifecycle.ts'

/** All sinks of one process, and their HTTP server. */
export interface Service {
  readonly sinks: readonly Sink[]
  /** Address of `/livez`, `/readyz` and `/metrics`; undefined if the settings have no `http`. */
  readonly url: string | undefined
  /** Resolves when every sink runs or has ended. */
  readonly started: Promise<void>
  /** Drains all sinks. */
  readonly stop: () => Promise<void>
  /** Resolves when every sink has ended. A failed sink drains the others only under `onSinkFailure: exit`. */
  readonly ended: Promise<readonly SinkEnd[]>
}

/** Starts the configured sinks. `changes` replace dependencies, for tests. */
export async function runService(
  { sinks: all, http, log, onSinkFailure }: ServiceSettings,
  changes: Partial<SinkDependencies> = {}
): Promise<Service> {
  const logs = createLog(log)
  const sinks = all.map((settings) => createSink(settings, { log: logs.forSink(settings.name), ...changes }))
  const server =
    http === undefined
      ? undefined
      : await openObservabilityServer({
          ...http,
          live: () => liveness(sinks),
          ready: () => readiness(sinks),
          metrics: createMetrics(sinks, Date.now)
        })

  const watching = new AbortController()
  void watchCredentials(all, { clock: changes.clock ?? MACHINE_CLOCK, logOf: logs.forSink, signal: watching.signal })

  // `ended` reports why a start failed
  async function start(): Promise<void> {
    await Promise.allSettled(sinks.map((sink) => sink.start()))
  }

  async function stop(): Promise<void> {
    await Promise.all(sinks.map((sink) => sink.stop()))
  }

  async function watch(): Promise<readonly SinkEnd[]> {
    const ends = await Promise.all(
      sinks.map(async (sink) => {
        const end = await sink.ended
        if (end.state === 'failed' && onSinkFailure === 'exit') void stop()
        return end
      })
    )
    watching.abort()
    await server?.close()
    return ends
  }

  const ended = watch()
  return { sinks, url: server?.url, started: start(), stop, ended }
}
