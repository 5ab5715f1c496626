import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Random } from '@keystamp/testkit'

const COMMAND = fileURLToPath(new URL('../../bin/keystamp.mjs', import.meta.url))
const JUMPING_CLOCK = fileURLToPath(new URL('jumping-clock.mjs', import.meta.url))

export interface RekeyProcessOptions {
  /** Folder of its journal. */
  readonly journal: string
  /** Arguments of `rekey` other than `--journal`. */
  readonly args: readonly string[]
  /** File with the milliseconds by which its time of day is wrong. */
  readonly clockFile: string
}

/** `keystamp rekey` in a process of its own, which is started again with the same command after each kill. */
export class RekeyProcess {
  readonly journal: string
  readonly clockFile: string
  kills = 0
  freezes = 0
  /** Exit code and last output of a process that ended by itself. */
  end: { readonly code: number | null; readonly output: string } | undefined
  readonly #args: readonly string[]
  #child: ChildProcess | undefined
  #isFrozen = false
  #isStopped = false
  readonly #running: Promise<void>

  constructor({ journal, args, clockFile }: RekeyProcessOptions) {
    this.journal = journal
    this.clockFile = clockFile
    // as built: starting from the sources takes three times as long
    this.#args = ['--import', JUMPING_CLOCK, COMMAND, 'rekey', '--journal', journal, ...args]
    this.#running = this.#run()
  }

  get isFrozen(): boolean {
    return this.#isFrozen
  }

  /** Kills the process of this moment. */
  kill(): void {
    if (this.#child?.kill('SIGKILL') === true) this.kills++
    this.#isFrozen = false
  }

  /** Stops the process of this moment for some time: it does nothing, and then goes on where it was. */
  async freeze(ms: number): Promise<void> {
    const child = this.#child
    if (this.#isFrozen || child?.kill('SIGSTOP') !== true) return
    this.freezes++
    this.#isFrozen = true
    await new Promise((resolve) => setTimeout(resolve, ms))
    if (this.#child !== child) return
    child.kill('SIGCONT')
    this.#isFrozen = false
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
      const env = { ...process.env, KEYSTAMP_TEST_CLOCK: this.clockFile }
      const child = spawn(process.execPath, this.#args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
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

/** The processes of one move: one, or several that share it. */
export class RekeyGroup {
  readonly processes: readonly RekeyProcess[]
  readonly #random: Random

  constructor(random: Random, processes: readonly RekeyProcess[]) {
    this.#random = random
    this.processes = processes
  }

  get kills(): number {
    return this.processes.reduce((sum, { kills }) => sum + kills, 0)
  }

  get freezes(): number {
    return this.processes.reduce((sum, { freezes }) => sum + freezes, 0)
  }

  /** Last statuses of the processes. */
  get statuses(): readonly RekeyStatus[] {
    return this.processes.flatMap(({ journal }) => statusOf(journal) ?? [])
  }

  /** Folder of the journal of any process that can answer. */
  get journal(): string | undefined {
    const answering = this.processes.filter(
      ({ isFrozen, journal }) => !isFrozen && existsSync(`${journal}/journal.jsonl`)
    )
    return answering.length === 0 ? undefined : this.#random.pick(answering).journal
  }

  /** Kills one process. If there are several, another one stands still for longer than its lease. */
  disturb(leaseMs: number): void {
    const killed = this.#random.pick(this.processes)
    const others = this.processes.filter((each) => each !== killed)
    if (others.length > 0) void this.#random.pick(others).freeze(leaseMs * (0.5 + this.#random.next() * 1.5))
    killed.kill()
  }

  throwIfEnded(): void {
    for (const { end } of this.processes)
      if (end !== undefined) throw new Error(`The process ended with ${end.code}: ${end.output}`)
  }

  /** Resolves when all have ended by themselves; rejects if one has ended with an error. */
  async ended(): Promise<void> {
    const ends = await Promise.all(this.processes.map((each) => each.ended()))
    for (const { code, output } of ends) if (code !== 0) throw new Error(`The process ended with ${code}: ${output}`)
  }

  async stop(): Promise<void> {
    await Promise.all(this.processes.map((each) => each.stop()))
  }
}

/** Status of a move, as far as the tests need it. */
export interface RekeyStatus {
  readonly phase: string
  readonly at: string
  readonly lagSeconds?: number
}

/** The last status of a process; undefined before the first one. */
function statusOf(journal: string): RekeyStatus | undefined {
  try {
    return JSON.parse(readFileSync(`${journal}/status.json`, 'utf8')) as RekeyStatus
  } catch {
    return undefined
  }
}
