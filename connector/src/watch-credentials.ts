import { type Clock, waitFor } from './lifecycle/clock.ts'
import type { Log } from './log.ts'
import type { SinkSettings } from './config/settings.ts'

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
        if (reasons.get(name) !== message)
          logOf(name).warn({}, `could not read secret files again, keeping the former credentials: ${message}`)
        reasons.set(name, message)
      }
    }
  }
}

const EVERY_MS = 30_000
