import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { ContainerOptions } from './bench-container.ts'
import type { Way } from './ways.ts'

/**
 * A way of writing in a process of its own, so that its garbage and the optimizations of its code do not affect the
 * others.
 */
export interface Contestant {
  /** Endpoint of the contestant's own emulator. */
  readonly endpoint: string
  /** Writes all records repeatedly, as `amount` says, and resolves with the mean cost of writing them once. */
  readonly write: (amount: Amount) => Promise<Cost>
  readonly stop: () => Promise<void>
}

/** How often all records are written: at least `times` times, and until `minMs` have passed. */
export interface Amount {
  readonly times?: number
  readonly minMs?: number
}

/** Cost of writing all records once. */
export interface Cost {
  readonly ms: number
  /** CPU time of all threads of the contestant's process. */
  readonly cpuMicros: number
}

export interface ContestantOptions {
  readonly way: Way
  /** Number of records that one write of the contestant contains. */
  readonly records: number
  readonly target: ContainerOptions
}

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url))

/** Starts a contestant, whose process ends with this one at the latest. */
export async function startContestant(options: ContestantOptions): Promise<Contestant> {
  const child = spawn(process.execPath, [CHILD, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<unknown> => {
    const line = await lines.next()
    if (line.done === true) throw new Error(`The contestant ${options.way} ended too early; its own message says why.`)
    return JSON.parse(line.value)
  }
  const { endpoint } = (await answer()) as { readonly endpoint: string }
  return {
    endpoint,
    write: async (amount) => {
      child.stdin.write(`${JSON.stringify(amount)}\n`)
      return (await answer()) as Cost
    },
    stop: async () => {
      child.stdin.end()
      await ended
    }
  }
}
