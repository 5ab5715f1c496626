import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { openMove } from '@keystamp/move'
import { JOINED } from './article-data.ts'
import { newContainer } from './containers.ts'
import { emulated } from './emulated.ts'
import type { Shown } from './row.ts'

/** Moves a container to a synthetic key, with a change during the move, and a switch. */
export function movedContainer(): Promise<Shown[]> {
  return emulated({}, async (client, { endpoint, key }) => {
    const old = await newContainer(client, {}, '/date')
    const partitionKey = { paths: ['/partitionKey'], version: PartitionKeyDefinitionVersion.V2 }
    const { container } = await old.database.containers.create({ id: 'items-2', partitionKey })
    for (const id of ['1', '2', '3']) await old.items.create({ id, deviceId: `abc-${id}`, date: '2018' })
    const journal = await mkdtemp(join(tmpdir(), 'keystamp-moved-'))
    const side = { endpoint, key, database: 'articles', readShare: '100%', writeShare: '100%' } as const
    const move = await openMove({
      from: { ...side, container: 'items' },
      to: { ...side, container: 'items-2' },
      plan: JOINED,
      journal,
      limits: { replicaLagMs: 100 }
    })
    const ended = move.run(new AbortController().signal)
    try {
      await old.items.upsert({ id: '3', deviceId: 'abc-3', date: '2018', changed: true })
      let switched = await move.request('switch')
      while (!switched.isDone) {
        await new Promise((resolve) => {
          setTimeout(resolve, 100)
        })
        switched = await move.request('switch')
      }
      await move.request('finish')
      await ended
    } finally {
      await move.close()
      await rm(journal, { recursive: true })
    }
    const { resources } = await container.items.readAll<{ partitionKey: string; changed?: boolean }>().fetchAll()
    const keys = resources.map(({ partitionKey: value, changed }) => `${value}${changed === true ? ', changed' : ''}`)
    return [
      {
        input: '3 items with the key /date, moved to a synthetic key; one of them changes meanwhile',
        output: `stored under ${keys.toSorted().join('; ')}`
      }
    ]
  })
}
