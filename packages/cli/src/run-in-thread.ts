import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ExitCode } from './exit-codes.ts'
import type { Dependencies, ThreadOptions } from './dependencies.ts'

/**
 * Runs a command line in a new thread with a large young generation: V8 takes the sizes of its memory only at the
 * start, and decides them by the machine. The signal ends the thread as a signal to the process does.
 */
export async function runInThread(
  args: readonly string[],
  { stdin, stdout, stderr, signal }: Pick<Dependencies, 'stdin' | 'stdout' | 'stderr' | 'signal'>,
  { readsInput }: ThreadOptions
): Promise<ExitCode> {
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`)
  const thread = new Worker(COMMAND, {
    argv: [...args],
    stdin: readsInput,
    stdout: true,
    stderr: true,
    // the old generation gets what the process has
    resourceLimits: {
      maxYoungGenerationSizeMb: YOUNG_MB,
      maxOldGenerationSizeMb: getHeapStatistics().heap_size_limit / BYTES_PER_MB
    }
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread is not a window
  const interrupt = (): void => thread.postMessage('interrupt')
  if (signal.aborted) interrupt()
  else signal.addEventListener('abort', interrupt)
  if (readsInput) stdin.pipe(thread.stdin!)
  thread.stdout.on('data', (text: Buffer) => stdout.write(text))
  thread.stderr.on('data', (text: Buffer) => stderr.write(text))
  try {
    const isWritten = Promise.all([once(thread.stdout, 'end'), once(thread.stderr, 'end')])
    const [code] = (await once(thread, 'exit')) as [ExitCode]
    // its last output may still be on its way
    await isWritten
    return code
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

const COMMAND = fileURLToPath(new URL('../bin/keystamp.mjs', import.meta.url))
/** Twice 32 MB for live objects, and as much again for those that a collection keeps (docs/decisions/0015). */
const YOUNG_MB = 96
/**
 * V8 collects the old generation when it reaches 2.5 times the size that was alive last. By default it is about four
 * times, and then memory depends on how busy the machine is.
 */
const GROWING_PERCENT = 150
const BYTES_PER_MB = 1_048_576
