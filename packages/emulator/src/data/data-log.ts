import { ServiceError } from '../service-error.ts'
import type { Container } from '../store/container.ts'
import type { StagedItem, StoredItem } from '../store/item.ts'
import type { Journal, PutContext, Removal, ResourceChange } from '../store/journal.ts'
import { ByteWriter } from './byte-writer.ts'
import type { CompactionHealth, CompactionReport } from './compaction-health.ts'
import type { Compactor } from './compactor.ts'
import type { DiskSpace } from './disk-space.ts'
import { reasonOf } from './folder-files.ts'
import { FRAME_HEADER_BYTES, sealFrame } from './frame.ts'
import { writePut, writeRemove } from './item-record.ts'
import type { LogFile } from './log-file.ts'
import { RECORD, writeJson } from './records.ts'
import { SyncGroup } from './sync-group.ts'
import { newTurn, type Turn } from './turn.ts'

/**
 * Writes all changes of a turn of the event loop as one entry at the end of a log, before the answers of this turn are
 * sent. An entry is either read as a whole or not at all, and it never ends within a request.
 */
export class DataLog implements Journal {
  #file: LogFile
  #entry: ByteWriter = newEntry()
  #turn: Turn | undefined = undefined
  #failure: ServiceError | undefined = undefined
  #retryAtMs = 0
  readonly #compactor: Compactor
  readonly #health: CompactionHealth
  readonly #group: SyncGroup | undefined
  #syncing: Promise<void> | undefined = undefined
  readonly #space: DiskSpace

  /** Milliseconds by which the clock of the emulator is ahead of its source. */
  clockAheadMs: number

  constructor(file: LogFile, { compactor, health, isSync, space }: DataLogContext, clockAheadMs: number) {
    this.#file = file
    this.clockAheadMs = clockAheadMs
    this.#compactor = compactor
    this.#health = health
    this.#group = isSync ? new SyncGroup() : undefined
    this.#space = space
  }

  /** State of the compaction of the folder. */
  get compaction(): CompactionReport {
    return this.#health.report()
  }

  put(container: Container, item: StagedItem, context: PutContext): void {
    this.#begin(RECORD.put)
    writePut(this.#entry, container, item, context)
  }

  remove(container: Container, item: StoredItem, removal: Removal): void {
    this.#begin(RECORD.remove)
    writeRemove(this.#entry, container, item, removal)
  }

  resource(change: ResourceChange): void {
    if (change.kind === 'clock') this.clockAheadMs = change.aheadMs
    this.#schedule()
    writeJson(this.#entry, RECORD.resource, change)
  }

  changing(container: Container, item: StoredItem): void {
    this.#compactor.changing(container, item)
  }

  /** Refuses a request while a change that was applied could not be written. */
  admit(): void {
    if (this.#failure !== undefined && Date.now() >= this.#retryAtMs) this.#flush()
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Refuses a write when the disk has too little space for it. */
  admitWrite(): void {
    this.#space.admit(this.#file.position)
  }

  /** Returns an answer once all changes that it may tell of are written. */
  settle<T>(answer: T | Promise<T>): T | Promise<T> {
    if (answer instanceof Promise) return answer.then((value: T) => this.settle(value))
    if (this.#entry.length > MAX_ENTRY_BYTES) this.#flush()
    if (this.#failure !== undefined) throw this.#failure
    const written = this.#turn?.written ?? this.#syncing
    return written === undefined ? answer : written.then(() => this.#compactor.room()).then(() => answer)
  }

  /** Writes all changes, and closes the file. */
  close(): void {
    this.#flush()
    this.#compactor.stop()
    if (this.#group !== undefined && this.#failure === undefined) this.#file.sync()
    this.#file.close()
  }

  #begin(type: number): void {
    this.#schedule()
    this.#entry.reserve(1)
    this.#entry.byte(type)
  }

  #schedule(): void {
    if (this.#turn !== undefined) return
    this.#turn = newTurn()
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    const turn = this.#turn
    this.#turn = undefined
    if (this.#entry.length === FRAME_HEADER_BYTES) return
    const { bytes, length } = this.#entry
    try {
      sealFrame(bytes, 0, length, this.#file.position)
      this.#file.write(bytes, 0, length)
    } catch (error) {
      this.#fail(error, turn)
      return
    }
    if (this.#retryAtMs !== Infinity) this.#failure = undefined
    if (bytes.length > MAX_ENTRY_BYTES * 4) this.#entry = newEntry()
    else this.#entry.length = FRAME_HEADER_BYTES
    const file = this.#file
    this.#file = this.#compactor.advance(file, length)
    if (this.#group === undefined) turn?.resolve()
    else this.#awaitDisk(this.#group, turn)
  }

  #awaitDisk(group: SyncGroup, turn: Turn | undefined): void {
    const syncing = group.written(this.#file)
    this.#syncing = syncing
    syncing.then(
      () => {
        if (this.#syncing === syncing) this.#syncing = undefined
        return turn?.resolve()
      },
      (error: unknown) => {
        this.#fail(error, turn)
        // the system may have dropped the bytes, so writing again does not help
        this.#retryAtMs = Infinity
      }
    )
  }

  // the entry stays in memory, and is written once that is possible
  #fail(error: unknown, turn: Turn | undefined): void {
    const sentence = `The data file ${this.#file.path} cannot be written: ${reasonOf(error)}. The emulator refuses requests until it can write again.`
    this.#failure = new ServiceError(503, sentence)
    this.#retryAtMs = Date.now() + RETRY_MS
    turn?.reject(this.#failure)
  }
}

// more is written at once after a request, without waiting for the end of the turn
const MAX_ENTRY_BYTES = 256 << 10
const RETRY_MS = 100

/** Dependencies of a log. */
export interface DataLogContext {
  readonly compactor: Compactor
  readonly health: CompactionHealth
  /** Whether answers wait for the disk. */
  readonly isSync: boolean
  readonly space: DiskSpace
}

function newEntry(): ByteWriter {
  const entry = new ByteWriter()
  entry.length = FRAME_HEADER_BYTES
  return entry
}
