import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))

/** `keystamp rekey` in a process of its own, which is started again with the same command after each kill. */
export class RekeyProcess {
  kills = 0
  /** Exit code and last output of a process that ended by itself. */
  end: { readonly code: number | null; readonly output: string } | undefined
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  #isStopped = false
  readonly #running: Promise<void>

  constructor(args: readonly string[]) {
    this.#args = ['--conditions=@keystamp/source', '--import', 'tsx', COMMAND, 'rekey', ...args]
    this.#running = this.#run()
  }

  /** Kills the process of this moment. */
  kill(): void {
    if (this.#child?.kill('SIGKILL') === true) this.kills++
  }

  /** Resolves when a process has ended by itself. */
  async ended(): Promise<{ readonly code: number | null; readonly output: string }> {
    await this.#running
    return this.end ?? { code: null, output: 'It was stopped.' }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#child?.kill('SIGKILL')
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.end === undefined) {
      const child = spawn(process.execPath, this.#args, { stdio: ['ignore', 'pipe', 'pipe'] })
      this.#child = child
      let output = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output = `${output}${chunk.toString()}`.slice(-2000)
        })
      const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
      if (signal !== 'SIGKILL') this.end = { code, output }
    }
  }
}

/** The last status of a move, as far as the tests need it; undefined before the first one. */
export function statusOf(
  journal: string
): { readonly phase: string; readonly at: string; readonly lagSeconds?: number } | undefined {
  try {
    return JSON.parse(readFileSync(`${journal}/status.json`, 'utf8')) as ReturnType<typeof statusOf>
  } catch {
    return undefined
  }
}
