import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createWriter } from '@keystamp/cosmos'
import { type EmulatorProcess, type EmulatorReport, startEmulatorProcess } from '@keystamp/emulator'
import type { CopyCosts, CopySettings } from './copy-child.ts'

/** An emulator with the containers `old`, which has documents, and `new`. */
export interface MovedContainers {
  readonly emulator: EmulatorProcess
  /** Copies in a process of its own, and returns its costs. */
  readonly copy: (settings: Pick<CopySettings, 'field' | 'readShare' | 'writeShare'>) => Promise<CopyCosts>
}

export interface ContainersOptions {
  readonly documents: number
  /** Length of a string in each document. */
  readonly textBytes: number
  readonly emulator: Parameters<typeof startEmulatorProcess>[0]
}

const CHILD = fileURLToPath(new URL('copy-child.js', import.meta.url))

/** Calls `work` with new containers in a new emulator. */
export async function withMovedContainers<T>(
  { documents, textBytes, emulator: options }: ContainersOptions,
  work: (containers: MovedContainers) => Promise<T>
): Promise<T> {
  const emulator = await startEmulatorProcess({
    ranges: 4,
    operationLog: 0,
    containers: ['bench/old:/deviceId', 'bench/new:/partitionKey'],
    ...options
  })
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
  const start = (settings: object): ChildProcess => {
    const { endpoint, key } = emulator
    const all = { ...settings, endpoint, key, documents, journal: join(folder, 'journal') }
    return spawn(process.execPath, [CHILD, JSON.stringify(all)], { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  try {
    await fill(emulator, documents, textBytes)
    return await work({
      emulator,
      copy: async (settings) => {
        const child = start(settings)
        let text = ''
        child.stdout!.on('data', (chunk: Buffer) => (text += chunk.toString()))
        await once(child, 'close')
        return JSON.parse(text) as CopyCosts
      }
    })
  } finally {
    await emulator.stop()
    rmSync(folder, { recursive: true })
  }
}

function documentOf(number: number, textBytes: number): object {
  const date = `2018-08-${String(1 + (number % 28)).padStart(2, '0')}`
  return { id: `d-${number}`, deviceId: `device-${number % 1000}`, date, km: number, text: 'x'.repeat(textBytes) }
}

async function fill({ endpoint, key }: EmulatorProcess, documents: number, textBytes: number): Promise<void> {
  const account = { endpoint, key, database: 'bench', container: 'old' }
  await setThrottle(endpoint, false)
  const writer = await createWriter({ ...account, share: 10_000_000 })
  for (let number = 0; number < documents; number++) {
    if (!writer.hasRoom()) await writer.room()
    writer.submit({ kind: 'upsert', record: documentOf(number, textBytes) }, () => {})
  }
  await writer.flush()
  await writer.close()
}

/** Turns the throttling of an emulator on or off. */
export async function setThrottle(endpoint: string, options: boolean | object): Promise<void> {
  await fetch(new URL('_control/throttle', endpoint), { method: 'PUT', body: JSON.stringify(options) })
}

/** RU that each range of a container has charged so far. */
export async function usedRu(endpoint: string, container: string): Promise<readonly number[]> {
  const answer = await fetch(new URL('_control/report', endpoint))
  const { containers } = (await answer.json()) as EmulatorReport
  const found = containers.find((each) => each.container === container)!
  return found.ranges.map((range) => range.usedRu)
}
