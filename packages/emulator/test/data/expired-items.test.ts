import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openDataFolder } from '../../src/data/open-folder.ts'
import { applyDecision, sweepExpired } from '../../src/engine/apply-decision.ts'
import { readDocument } from '../../src/engine/item-view.ts'
import { toPartitionKey } from '../../src/partition/partition-key.ts'
import { Account } from '../../src/store/account.ts'
import { parseContainerDefinition } from '../../src/store/container-definition.ts'
import type { StagedItem } from '../../src/store/item.ts'

it('an expired item that was removed does not come back when the container has no time to live any more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keystamp-data-'))
  const account = new Account()
  const data = await openDataFolder({ path: folder, isSync: false }, account)
  const database = account.createDatabase('shop', undefined, 1)
  const definition = { id: 'orders', partitionKey: { paths: ['/pk'] } }
  const container = account.createContainer(database, parseContainerDefinition({ ...definition, defaultTtl: 10 }), {
    throughput: { mode: 'manual', ruPerSecond: 400 },
    rangeCount: 1,
    timestamp: 1
  })
  const partition = container.partition(toPartitionKey(['a']))
  const item = readDocument(container, { id: '1', pk: 'a' }, toPartitionKey(['a'])) as StagedItem
  item.ordinal = container.nextOrdinal()
  item.version = container.nextVersion()
  item.timestamp = 100
  applyDecision(
    container,
    {
      status: 201,
      subStatus: 0,
      message: undefined,
      chargeRu: 5,
      effect: 'put',
      type: 'Create',
      id: '1',
      formerId: undefined,
      partition,
      item,
      uniqueValues: []
    },
    1,
    100_000
  )
  expect(container.itemCount).toBe(1)
  sweepExpired(account, 200_000)
  account.changeContainer(container, parseContainerDefinition(definition), 2)
  data.close()

  const reopened = new Account()
  const again = await openDataFolder({ path: folder, isSync: false }, reopened)
  again.close()
  rmSync(folder, { recursive: true })

  expect([...reopened.containers()].map(({ id, itemCount }) => ({ id, itemCount }))).toEqual([
    { id: 'orders', itemCount: 0 }
  ])
})
