import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import type { StoredItem } from '../store/item.ts'
import { NOWHERE } from '../store/slab.ts'
import { ByteWriter } from './byte-writer.ts'
import { FRAME_HEADER_BYTES, sealFrame } from './frame.ts'
import { writeStored } from './item-record.ts'
import type { LogFile } from './log-file.ts'
import { RECORD, writeEnd, writeJson, writeVersions } from './records.ts'

/**
 * Writes the state that an account has now, little by little, while the account goes on changing. Before an item
 * changes that is not written yet, its state is written.
 */
export class SnapshotWriter {
  readonly #file: LogFile
  readonly #taken: Map<Container, number> = new Map()
  readonly #records: Iterator<void>
  readonly #entry: ByteWriter = new ByteWriter()
  #items = 0
  /** Bytes of the documents that were written. */
  documentBytes = 0

  constructor(file: LogFile, account: Account, clockAheadMs: number) {
    this.#file = file
    this.#entry.length = FRAME_HEADER_BYTES
    writeJson(this.#entry, RECORD.state, { clockAheadMs, account: account.state() })
    const parts = [...account.containers()].map(takePart)
    for (const { container, version } of parts) this.#taken.set(container, version)
    this.#records = this.#writeAll(parts)
  }

  /** Number of items that were written. */
  get items(): number {
    return this.#items
  }

  /** Writes an item that is about to change. */
  keep(container: Container, item: StoredItem): void {
    const version = this.#taken.get(container)
    if (version !== undefined && item.version <= version) this.#writeItem(container, item)
  }

  /** Writes at least this many bytes; true when the snapshot is complete. */
  step(bytes: number): boolean {
    const until = this.#file.position + this.#entry.length + bytes
    while (this.#file.position + this.#entry.length < until) {
      if (this.#records.next().done === true) {
        writeEnd(this.#entry, this.#items)
        this.#flush()
        return true
      }
      if (this.#entry.length >= ENTRY_BYTES) this.#flush()
    }
    return false
  }

  *#writeAll(parts: readonly Part[]): Generator<void, void> {
    for (const { container, version, ranges } of parts) {
      for (const { id, items, chunks } of ranges) {
        for (const item of items) {
          // a changed item was written before its change, and the bytes of a removed one are gone
          if (item === undefined || item.version > version || item.slab === NOWHERE) continue
          this.#writeItem(container, item)
          yield
        }
        for (const changes of chunks) {
          writeVersions(this.#entry, { container: container.number, range: id, changes })
          yield
        }
      }
    }
  }

  #writeItem(container: Container, item: StoredItem): void {
    this.#items += 1
    this.documentBytes += item.length
    this.#entry.reserve(1)
    this.#entry.byte(RECORD.put)
    writeStored(this.#entry, container, item)
  }

  #flush(): void {
    const { bytes, length } = this.#entry
    sealFrame(bytes, 0, length, this.#file.position)
    this.#file.write(bytes, 0, length)
    this.#entry.length = FRAME_HEADER_BYTES
  }
}

const ENTRY_BYTES = 256 << 10

/** A container as it is now: later changes have higher versions. */
interface Part {
  readonly container: Container
  readonly version: number
  readonly ranges: readonly {
    readonly id: string
    readonly items: readonly (StoredItem | undefined)[]
    readonly chunks: readonly Buffer[]
  }[]
}

function takePart(container: Container): Part {
  const ranges = container.ranges.all.map(({ id, items, versions }) => ({
    id,
    items: items.toArray(),
    chunks: versions?.state().chunks ?? []
  }))
  return { container, version: container.lastVersion, ranges }
}
