import { isMainThread, parentPort } from 'node:worker_threads'
import { EXIT_CODES, type ExitCode } from './exit-codes.ts'
import { run } from './run.ts'
import { runInThread } from './run-in-thread.ts'
import type { Dependencies } from './dependencies.ts'

/** Runs the command in a real process: signals, the end of a pipe, the exit code. */
export async function main(host: NodeJS.Process): Promise<void> {
  const interruption = new AbortController()
  const interrupt = (): void => {
    // whoever asks a second time does not want to wait
    if (interruption.signal.aborted) host.exit(EXIT_CODES.interrupted)
    interruption.abort()
  }
  host.on('SIGINT', interrupt)
  host.on('SIGTERM', interrupt)
  // signals reach the first thread only
  parentPort?.on('message', interrupt)
  parentPort?.unref()
  let unheard: ExitCode | undefined
  const endUnheard = (error: Error, code: ExitCode): void => {
    unheard ??= code
    interruption.abort(error)
  }
  host.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `| head` has seen enough
    if (error.code === 'EPIPE') endUnheard(error, EXIT_CODES.ok)
  })
  host.stderr.on('error', (error: Error) => endUnheard(error, EXIT_CODES.failed))
  const { stdin, stdout, stderr, env } = host
  const args = host.argv.slice(2)
  const dependencies: Dependencies = { stdin, stdout, stderr, env, signal: interruption.signal, now: () => performance.now() }
  const inThread: Dependencies['inThread'] = isMainThread ? (options) => runInThread(args, dependencies, options) : undefined
  const code = await run(args, { ...dependencies, inThread })
  host.removeListener('SIGINT', interrupt)
  host.removeListener('SIGTERM', interrupt)
  host.exitCode = unheard ?? code
  // the last word is said: what still holds the process, a client that goes on trying for instance, is not waited for
  if (unheard !== undefined || code !== EXIT_CODES.ok) stdout.write('', () => host.exit())
}
