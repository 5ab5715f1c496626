import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import { isExpired, type StagedItem, StoredItem } from '../store/item.ts'
import type { Journal } from '../store/journal.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import { StoredDocument } from '../store/stored-document.ts'
import type { Decision } from './item-operation.ts'
import { uniqueValuesOf } from './item-view.ts'
import { dropOldVersions, retainRemoval, retainVersion } from './retain-change.ts'

/** Applies a decision. All decisions of a bulk request or of an atomic batch share one LSN. */
export function applyDecision(container: Container, decision: Decision, lsn: number, nowMs: number): void {
  const { partition } = decision
  const existing = decision.isAbsent === true ? undefined : partition.get(decision.formerId ?? decision.id)
  if (container.journal !== undefined) record(container.journal, container, decision, existing, { lsn, nowMs })
  if (container.retained !== undefined) {
    if (decision.effect === 'put') retainVersion(container, partition, decision.item as StagedItem, existing)
    else if (existing !== undefined) retainRemoval(container, existing, { kind: 'delete', lsn, nowMs })
  }
  if (decision.formerId !== undefined) dropExpired(container, partition, decision.id)
  freeUniqueValues(container, partition, existing)
  if (decision.effect === 'put') putItem(container, partition, decision.item as StagedItem, existing)
  else if (existing !== undefined) removeItem(container, existing)
  for (const value of decision.uniqueValues) container.uniqueHolders.set(value, decision.id)
  partition.range.lsn = lsn
}

function record(
  journal: Journal,
  container: Container,
  decision: Decision,
  existing: StoredItem | undefined,
  { lsn, nowMs }: { readonly lsn: number; readonly nowMs: number }
): void {
  const { keyText } = decision.partition
  const { formerId } = decision
  if (existing !== undefined) journal.changing(container, existing)
  if (decision.effect === 'put') journal.put(container, decision.item as StagedItem, { keyText, formerId })
  else if (existing !== undefined)
    journal.remove(container, existing, { kind: 'delete', lsn, timestamp: Math.floor(nowMs / 1000) })
}

/** Removes an expired item, without a new LSN. */
export function expireItem(container: Container, item: StoredItem): void {
  container.journal?.changing(container, item)
  freeUniqueValues(container, item.partition, item)
  removeItem(container, item)
}

function putItem(
  container: Container,
  partition: LogicalPartition,
  staged: StagedItem,
  existing: StoredItem | undefined
): void {
  const { range } = partition
  // an expired item that is still stored is replaced by a new item, which has another resource id
  const isNew = existing === undefined || existing.ordinal !== staged.ordinal
  if (existing !== undefined && isNew) removeItem(container, existing)
  const item = isNew ? new StoredItem(partition, staged.id, staged.ordinal) : existing
  if (item.id !== staged.id) partition.rename(item, staged.id)
  if (isNew) register(container, item)
  else release(container, item)
  item.version = staged.version
  item.lsn = staged.lsn
  item.timestamp = staged.timestamp
  item.ttl = staged.ttl
  item.terms = staged.terms
  const { document } = staged
  item.isAscii = document.isAscii
  if (document.bytes === undefined) container.slabs.put(item, document.text, staged.length)
  else if (document instanceof StoredDocument) container.slabs.adopt(item, document.bytes, document.start, document.end)
  else container.slabs.copy(item, document.bytes, document.start, document.end)
  partition.bytes += staged.length
  range.bytes += staged.length
  range.changes.push(item)
  container.applied(staged.version, staged.ordinal)
  container.retained?.noteExpiry(item, container.itemCount, () => container.items())
}

// a replace may give an item the id of an expired item that is still stored
function dropExpired(container: Container, partition: LogicalPartition, id: string): void {
  const expired = partition.get(id)
  if (expired !== undefined) expireItem(container, expired)
}

function register(container: Container, item: StoredItem): void {
  const { partition } = item
  if (partition.size === 0) container.partitions.add(partition)
  partition.add(item)
  partition.range.items.push(item)
  container.itemCount += 1
}

function release(container: Container, item: StoredItem): void {
  const { partition } = item
  partition.bytes -= item.length
  partition.range.bytes -= item.length
  partition.range.changes.remove(item)
  container.slabs.drop(item)
}

function removeItem(container: Container, item: StoredItem): void {
  const { partition } = item
  release(container, item)
  partition.range.items.remove(item)
  partition.remove(item.id)
  container.itemCount -= 1
  if (partition.size === 0) container.partitions.remove(partition)
}

function freeUniqueValues(container: Container, partition: LogicalPartition, existing: StoredItem | undefined): void {
  for (const value of uniqueValuesOf(container, partition, existing)) {
    if (container.uniqueHolders.get(value) === existing?.id) container.uniqueHolders.delete(value)
  }
}

/** Removes expired items from all containers; reads ignore them before that. */
export function sweepExpired(account: Account, nowMs: number): void {
  for (const database of account.databases.values()) {
    for (const container of database.containers.values()) sweepContainer(container, nowMs)
  }
}

/** Removes the expired items of a container, so that its sizes and counts are those of the items that reads find. */
export function sweepContainer(container: Container, nowMs: number): void {
  const { retained, definition } = container
  const { defaultTtl } = definition
  if (retained !== undefined) {
    expireRetained(container, nowMs)
    dropOldVersions(container, nowMs)
    return
  }
  if (defaultTtl === undefined) return
  const expired = [...container.items()].filter((item) => isExpired(item, defaultTtl, nowMs))
  for (const item of expired) {
    container.journal?.remove(container, item, { kind: 'expiry', lsn: undefined, timestamp: Math.floor(nowMs / 1000) })
    expireItem(container, item)
  }
}

/**
 * Removes the expired items of a container that keeps all versions: each removal is a change with its own LSN. Called
 * before each operation, so that an operation never finds an expired item that is still stored.
 */
export function expireRetained(container: Container, nowMs: number): void {
  const { retained } = container
  if (retained === undefined) return
  for (const item of retained.takeExpired(nowMs)) {
    const lsn = item.partition.range.lsn + 1
    container.journal?.remove(container, item, { kind: 'expiry', lsn, timestamp: Math.floor(nowMs / 1000) })
    expireWithChange(container, item, { lsn, nowMs })
  }
}

/** Removes an expired item of a container that keeps all versions; the removal is a change with this LSN. */
export function expireWithChange(
  container: Container,
  item: StoredItem,
  { lsn, nowMs }: { readonly lsn: number; readonly nowMs: number }
): void {
  item.partition.range.lsn = lsn
  retainRemoval(container, item, { kind: 'expiry', lsn, nowMs })
  expireItem(container, item)
}
