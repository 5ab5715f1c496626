import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pin, type SinkWorld } from './world.ts'

/** A process that is observed from outside. */
export interface Watched {
  readonly pid: number
  /** Maximum resident memory so far, in megabytes. */
  readonly peakMb: () => number
  /** Sends SIGTERM, and resolves when the process has ended. */
  readonly stop: () => Promise<void>
}

const COMMAND = 'packages/cli/bin/keystamp.mjs'

export interface SinkRun {
  readonly topic: string
  readonly endpoint: string
  readonly key: string
  readonly config?: object
  /** The checkout whose command runs; default: this one. */
  readonly root?: string
  /** Options of node. */
  readonly node?: readonly string[]
}

/** Starts `keystamp sink` as a user does, on the first processor. */
export async function startSinkProcess(
  { brokers, folder }: SinkWorld,
  { topic, endpoint, key, config = {}, root = '.', node = [] }: SinkRun
): Promise<Watched> {
  const file = join(folder, `${topic}.json`)
  const whole = {
    name: 'bench',
    kafka: { brokers: [brokers], topics: [topic], group: `${topic}-${Math.random()}` },
    cosmos: { endpoint, key, database: 'd', container: 'c' },
    plan: { into: '/partitionKey', from: [{ field: '/day', type: 'date' }], suffix: { by: '/VIN', count: 400 } },
    log: { level: 'warn' },
    ...config
  }
  await writeFile(file, JSON.stringify(whole))
  return watch(
    spawn(process.execPath, [...node, resolve(root, COMMAND), 'sink', '--config', file], {
      stdio: ['ignore', 'inherit', 'inherit']
    })
  )
}

/** Starts a program of the bench itself, for comparison. */
export function startProgram(url: URL, options: object): Watched {
  return watch(
    spawn(process.execPath, [fileURLToPath(url), JSON.stringify(options)], { stdio: ['ignore', 'inherit', 'inherit'] })
  )
}

function watch(child: ChildProcess): Watched {
  const pid = child.pid!
  pin(pid, 0)
  return {
    pid,
    peakMb: () => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
  }
}
