import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmulatorProcess } from '@keystamp/emulator'
import type { SinkWorld } from '../sink/world.ts'
import { documentOf } from './moved-containers.ts'
import { cpuSecondsOf } from './process-cpu.ts'

/** Sinks that write to a container which is moved, with a producer and the processes of the move. */
export interface SwitchedGroup {
  /** Resolves when a switch is possible. */
  readonly ready: () => Promise<void>
  /** Switches the container; rejects if that is refused. */
  readonly turn: (command: 'switch' | 'back') => Promise<void>
  /** When the move printed a step of the last switch. */
  readonly momentOf: (step: string) => Moment
}

interface Moment {
  /** Milliseconds since 1970. */
  readonly atMs: number
  /** CPU time of the move and of the emulator so far. */
  readonly cpuSeconds: number
}

const COMMAND = resolve('packages/cli/bin/keystamp.mjs')
const PARTITIONS = 8
const SINKS = 2
const PER_SECOND = 200
const EVERY_MS = 20

/** Calls `work` while the sinks and the move run. */
export async function withSwitchedGroup(
  { brokers, kafka, folder }: SinkWorld,
  { endpoint, key, pid }: EmulatorProcess,
  work: (group: SwitchedGroup) => Promise<void>
): Promise<void> {
  const [journal, sinkFile, planFile] = ['journal', 'sink.json', 'plan.json'].map((name) => join(folder, name))
  const topic = `switched-${Date.now()}`
  const plan = { into: '/partitionKey', from: [{ field: '/date' }] }
  await kafka.createTopic(topic, { partitions: PARTITIONS })
  await writeFile(planFile, JSON.stringify(plan))
  const sink = {
    name: 'bench',
    kafka: { brokers: [brokers], topics: [topic], group: topic },
    cosmos: { endpoint, key, database: 'bench', container: 'old' },
    id: { strategy: 'metadata' },
    move: { name: 'bench', to: { container: 'new', plan } },
    log: { level: 'warn' }
  }
  await writeFile(sinkFile, JSON.stringify(sink))
  /** The first line of each kind. */
  const moments = new Map<string, Moment>()
  const children: ChildProcess[] = []
  const production = { isOn: true }
  const start = (...args: readonly string[]): ChildProcess => {
    const env = { ...process.env, COSMOS_KEY: key }
    const child = spawn(process.execPath, [COMMAND, ...args], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    createInterface({ input: child.stderr }).on('line', (line) => {
      const step = line.replace('keystamp: ', '')
      if (moments.has(step)) return
      const cpuSeconds = cpuSecondsOf(pid) + (child.exitCode === null ? cpuSecondsOf(child.pid!) : 0)
      moments.set(step, { atMs: Date.now(), cpuSeconds })
    })
    return child
  }

  async function produce(): Promise<void> {
    for (let number = 1_000_000; production.isOn;) {
      const nextMs = performance.now() + EVERY_MS
      const records = Array.from({ length: (PER_SECOND * EVERY_MS) / 1000 }, () => {
        const { id, ...value } = documentOf(number++, 200)
        return { key: id, value: JSON.stringify(value) }
      })
      await kafka.produce(topic, records)
      await sleep(Math.max(0, nextMs - performance.now()))
    }
  }

  for (let count = 0; count < SINKS; count++) start('sink', '--config', sinkFile)
  const containers = ['--from', `${endpoint}bench/old`, '--to', `${endpoint}bench/new`]
  start('rekey', '--journal', journal, ...containers, '--plan', planFile, '--sink', sinkFile, '--yes')
  const producing = produce()
  try {
    await work({
      ready: async () => {
        for (;;) {
          const text = await readFile(join(journal, 'status.json'), 'utf8').catch(() => '{}')
          const { gates = [] } = JSON.parse(text) as { gates?: readonly { isMet: boolean }[] }
          if (gates.length > 0 && gates.every(({ isMet }) => isMet)) return
          await sleep(100)
        }
      },
      turn: async (command) => {
        moments.clear()
        const [code] = (await once(start('rekey', command, '--journal', journal), 'close')) as [number]
        if (code !== 0) throw new Error(`The step \`${command}\` ended with exit code ${code}.`)
      },
      momentOf: (step) => moments.get(step) ?? { atMs: Number.NaN, cpuSeconds: Number.NaN }
    })
  } finally {
    production.isOn = false
    await producing
    await Promise.all(
      children.map(async (child) => {
        if (child.exitCode !== null) return
        child.kill('SIGTERM')
        await once(child, 'close')
      })
    )
  }
}
