import { uniqueValuesOf } from '../engine/item-view.ts'
import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import { StoredItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import { VersionLog } from '../store/version-log.ts'
import type { PutRecord } from './item-record.ts'
import type { EmulatorState, RecordReceiver, VersionsRecord } from './records.ts'
import { partitionOf } from './replay.ts'

/** Fills an empty account from the records of a snapshot. */
export class SnapshotLoader implements RecordReceiver {
  readonly #account: Account
  readonly #loading: Map<number, Loading> = new Map()
  #items = 0
  clockAheadMs = 0
  isEnded = false

  constructor(account: Account) {
    this.#account = account
  }

  state(state: EmulatorState): void {
    this.#account.restore(state.account)
    this.clockAheadMs = state.clockAheadMs
    for (const container of this.#account.containers()) this.#loading.set(container.number, { container, items: [] })
  }

  put(record: PutRecord, bytes: Buffer): void {
    this.#items += 1
    const loading = this.#loading.get(record.container)
    if (loading === undefined) throw new RangeError(`There is no container ${record.container}.`)
    const { container } = loading
    const item = new StoredItem(registered(container, record.keyText), record.id, record.ordinal)
    item.version = record.version
    item.lsn = record.lsn
    item.timestamp = record.timestamp
    item.ttl = record.ttl
    item.terms = record.terms
    item.isAscii = record.isAscii
    container.slabs.adopt(item, bytes, record.start, record.end)
    loading.items.push(item)
  }

  versions({ container: number, range: id, changes }: VersionsRecord): void {
    const range = this.#loading.get(number)?.container.ranges.byId(id)
    const log = range?.versions
    if (range === undefined || log === undefined) throw new RangeError(`The range ${id} has no retained changes.`)
    const { lost, chunks } = log.state()
    range.versions = VersionLog.restore({ lost, chunks: [...chunks, changes] })
  }

  remove(): void {
    throw new RangeError('A snapshot has no removed items.')
  }

  resource(): void {
    throw new RangeError('A snapshot has no changes of resources.')
  }

  end(items: number): void {
    if (items !== this.#items) throw new RangeError(`The snapshot has ${this.#items} of ${items} items.`)
    for (const { container, items: loaded } of this.#loading.values()) store(container, loaded)
    this.isEnded = true
  }
}

interface Loading {
  readonly container: Container
  readonly items: StoredItem[]
}

function registered(container: Container, keyText: string): LogicalPartition {
  const partition = partitionOf(container, keyText)
  if (partition.size === 0) container.partitions.add(partition)
  return partition
}

/** Adds loaded items to their ranges, in the order of creation, and changes in the order of LSNs. */
function store(container: Container, loaded: StoredItem[]): void {
  let last: StoredItem | undefined = undefined
  for (const item of ordered(loaded, (a, b) => a.ordinal - b.ordinal)) {
    // an item that changed while the snapshot was written can be in it twice
    if (last?.ordinal === item.ordinal) container.slabs.drop(item)
    else add(container, item)
    last = item
  }
  for (const range of container.ranges.all) {
    const changes = ordered([...range.items], (a, b) => a.lsn - b.lsn || a.version - b.version)
    for (const item of changes) range.changes.push(item)
  }
  if (container.uniquePaths.length > 0) holdUniqueValues(container)
  container.noteExpiries()
}

function add(container: Container, item: StoredItem): void {
  const { partition } = item
  const { range } = partition
  partition.add(item)
  partition.bytes += item.length
  range.items.push(item)
  range.bytes += item.length
  container.itemCount += 1
}

// an expired item can have the same values as a newer one
function holdUniqueValues(container: Container): void {
  for (const item of ordered([...container.items()], (a, b) => a.version - b.version)) {
    for (const value of uniqueValuesOf(container, item.partition, item)) container.uniqueHolders.set(value, item.id)
  }
}

function ordered(items: StoredItem[], compare: (a: StoredItem, b: StoredItem) => number): StoredItem[] {
  for (let at = 1; at < items.length; at++) {
    if (compare(items[at - 1], items[at]) > 0) return items.toSorted(compare)
  }
  return items
}
