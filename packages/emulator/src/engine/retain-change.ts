import type { Container } from '../store/container.ts'
import type { StagedItem, StoredItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { ImageSource } from '../store/retained-change.ts'

/** Keeps the version that a write is about to store. */
export function retainVersion(
  container: Container,
  partition: LogicalPartition,
  staged: StagedItem,
  existing: StoredItem | undefined
): void {
  const { versions } = partition.range
  versions?.append({
    kind: existing === undefined ? 'create' : 'replace',
    sequence: container.nextSequence(),
    lsn: staged.lsn,
    timestamp: staged.timestamp,
    id: staged.id,
    keyText: partition.keyText,
    effectiveKey: partition.effectiveKey,
    ordinal: staged.ordinal,
    previousLsn: existing?.lsn ?? 0,
    current: stagedImage(staged),
    previous:
      existing !== undefined && container.retained?.previousImages.ofReplaces === true
        ? storedImage(existing)
        : undefined
  })
}

/** Keeps a delete, or the end of a TTL, of an item that is about to be removed. */
export function retainRemoval(
  container: Container,
  item: StoredItem,
  { kind, lsn, nowMs }: { readonly kind: 'delete' | 'expiry'; readonly lsn: number; readonly nowMs: number }
): void {
  const { partition } = item
  partition.range.versions?.append({
    kind,
    sequence: container.nextSequence(),
    lsn,
    timestamp: Math.floor(nowMs / 1000),
    id: item.id,
    keyText: partition.keyText,
    effectiveKey: partition.effectiveKey,
    ordinal: item.ordinal,
    previousLsn: item.lsn,
    current: undefined,
    previous: container.retained?.previousImages.ofDeletes === true ? storedImage(item) : undefined
  })
}

/** Frees the versions that are older than the retention. */
export function dropOldVersions(container: Container, nowMs: number): void {
  const { retained } = container
  if (retained === undefined) return
  const oldest = retained.oldestSecond(nowMs)
  for (const { versions } of container.ranges.all) versions?.dropBefore(oldest)
}

function stagedImage({ version, timestamp, length, document }: StagedItem): ImageSource {
  const { bytes } = document
  return {
    version,
    timestamp,
    length,
    copyTo: (target, at) => {
      if (bytes === undefined) target.write(document.text, at, 'utf8')
      else bytes.copy(target, at, document.start, document.end)
    }
  }
}

function storedImage({ version, timestamp, length, slab, offset }: StoredItem): ImageSource {
  return { version, timestamp, length, copyTo: (target, at) => slab.bytes.copy(target, at, offset, offset + length) }
}
