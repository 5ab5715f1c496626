import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { PlaceOptions } from './place.ts'
import type { Way } from './ways.ts'

/**
 * A way of writing in a process of its own, so that its garbage and the optimizations of its code do not affect the
 * others.
 */
export interface Contestant {
  /** Where its own emulator listens. */
  readonly endpoint: string
  /** Writes all records as often as it is told to, once after another, and says what it took each time. */
  readonly write: (amount: Amount) => Promise<Took>
  readonly stop: () => Promise<void>
}

/** How often all records are written: so often, and until so much time has passed. */
export interface Amount {
  readonly times?: number
  readonly leastMs?: number
}

/** Cost of writing all records once. */
export interface Took {
  readonly ms: number
  /** Of the contestant's process, whatever thread used it. */
  readonly cpuMicros: number
}

export interface ContestantOptions {
  readonly way: Way
  /** How many are written at a time. */
  readonly records: number
  readonly place: PlaceOptions
}

const CHILD = fileURLToPath(new URL('./child.js', import.meta.url))

/** Starts a contestant; it ends with this process at the latest. */
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
      return (await answer()) as Took
    },
    stop: async () => {
      child.stdin.end()
      await ended
    }
  }
}
