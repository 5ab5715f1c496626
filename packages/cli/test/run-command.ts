import { PassThrough, Readable } from 'node:stream'
import { run } from '../src/run.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string
  readonly isTTY?: boolean
  readonly isInputTTY?: boolean
  readonly signal?: AbortSignal
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Columns of the terminal that standard output is; it is no terminal without them. */
  readonly outputColumns?: number
}

/** Runs a command line inside this process, and returns its exit code and its output. */
export async function runCommand(
  args: readonly string[],
  {
    input = '',
    isTTY = false,
    isInputTTY = false,
    signal = new AbortController().signal,
    env = {},
    outputColumns
  }: RunOptions = {}
): Promise<Ran> {
  const stdout = gather()
  const stderr = gather()
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)], { objectMode: false })
  let time = 0
  const code = await run(args, {
    stdin: Object.assign(stdin, { isTTY: isInputTTY }),
    stdout:
      outputColumns === undefined
        ? stdout.stream
        : Object.assign(stdout.stream, { isTTY: true, columns: outputColumns }),
    stderr: Object.assign(stderr.stream, { isTTY, columns: 100 }),
    env,
    signal,
    now: () => (time += 500)
  })
  return { code, stdout: stdout.text(), stderr: stderr.text() }
}

function gather(): { readonly stream: PassThrough; readonly text: () => string } {
  const chunks: Buffer[] = []
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  return { stream, text: () => Buffer.concat(chunks).toString() }
}
