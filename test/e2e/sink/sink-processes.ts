import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'

const BIN = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/** A member of a group: `keystamp sink` as a process, and the processes that take its place after it was killed. */
export interface SinkMember {
  /** Client id of the member, which messages name. */
  readonly name: string
  readonly signal: (signal: 'SIGSTOP' | 'SIGCONT') => void
  /** Ends the process at once, and starts another one with the same configuration. */
  readonly killAndRestart: () => Promise<void>
  /** Exit code of a process that has ended without being killed. */
  readonly ended: Promise<number | null>
  /** Drains the process, and returns its exit code. */
  readonly stop: () => Promise<number | null>
  /** Everything that the processes have printed. */
  readonly output: () => string
}

/** Starts the member, which ends with the test at the latest. */
export async function startSinkMember(name: string, config: object): Promise<SinkMember> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const file = join(folder, 'sink.yaml')
  const { kafka, ...rest } = config as { readonly kafka: object }
  await writeFile(file, stringify({ ...rest, kafka: { ...kafka, clientId: name }, http: { port: 0 } }))
  let output = ''
  let tell: (code: number | null) => void
  const ended = new Promise<number | null>((resolve) => {
    tell = resolve
  })
  let running = start()
  onTestFinished(async () => {
    running.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  function start(): ChildProcess {
    const child = spawn(process.execPath, [BIN, 'sink', '--config', file], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    child.once('close', (code, signal) => {
      if (signal === null) tell(code)
    })
    return child
  }

  return {
    name,
    signal: (signal) => void running.kill(signal),
    killAndRestart: async () => {
      const closed = once(running, 'close')
      running.kill('SIGKILL')
      await closed
      running = start()
    },
    ended,
    stop: async () => {
      running.kill('SIGTERM')
      return ended
    },
    output: () => output
  }
}
