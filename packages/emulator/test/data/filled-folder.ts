import { existsSync, readdirSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { openDataFolder } from '../../src/data/open-folder.ts'
import { applyDecision } from '../../src/engine/apply-decision.ts'
import { readDocument } from '../../src/engine/item-view.ts'
import { toPartitionKey } from '../../src/partition/partition-key.ts'
import { Account } from '../../src/store/account.ts'
import { parseContainerDefinition } from '../../src/store/container-definition.ts'
import type { Container } from '../../src/store/container.ts'
import type { StagedItem } from '../../src/store/item.ts'

/** Content of a folder with a snapshot and a log. */
export interface Filled {
  readonly describe: (account: Account) => string
  readonly state: string
  readonly stateBeforeLastEntry: string
  /** The state after each entry of the log, and before the first one. */
  readonly history: readonly string[]
  /** Size of the log at the first state of the history. */
  readonly historyFrom: number
}

/** Writes items to a folder until it has a snapshot, and then ten entries. */
export async function fillFolder(folder: string): Promise<Filled> {
  const account = new Account()
  const data = await openDataFolder({ path: folder, isSync: false }, account)
  const orders = createOrders(account)
  const ada = account.databases.get('shop')!.users.create('ada', 1)
  ada.createPermission({ id: 'p', permissionMode: 'Read', resource: 'dbs/shop/colls/orders' }, 1)
  const versions = createOrders(account, 'versions', { changeFeedPolicy: { retentionDuration: 10 } })
  const hasSnapshot = (): boolean => readdirSync(folder).some((name) => /^snapshot-\d+$/.test(name))
  for (let n = 0; !hasSnapshot() || existsSync(`${folder}/log-1`); n++) {
    putItem(orders, `key ${n % 7}`, `item ${n % 40}`, { n, size: 20_000 })
    putItem(versions, `key ${n % 5}`, `item ${n % 9}`, { n, size: 100 })
    await data.log.settle(undefined)
    await delay(1)
  }
  const [log] = readdirSync(folder).filter((name) => name.startsWith('log-'))
  const historyFrom = statSync(`${folder}/${log}`).size
  const history = [describeAccount(account)]
  for (let n = 0; n < 10; n++) {
    putItem(n % 2 === 0 ? versions : orders, `key ${n % 3}`, `later ${n}`, { n, size: 800 })
    await data.log.settle(undefined)
    history.push(describeAccount(account))
  }
  data.close()
  return {
    describe: describeAccount,
    state: history.at(-1)!,
    stateBeforeLastEntry: history.at(-2)!,
    history,
    historyFrom
  }
}

/** Creates a container, and the database `shop` if there is none. */
export function createOrders(account: Account, id = 'orders', more: object = {}): Container {
  const database = account.databases.get('shop') ?? account.createDatabase('shop', undefined, 1)
  const definition = parseContainerDefinition({ id, partitionKey: { paths: ['/pk'] }, ...more })
  const throughput = { mode: 'manual', ruPerSecond: 400 } as const
  return account.createContainer(database, definition, { throughput, rangeCount: 2, timestamp: 1 })
}

/** Stores an item with a number and about this many bytes. */
export function putItem(container: Container, pk: string, id: string, { n, size }: { n: number; size: number }): void {
  const key = toPartitionKey([pk])
  const partition = container.partition(key)
  const existing = partition.get(id)
  const item = readDocument(
    container,
    { id, pk, n, text: String(n).repeat(size / String(n).length) },
    key
  ) as StagedItem
  item.ordinal = existing?.ordinal ?? container.nextOrdinal()
  item.version = container.nextVersion()
  item.lsn = partition.range.lsn + 1
  item.timestamp = 100
  const decision = { status: 201, subStatus: 0, message: undefined, chargeRu: 5, type: 'Upsert' as const }
  const effect = { effect: 'put' as const, id, formerId: undefined, partition, item, uniqueValues: [] }
  applyDecision(container, { ...decision, ...effect }, item.lsn, 100_000)
}

/** All resources, items and retained versions of an account. */
export function describeAccount(account: Account): string {
  const containers = [...account.containers()].map((container) => ({
    items: [...container.items()].map((item) => [item.id, item.ordinal, item.version, item.lsn, item.json()]),
    changes: container.ranges.all.map((range) => [...range.changes].map(({ id, lsn }) => [id, lsn])),
    versions: container.ranges.all.map((range) =>
      [...(range.versions?.after({ by: 'lsn', at: -1 }) ?? [])].map(({ entry }) => entry.toString('base64'))
    )
  }))
  return JSON.stringify([account.state(), containers])
}
