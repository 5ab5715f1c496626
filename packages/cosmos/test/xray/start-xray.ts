import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterEach } from 'vitest'
import { openXray, type Xray, type XrayOptions } from '../../src/index.ts'

/** A container in an emulator whose clock the test moves, and its log of requests. */
export interface XrayedContainer {
  readonly emulator: Emulator
  /** Method, path, status and charge of each request since the last call of `clearLog`, with its time. */
  readonly log: { readonly line: string; readonly atMs: number }[]
  /** Upserts documents, one request each. */
  readonly write: (
    documents: readonly { readonly id: string; readonly key: string; readonly text?: string }[]
  ) => Promise<void>
  /** Creates the container again, with further properties. */
  readonly define: (properties: object) => Promise<void>
  /** Milliseconds since 1970 on the clock of the emulator. */
  readonly now: () => number
  readonly advance: (ms: number) => void
  readonly open: (options?: Partial<XrayOptions>) => Xray
}

/** Starts containers for the tests of one file, and stops each after its test. */
export function useXrayedContainers(): (options?: EmulatorOptions) => Promise<XrayedContainer> {
  const stops: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop()
  })
  return async (options) => {
    const container = await start(options, (stop) => stops.push(stop))
    return container
  }
}

// far from the clock of the machine, on which nothing may rest
const START_MS = Date.UTC(2026, 2, 1, 12)

async function start(
  options: EmulatorOptions | undefined,
  onStop: (stop: () => Promise<void>) => void
): Promise<XrayedContainer> {
  let nowMs = START_MS
  const log: { line: string; atMs: number }[] = []
  const emulator = await startEmulator({
    ranges: 4,
    ruPerSecond: 40_000,
    auth: 'off',
    now: () => nowMs,
    log: (line) => log.push({ line, atMs: performance.now() }),
    ...options
  })
  onStop(emulator.stop)
  const post = async (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<void> => {
    const answer = await fetch(`${emulator.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(`${answer.status} to ${path}: ${await answer.text()}`)
  }
  await post('dbs', { id: 'd' })
  const definition = { id: 'c', partitionKey: { paths: ['/key'], kind: 'Hash', version: 2 } }
  await post('dbs/d/colls', definition)
  return {
    emulator,
    log,
    write: async (documents) => {
      for (const document of documents)
        await post('dbs/d/colls/c/docs', document, {
          'x-ms-documentdb-partitionkey': JSON.stringify([document.key]),
          'x-ms-documentdb-is-upsert': 'true'
        })
    },
    define: async (properties) => {
      await fetch(`${emulator.endpoint}dbs/d/colls/c`, { method: 'DELETE' })
      await post('dbs/d/colls', { ...definition, ...properties })
    },
    now: () => nowMs,
    advance: (ms) => {
      nowMs += ms
    },
    open: (more = {}) => {
      const { endpoint, key } = emulator
      const xray = openXray({
        endpoint,
        key,
        database: 'd',
        container: 'c',
        maxRuPerSecond: 1_000_000,
        random: Math.random,
        ...more
      })
      onStop(async () => xray.close())
      return xray
    }
  }
}
