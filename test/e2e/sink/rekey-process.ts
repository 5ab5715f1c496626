import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { stringify } from 'yaml'
import type { World } from './start-world.ts'

const BIN = fileURLToPath(new URL('../../../packages/cli/bin/keystamp.mjs', import.meta.url))

/** A move of the container `things` to `others`, which `keystamp rekey` runs as a process. */
export interface RekeyProcess {
  /** File with the configuration of the sinks. */
  readonly sinkFile: string
  readonly status: () => Promise<RekeyStatus>
  /** Asks for a step; again while its conditions are not met. */
  readonly step: (name: string, ...options: readonly string[]) => Promise<EndedProcess>
  /** Asks for a step once. */
  readonly askOnce: (name: string, ...options: readonly string[]) => AskingProcess
  /** Ends the process at once, and starts another one that continues the move. */
  readonly killAndContinue: () => Promise<void>
  /** Everything that the processes have printed. */
  readonly output: () => string
}

interface RekeyStatus {
  readonly phase?: string
  readonly step?: string
  readonly stragglers?: number
  readonly gates?: readonly { readonly isMet: boolean }[]
}

export interface EndedProcess {
  /** Null if a signal has ended the process. */
  readonly code: number | null
  readonly output: string
}

export interface AskingProcess {
  readonly kill: () => void
  readonly ended: Promise<EndedProcess>
}

/** Starts `keystamp rekey`, which is stopped when the test ends. */
export async function startRekey(
  { emulator: { endpoint, key }, topic, group }: World,
  { brokers, config, plan }: { readonly brokers: string; readonly config: object; readonly plan: object }
): Promise<RekeyProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'keystamp-'))
  const journal = join(folder, 'journal')
  const sinkFile = join(folder, 'sink.yaml')
  await writeFile(join(folder, 'plan.json'), JSON.stringify(plan))
  const cosmos = { endpoint, key, database: 'db', container: 'things' }
  const sink = { name: 'things', kafka: { brokers: brokers.split(','), topics: [topic], group }, cosmos, ...config }
  await writeFile(sinkFile, stringify(sink))
  const options = [
    ...['--from', `${endpoint}db/things`, '--to', `${endpoint}db/others`, '--plan', join(folder, 'plan.json')],
    ...['--share-from', '100%', '--share-to', '100%', '--yes']
  ]
  let output = ''
  const children = new Set<ChildProcess>()
  let running = start()
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  function start(): ChildProcess {
    const child = spawnKeystamp(['rekey', '--journal', journal, ...options])
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (text: Buffer) => (output += text.toString()))
    return child
  }

  function spawnKeystamp(args: readonly string[]): ChildProcess {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: { ...process.env, COSMOS_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe']
    })
    children.add(child)
    child.once('close', () => children.delete(child))
    return child
  }

  function askOnce(name: string, ...more: readonly string[]): AskingProcess {
    const child = spawnKeystamp(['rekey', name, '--journal', journal, ...more])
    let said = ''
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (text: Buffer) => (said += text.toString()))
    const ended = once(child, 'close').then(([code]: (number | null)[]) => ({ code, output: said }))
    return { kill: () => void child.kill('SIGKILL'), ended }
  }

  return {
    sinkFile,
    status: async () => {
      const text = await readFile(join(journal, 'status.json'), 'utf8').catch(() => '{}')
      return JSON.parse(text) as RekeyStatus
    },
    step: async (name, ...more) => {
      for (let attempt = 0; ; attempt++) {
        const ended = await askOnce(name, ...more).ended
        if (ended.code !== 4 || attempt === 20) return ended
        await sleep(500)
      }
    },
    askOnce,
    killAndContinue: async () => {
      const ended = once(running, 'close')
      running.kill('SIGKILL')
      await ended
      running = start()
    },
    output: () => output
  }
}
