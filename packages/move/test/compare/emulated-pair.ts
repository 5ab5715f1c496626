import { type Emulator, startEmulator } from '@keystamp/emulator'
import { openMoveContainer, type OpenMoveContainer } from '../../src/containers/open-container.ts'

/** Two containers in one emulator. */
export interface EmulatedPair {
  readonly emulator: Emulator
  readonly source: OpenMoveContainer
  readonly target: OpenMoveContainer
  readonly put: (container: 'a' | 'b', key: unknown, document: object) => Promise<void>
  readonly remove: (container: 'a' | 'b', key: unknown, id: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts an emulator with the containers `a`, whose key is `/tenant`, and `b`. */
export async function startPair(targetPath: string): Promise<EmulatedPair> {
  const emulator = await startEmulator({ auth: 'off', ranges: 3, ruPerSecond: 200_000 })
  const { endpoint, key } = emulator
  const send = async (method: string, path: string, body?: object, keyValue?: unknown): Promise<void> => {
    const headers = {
      'x-ms-documentdb-is-upsert': 'true',
      ...(keyValue === undefined ? {} : { 'x-ms-documentdb-partitionkey': JSON.stringify([keyValue]) })
    }
    const answer = await fetch(`${endpoint}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
  await send('POST', 'dbs', { id: 'd' })
  for (const [id, path] of [
    ['a', '/tenant'],
    ['b', targetPath]
  ])
    await send('POST', 'dbs/d/colls', { id, partitionKey: { paths: [path], kind: 'Hash', version: 2 } })
  const open = (container: string): Promise<OpenMoveContainer> =>
    openMoveContainer({ endpoint, key, database: 'd', container })
  const [source, target] = [await open('a'), await open('b')]
  return {
    emulator,
    source,
    target,
    put: (container, keyValue, document) => send('POST', `dbs/d/colls/${container}/docs`, document, keyValue),
    remove: (container, keyValue, id) => send('DELETE', `dbs/d/colls/${container}/docs/${id}`, undefined, keyValue),
    stop: async () => {
      await Promise.all([source.close(), target.close()])
      await emulator.stop()
    }
  }
}
