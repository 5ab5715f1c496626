import { writeFileSync } from 'node:fs'
import type { EmulatorProcess, EmulatorReport, FaultRule } from '@keystamp/emulator'
import type { Random } from '@keystamp/testkit'

/** Faults of all containers, for the application as well. */
const FAULTS: readonly FaultRule[] = [
  {
    on: 'bulkOperation',
    probability: 0.03,
    action: { kind: 'status', status: 429, subStatus: 3200, retryAfterMs: 20 }
  },
  { on: ['write', 'read', 'changeFeed'], probability: 0.02, action: { kind: 'status', status: 429, retryAfterMs: 20 } },
  { on: ['write', 'read', 'changeFeed'], probability: 0.01, action: { kind: 'reset' } },
  {
    on: ['write', 'read', 'changeFeed'],
    probability: 0.005,
    action: { kind: 'status', status: 410, subStatus: 1002 }
  },
  { on: 'write', probability: 0.02, action: { kind: 'applyThenDrop' } }
]

const MAX_RANGES = 8
/** Splits and merges of a run: on a slow machine, more would leave no time for the move. */
const MAX_MOVES = 30
const MAX_JUMP_MS = 100_000

export interface DisturbancesOptions {
  readonly random: Random
  readonly emulator: EmulatorProcess
  /** Cosmos DB does not merge physical partitions of a container with the feed of all versions. */
  readonly canMerge: boolean
  /** Files by which the time of day of each process can be set. */
  readonly clockFiles: readonly string[]
  /** Shortest time between two jumps of a clock. */
  readonly jumpEveryMs: number
}

/** Disturbances of a move: faults of the service, splits and merges, and clocks that are set. */
export class Disturbances {
  splits = 0
  merges = 0
  jumps = 0
  readonly #options: DisturbancesOptions
  #isOver = false
  #areClocksRight = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: DisturbancesOptions) {
    this.#options = options
  }

  async start(): Promise<void> {
    for (const fault of FAULTS) await this.#control('faults', fault)
    this.#running = Promise.all([this.#moveRanges(), this.#setClocks()])
  }

  /** Sets all clocks right. */
  setClocksRight(): void {
    this.#areClocksRight = true
    for (const file of this.#options.clockFiles) writeFileSync(file, '0')
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  async stopFaults(): Promise<void> {
    await fetch(new URL('_control/faults', this.#options.emulator.endpoint), { method: 'DELETE' })
  }

  /** Splits and merges physical partitions of all containers at random moments. */
  async #moveRanges(): Promise<void> {
    const { random, emulator, canMerge } = this.#options
    while (!this.#isOver && this.splits + this.merges < MAX_MOVES) {
      await sleep(500 + random.below(4000))
      const report = (await (await fetch(new URL('_control/report', emulator.endpoint))).json()) as EmulatorReport
      const { database, container, ranges } = random.pick(report.containers)
      const isFull = ranges.length >= MAX_RANGES
      const merges = canMerge && ranges.length > 1 && (isFull || random.chance(0.4))
      if (this.#isOver || (isFull && !merges)) continue
      const path = `databases/${database}/containers/${container}/ranges/${random.pick(ranges).id}`
      await this.#control(`${path}/${merges ? 'merge' : 'split'}`, { lockMs: random.below(500) })
      if (merges) this.merges++
      else this.splits++
    }
  }

  async #setClocks(): Promise<void> {
    const { random, clockFiles, jumpEveryMs } = this.#options
    while (clockFiles.length > 0) {
      await sleep(jumpEveryMs + random.below(2 * jumpEveryMs))
      if (this.#isOver || this.#areClocksRight) return
      writeFileSync(random.pick(clockFiles), String(random.below(2 * MAX_JUMP_MS) - MAX_JUMP_MS))
      this.jumps++
    }
  }

  async #control(path: string, body: object): Promise<void> {
    const { endpoint } = this.#options.emulator
    const answer = await fetch(new URL(`_control/${path}`, endpoint), { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${answer.status} to ${path}: ${await answer.text()}`)
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
