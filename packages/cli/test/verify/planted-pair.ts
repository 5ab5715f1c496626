import { type Emulator, startEmulator } from '@keystamp/emulator'

/** Two containers, `d/a` with the key `/tenant` and `d/b` with the key `/pk`, in an emulator. */
export interface PlantedPair {
  readonly emulator: Emulator
  /** Arguments of the command. */
  readonly names: readonly [string, string]
  readonly put: (container: 'a' | 'b', document: Drive) => Promise<void>
  readonly bodies: (container: 'a' | 'b') => Promise<readonly Drive[]>
}

export interface Drive {
  readonly id: string
  readonly tenant: string
  readonly device: string
  readonly km?: number
  readonly pk?: string
}

/** Plan of the copies. */
export const PLAN = '{"into":"/pk","from":[{"field":"/tenant"},{"field":"/device"}]}'

export async function startPlantedPair(): Promise<PlantedPair> {
  const emulator = await startEmulator({ auth: 'off', ranges: 2, ruPerSecond: 200_000 })
  const { endpoint } = emulator
  const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<void> => {
    const answer = await fetch(`${endpoint}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  await send('dbs', { id: 'd' })
  for (const [id, path] of [
    ['a', '/tenant'],
    ['b', '/pk']
  ])
    await send('dbs/d/colls', { id, partitionKey: { paths: [path], kind: 'Hash', version: 2 } })
  return {
    emulator,
    names: [`${endpoint}d/a`, `${endpoint}d/b`],
    put: (container, document) =>
      send(`dbs/d/colls/${container}/docs`, document, {
        'x-ms-documentdb-is-upsert': 'true',
        'x-ms-documentdb-partitionkey': JSON.stringify([container === 'a' ? document.tenant : document.pk])
      }),
    bodies: async (container) => {
      const answer = await fetch(`${endpoint}dbs/d/colls/${container}/docs`, {
        headers: { 'x-ms-max-item-count': '-1' }
      })
      return ((await answer.json()) as { Documents: Drive[] }).Documents
    }
  }
}

export function driveOf(id: string): Drive {
  return { id, tenant: `tenant${id.length}`, device: `device${id.replaceAll('-', '')}`, km: 1 }
}

export function copyOf(drive: Drive): Drive {
  return { ...drive, pk: `${drive.tenant}-${drive.device}` }
}

/** Plants equal documents, and `count` differences of each kind. */
export async function plantDifferences({ put }: PlantedPair, count: number): Promise<void> {
  const both = async (drive: Drive): Promise<void> => {
    await put('a', drive)
    await put('b', copyOf(drive))
  }
  for (let index = 0; index < 20; index++) await both(driveOf(`equal-${index}`))
  for (let index = 0; index < count; index++) {
    await put('a', driveOf(`missing-${index}`))
    await put('b', copyOf(driveOf(`extra-${index}`)))
    await put('a', driveOf(`different-${index}`))
    await put('b', { ...copyOf(driveOf(`different-${index}`)), km: 2 })
    await put('a', driveOf(`misplaced-${index}`))
    await put('b', { ...driveOf(`misplaced-${index}`), pk: 'wrong' })
  }
}
