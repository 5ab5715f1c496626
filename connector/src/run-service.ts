import type { ServiceSettings, SinkSettings } from './config/settings.ts'
import { type Clock, MACHINE_CLOCK, waitFor } from './lifecycle/clock.ts'
import { createLog, type Log } from './log.ts'
import { type SinkDependencies, warnUnread } from './dependencies.ts'
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

interface WatchOptions {
  readonly clock: Pick<Clock, 'schedule'>
  readonly logOf: (sink: string) => Pick<Log, 'info' | 'warn'>
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/**
 * Reads the secret files and certificates of the sinks again and again, so that rotated ones are in use before a service
 * refuses the former ones. A file that cannot be read leaves the former secrets in use; each reason is logged once.
 */
export async function watchCredentials(
  sinks: readonly Pick<SinkSettings, 'name' | 'rereadCredentials'>[],
  { clock, logOf, signal }: WatchOptions
): Promise<void> {
  const reasons = new Map<string, string>()
  while (!signal.aborted) {
    await waitFor(EVERY_MS, clock, signal).catch(() => undefined)
    for (const { name, rereadCredentials } of signal.aborted ? [] : sinks) {
      try {
        const isChanged = await rereadCredentials?.()
        reasons.delete(name)
        if (isChanged === true) logOf(name).info({}, 'secret files have changed: their new contents are in use')
      } catch (error) {
        const { message } = error as Error
        if (reasons.get(name) !== message) warnUnread(logOf(name), message)
        reasons.set(name, message)
      }
    }
  }
}

const EVERY_MS = 30_000
