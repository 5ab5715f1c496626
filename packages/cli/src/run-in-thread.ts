import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'
import type { ExitCode } from './exit-codes.ts'
import type { Dependencies } from './dependencies.ts'

export interface ThreadOptions {
  /** Standard input is read in the thread. */
  readonly readsInput: boolean
}

/**
 * Runs a command line in a thread of its own, whose young objects get room: V8 takes the sizes of its memory at the start only, and decides them
 * by the machine. The signal ends the thread as a signal to its process would.
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
    // the old ones get what the process was given
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB, maxOldGenerationSizeMb: getHeapStatistics().heap_size_limit / BYTES_PER_MB }
  })
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  const interrupt = (): void => thread.postMessage('interrupt')
  if (signal.aborted) interrupt()
  else signal.addEventListener('abort', interrupt)
  if (readsInput) stdin.pipe(thread.stdin!)
  thread.stdout.on('data', (text: Buffer) => stdout.write(text))
  thread.stderr.on('data', (text: Buffer) => stderr.write(text))
  try {
    const heard = Promise.all([once(thread.stdout, 'end'), once(thread.stderr, 'end')])
    const [code] = (await once(thread, 'exit')) as [ExitCode]
    // what it has said last is still on its way
    await heard
    return code
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

const COMMAND = fileURLToPath(new URL('../bin/keystamp.mjs', import.meta.url))
/** Twice 32 MB for what lives, and as much again for what is found to live (docs/decisions/0015). */
const YOUNG_MB = 96
/** By so much what is old may outgrow what lived when it was collected last. V8 by itself allows three times as much, and then memory depends on how busy the machine is. */
const GROWING_PERCENT = 150
const BYTES_PER_MB = 1_048_576
