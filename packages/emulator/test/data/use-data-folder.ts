import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, expect } from 'vitest'
import { type PlainAnswer, send } from './plain-client.ts'

type Asked = Parameters<typeof send>[3]

/** Path of the container that `createContainer` creates. */
export const ORDERS = '/dbs/shop/colls/orders'

/** A data folder, and the emulator that keeps its data there. */
export interface DataFolderOfTest {
  readonly folder: string
  readonly emulator: Emulator
  /** Milliseconds since 1970 on the clock of the machine, as the emulator sees it. Only the test moves this clock. */
  nowMs: number
  /** Starts the emulator, after the test has stopped it. */
  readonly start: (options?: EmulatorOptions) => Promise<void>
  readonly restart: (options?: EmulatorOptions) => Promise<void>
  readonly call: (method: string, path: string, asked?: Asked) => Promise<PlainAnswer>
  /** Creates the container at `ORDERS`, with the partition key /pk. */
  readonly createContainer: (definition?: object, throughput?: string) => Promise<void>
  /** Upserts an item of that container. */
  readonly upsert: (pk: unknown, id: string, more?: object) => Promise<PlainAnswer>
}

/** Starts an emulator with an empty data folder before each test of a file. Both are gone after the test. */
export function useDataFolder(options: EmulatorOptions = {}): DataFolderOfTest {
  let folder: string
  let emulator: Emulator

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keystamp-data-'))
    data.nowMs = 1_800_000_000_000
    await data.start()
  })
  afterEach(async () => {
    await emulator.stop()
    rmSync(folder, { recursive: true })
  })

  const data: DataFolderOfTest = {
    get folder() {
      return folder
    },
    get emulator() {
      return emulator
    },
    nowMs: 0,
    start: async (more = {}) => {
      emulator = await startEmulator({ auth: 'off', data: folder, now: () => data.nowMs, ...options, ...more })
    },
    restart: async (more) => {
      await emulator.stop()
      await data.start(more)
    },
    call: (method, path, asked) => send(emulator.endpoint, method, path, asked),
    createContainer: async (definition = {}, throughput = '400') => {
      await data.call('POST', '/dbs', { body: { id: 'shop' } })
      const body = { id: 'orders', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, ...definition }
      const headers = { 'x-ms-offer-throughput': throughput }
      expect((await data.call('POST', '/dbs/shop/colls', { body, headers })).status).toBe(201)
    },
    upsert: (pk, id, more = {}) =>
      data.call('POST', `${ORDERS}/docs`, {
        key: [pk],
        headers: { 'x-ms-documentdb-is-upsert': 'true' },
        body: { id, pk, ...more }
      })
  }
  return data
}
