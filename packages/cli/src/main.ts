import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { EXIT_CODES, type ExitCode } from './exit-codes.ts'
import { run } from './run.ts'
import { runInThread } from './run-in-thread.ts'
import type { Dependencies } from './dependencies.ts'

/** Runs the command in a real process: signals, the end of a pipe, the exit code. */
export async function main(host: NodeJS.Process): Promise<void> {
  const interruption = new AbortController()
  const interrupt = (): void => {
    // a second signal ends the process at once
    if (interruption.signal.aborted) host.exit(EXIT_CODES.interrupted)
    interruption.abort()
  }
  host.on('SIGINT', interrupt)
  host.on('SIGTERM', interrupt)
  // signals reach only the main thread, which forwards them
  parentPort?.on('message', interrupt)
  parentPort?.unref()
  let endOfStream: ExitCode | undefined
  const endWithStream = (error: Error, code: ExitCode): void => {
    endOfStream ??= code
    interruption.abort(error)
  }
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // the reader of the pipe has ended, as in `| head`
    if (error.code === 'EPIPE') endWithStream(error, EXIT_CODES.ok)
  })
  host.stderr.on('error', (error: Error) => endWithStream(error, EXIT_CODES.failed))
  const { stdin, stdout, stderr, env } = host
  const args = host.argv.slice(2)
  const dependencies: Dependencies = {
    stdin,
    stdout,
    stderr,
    env,
    signal: interruption.signal,
    startReader: availableParallelism() > 1 ? startReader : undefined,
    now: () => performance.now()
  }
  const inThread: Dependencies['inThread'] = isMainThread
    ? (options) => runInThread(args, dependencies, options)
    : undefined
  const code = await run(args, { ...dependencies, inThread })
  host.removeListener('SIGINT', interrupt)
  host.removeListener('SIGTERM', interrupt)
  host.exitCode = endOfStream ?? code
  // the output is complete: exits even if retrying clients still hold handles
  if (endOfStream !== undefined || code !== EXIT_CODES.ok) stdout.write('', () => host.exit())
}

const READER = new URL('../bin/read-rows.mjs', import.meta.url)
/** Reading leaves only short-lived strings, so more memory would make it no faster. */
const READER_YOUNG_MB = 12

function startReader(): Worker {
  // without the options of the process: some, such as `--input-type`, are not possible in a thread
  return new Worker(READER, { execArgv: [], resourceLimits: { maxYoungGenerationSizeMb: READER_YOUNG_MB } })
}
