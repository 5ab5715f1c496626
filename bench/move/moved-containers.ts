import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createWriter } from '@keystamp/cosmos'
import { type EmulatorProcess, type EmulatorReport, startEmulatorProcess } from '@keystamp/emulator'
import type { CopyCosts, CopySettings } from './copy-child.ts'

/** An emulator with the containers `old`, which has documents, and `new`. */
export interface MovedContainers {
  readonly emulator: EmulatorProcess
  /** Copies in a process of its own, and returns its costs. */
  readonly copy: (settings: CopyChoice) => Promise<CopyCosts>
  /** Copies, and then follows changes until it is stopped. */
  readonly follow: (settings: CopyChoice) => Following
}

type CopyChoice = Pick<CopySettings, 'field' | 'readShare' | 'writeShare' | 'to' | 'fence'>

/** A process that copies and follows changes. */
export interface Following {
  readonly pid: number
  /** Folder of the journal. */
  readonly journal: string
  /** Resolves when all documents are copied. */
  readonly isCopied: Promise<CopyCosts>
  readonly stop: () => Promise<void>
}

export interface ContainersOptions {
  readonly documents: number
  /** Length of a string in each document. */
  readonly textBytes: number
  readonly emulator: Parameters<typeof startEmulatorProcess>[0]
  /** Creates the containers, if the emulator does not. */
  readonly prepare?: (emulator: EmulatorProcess) => Promise<void>
}

const CHILD = fileURLToPath(new URL('copy-child.js', import.meta.url))

/** Calls `work` with new containers in a new emulator. */
export async function withMovedContainers<T>(
  { documents, textBytes, emulator: options, prepare }: ContainersOptions,
  work: (containers: MovedContainers) => Promise<T>
): Promise<T> {
  const emulator = await startEmulatorProcess({
    ranges: 4,
    operationLog: 0,
    containers: ['bench/old:/deviceId', 'bench/new:/partitionKey'],
    ...options
  })
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-bench-'))
  const journal = join(folder, 'journal')
  const start = (settings: object): ChildProcess => {
    const { endpoint, key } = emulator
    const all = { ...settings, endpoint, key, documents, journal }
    return spawn(process.execPath, [CHILD, JSON.stringify(all)], { stdio: ['pipe', 'pipe', 'inherit'] })
  }
  const follow = (settings: CopyChoice): Following => {
    const child = start({ ...settings, follows: true })
    const ended = once(child, 'close')
    return {
      pid: child.pid!,
      journal,
      isCopied: (async () => {
        for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line) as CopyCosts
        throw new Error('The copy has ended.')
      })(),
      stop: async () => {
        child.stdin!.end()
        await ended
      }
    }
  }
  try {
    await prepare?.(emulator)
    await fill(emulator, documents, textBytes)
    return await work({
      emulator,
      follow,
      copy: async (settings) => {
        const { isCopied, stop } = follow(settings)
        const costs = await isCopied
        await stop()
        return costs
      }
    })
  } finally {
    await emulator.stop()
    rmSync(folder, { recursive: true })
  }
}

/** A document of the source. */
export function documentOf(
  number: number,
  textBytes: number
): { readonly id: string } & Readonly<Record<string, unknown>> {
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
