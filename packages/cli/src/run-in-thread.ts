import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ExitCode } from './exit-codes.ts'
import type { Dependencies, ThreadOptions } from './dependencies.ts'

/**
 * Runs a command line in a new thread with a large young generation. V8 reads this size only at the start of a thread,
 * and its default depends on the machine. When `signal` aborts, the thread ends as the process does on SIGTERM.
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
    // the old generation has the limit of the process
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
    // the last output of the thread may arrive after its exit
    await isWritten
    return code
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

const COMMAND = fileURLToPath(new URL('../bin/keystamp.mjs', import.meta.url))
/** V8 takes a third of it for each of the two semi-spaces: 32 MB (docs/decisions/0015). */
const YOUNG_MB = 96
/**
 * V8 collects the old generation when it has 2.5 times the size that survived the last collection. With V8's default of
 * about four times, the memory use would depend on how busy the machine is.
 */
const GROWING_PERCENT = 150
const BYTES_PER_MB = 1_048_576
