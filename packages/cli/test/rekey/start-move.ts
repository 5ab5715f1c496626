import { FACTS } from './check-facts.ts'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import type { ReadMoveFactsOptions } from '../../src/rekey/read-move-facts.ts'

/** An emulator with a container whose documents a test wants to move, and requests to it. */
export interface StartedMove {
  readonly emulator: Emulator
  readonly post: (path: string, body: object, headers?: Readonly<Record<string, string>>) => Promise<void>
  /** Upserts documents of the source. */
  readonly write: (documents: readonly object[]) => Promise<void>
  /** Options to read the facts of a move from `/deviceId` to `/key`. */
  readonly optionsFor: (
    plan: ReadMoveFactsOptions['plan'],
    options?: Partial<ReadMoveFactsOptions['options']>
  ) => ReadMoveFactsOptions
}

const START_MS = Date.UTC(2026, 2, 1, 12)

/** Starts an emulator with the source `fleet/drives`, which has further properties. */
export async function startMove(source: object = {}, options: EmulatorOptions = {}): Promise<StartedMove> {
  const emulator = await startEmulator({
    ranges: 2,
    ruPerSecond: 20_000,
    auth: 'off',
    now: () => START_MS,
    ...options
  })
  const post: StartedMove['post'] = async (path, body, headers = {}) => {
    const answer = await fetch(`${emulator.endpoint}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
    if (!answer.ok) throw new Error(`${answer.status} to ${path}: ${await answer.text()}`)
  }
  await post('dbs', { id: 'fleet' })
  const partitionKey = { paths: ['/deviceId'], kind: 'Hash', version: 2 }
  await post('dbs/fleet/colls', { id: 'drives', partitionKey, ...source })
  const { endpoint, key } = emulator
  const side = (container: string) => ({ endpoint, key, database: 'fleet', container })
  return {
    emulator,
    post,
    write: async (documents) => {
      for (const document of documents) {
        const { deviceId } = document as { readonly deviceId: string }
        await post('dbs/fleet/colls/drives/docs', document, {
          'x-ms-documentdb-partitionkey': JSON.stringify([deviceId]),
          'x-ms-documentdb-is-upsert': 'true'
        })
      }
    },
    optionsFor: (plan, others = {}) => ({
      source: side('drives'),
      target: side('drives-2'),
      plan,
      options: {
        ...FACTS.options,
        ...others
      },
      maxRuPerSecond: 1_000_000,
      signal: new AbortController().signal,
      nowMs: START_MS + 10_000
    })
  }
}
