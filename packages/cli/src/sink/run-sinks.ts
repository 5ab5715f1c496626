import { runService, type Service, type ServiceSettings } from '@keystamp/connector'
import { EXIT_CODES, type ExitCode } from '../exit-codes.ts'
import { exitCodeOf } from '../report-error.ts'
import type { Dependencies } from '../dependencies.ts'
import { readSettings } from './read-settings.ts'

/** Runs the sinks of a configuration until they end; the first signal drains them. */
export async function runSinks(
  config: string,
  dependencies: Dependencies,
  start: (settings: ServiceSettings) => Promise<Service> = (settings) => runService(settings)
): Promise<ExitCode> {
  const { signal, stderr } = dependencies
  const settings = await readSettings(config, dependencies)
  for (const warning of settings.warnings) stderr.write(`keystamp: warning: ${warning}\n`)
  const service = await start(settings)
  if (service.url !== undefined)
    stderr.write(`keystamp: health and metrics at ${service.url}/readyz and ${service.url}/metrics.\n`)
  const drain = (): void => {
    stderr.write(
      'keystamp: draining: waiting for the outcome of open records, then committing. A second signal ends the process at once; uncommitted records are then read again.\n'
    )
    void service.stop()
  }
  if (signal.aborted) drain()
  else signal.addEventListener('abort', drain, { once: true })
  let running = service.sinks.length
  const codes = await Promise.all(
    service.sinks.map(async ({ name, ended }) => {
      const { error } = await ended
      running--
      return reportEnd(name, error)
    })
  )
  await service.ended
  signal.removeEventListener('abort', drain)
  return codes.find((code) => code !== EXIT_CODES.ok) ?? EXIT_CODES.ok

  function reportEnd(name: string, error: Error | undefined): ExitCode {
    if (error === undefined) return EXIT_CODES.ok
    const others =
      running > 0 && settings.onSinkFailure === 'continue' && !signal.aborted
        ? ` The other sinks (${running}) keep running.`
        : ''
    stderr.write(`keystamp: ${name}: ${error.message}${others}\n`)
    return exitCodeOf(error)
  }
}
