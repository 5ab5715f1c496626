import { applyDecision, expireItem, expireWithChange } from '../engine/apply-decision.ts'
import type { Decision } from '../engine/item-operation.ts'
import { uniqueValues } from '../engine/item-view.ts'
import { moveItems } from '../engine/mover.ts'
import { parsePartitionKey } from '../partition/partition-key.ts'
import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import { StagedItem } from '../store/item.ts'
import type { ResourceChange } from '../store/journal.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import { StoredDocument } from '../store/stored-document.ts'
import type { PutRecord, RemoveRecord } from './item-record.ts'
import type { RecordReceiver } from './records.ts'

/** Applies the records of a log to an account, as the operations that wrote them did. */
export class Replay implements RecordReceiver {
  readonly #account: Account
  readonly #containers: Map<number, Container> = new Map()
  clockAheadMs: number
  /** Whether the last log has its end record. */
  isEnded = false

  constructor(account: Account, clockAheadMs: number) {
    this.#account = account
    this.clockAheadMs = clockAheadMs
    this.#index()
  }

  put(record: PutRecord, bytes: Buffer): void {
    const container = this.#container(record.container)
    const partition = partitionOf(container, record.keyText)
    const document = new StoredDocument(bytes, record.start, record.end, record.isAscii)
    const { id, ttl, terms } = record
    const item = new StagedItem(document, { id, ttl, terms, length: document.length })
    item.ordinal = record.ordinal
    item.version = record.version
    item.lsn = record.lsn
    item.timestamp = record.timestamp
    const values = uniqueValues(container, partition, document)
    applyDecision(container, decided(partition, record, item, values), record.lsn, record.timestamp * 1000)
  }

  remove(record: RemoveRecord): void {
    const container = this.#container(record.container)
    const partition = partitionOf(container, record.keyText)
    const item = partition.get(record.id)
    if (item === undefined) throw new RangeError('A removed item does not exist.')
    const { lsn } = record
    const nowMs = record.timestamp * 1000
    if (lsn === undefined) expireItem(container, item)
    else if (record.kind === 'expiry') expireWithChange(container, item, { lsn, nowMs })
    else applyDecision(container, decided(partition, record, undefined), lsn, nowMs)
  }

  resource(change: ResourceChange): void {
    const account = this.#account
    switch (change.kind) {
      case 'createDatabase':
        account.createDatabase(change.id, change.throughput, change.timestamp)
        return
      case 'deleteDatabase':
        account.deleteDatabase(this.#database(change.id))
        this.#index()
        return
      case 'createContainer': {
        const { throughput, rangeCount, timestamp } = change
        const how = { throughput, rangeCount, timestamp }
        account.createContainer(this.#database(change.database), change.definition, how)
        this.#index()
        return
      }
      case 'changeContainer': {
        const container = this.#database(change.database).containers.get(change.definition.id)
        container?.change(change.definition, change.timestamp)
        return
      }
      case 'deleteContainer': {
        const database = this.#database(change.database)
        const container = database.containers.get(change.id)
        if (container !== undefined) account.deleteContainer(database, container)
        this.#index()
        return
      }
      case 'offer':
        account.offers.get(change.state.rid)?.restore(change.state)
        return
      case 'ranges': {
        const { ranges } = this.#container(change.container)
        const former = ranges.all
        ranges.restore(change.state)
        const parents = former.filter((range) => ranges.byId(range.id) === undefined)
        if (parents.length > 0)
          moveItems(
            parents,
            ranges.all.filter((range) => !former.includes(range))
          )
        return
      }
      case 'user':
        this.#database(change.database).users.restoreUser(change.state)
        return
      case 'deleteUser':
        this.#database(change.database).users.byId.delete(change.id)
        return
      case 'clock':
        this.clockAheadMs = change.aheadMs
    }
  }

  state(): void {
    throw new RangeError('A log has no record of the whole state.')
  }

  versions(): void {
    throw new RangeError('A log has no record of retained changes.')
  }

  end(): void {
    this.isEnded = true
  }

  #index(): void {
    this.#containers.clear()
    for (const container of this.#account.containers()) this.#containers.set(container.number, container)
  }

  #container(number: number): Container {
    const container = this.#containers.get(number)
    if (container === undefined) throw new RangeError(`There is no container ${number}.`)
    return container
  }

  #database(id: string): ReturnType<Account['createDatabase']> {
    const database = this.#account.databases.get(id)
    if (database === undefined) throw new RangeError(`There is no database '${id}'.`)
    return database
  }
}

/** The logical partition of the text of a key. */
export function partitionOf(container: Container, keyText: string): LogicalPartition {
  return container.partitions.get(keyText) ?? container.partition(parsePartitionKey(`[${keyText}]`))
}

function decided(
  partition: LogicalPartition,
  record: PutRecord | RemoveRecord,
  item: StagedItem | undefined,
  values: readonly string[] = []
): Decision {
  return {
    status: 0,
    subStatus: 0,
    message: undefined,
    chargeRu: 0,
    effect: item === undefined ? 'remove' : 'put',
    type: item === undefined ? 'Delete' : 'Upsert',
    id: record.id,
    formerId: 'formerId' in record ? record.formerId : undefined,
    partition,
    item,
    uniqueValues: values
  }
}
