import { fsync, renameSync, rmSync } from 'node:fs'
import type { Account } from '../store/account.ts'
import type { Container } from '../store/container.ts'
import type { StoredItem } from '../store/item.ts'
import { ByteWriter } from './byte-writer.ts'
import type { CompactionHealth } from './compaction-health.ts'
import { logPath, partPath, removeLeftovers, snapshotPath } from './folder-files.ts'
import { FRAME_HEADER_BYTES, sealFrame } from './frame.ts'
import { LogFile, syncFolder } from './log-file.ts'
import { writeEnd } from './records.ts'
import { SnapshotWriter } from './snapshot-writer.ts'
import { newTurn, type Turn } from './turn.ts'

/** A folder to compact. */
export interface CompactorContext {
  readonly folder: string
  readonly account: Account
  readonly clockAheadMs: () => number
  readonly isSync: boolean
  /** Removes a file that a snapshot replaced. */
  readonly removeFile: (path: string) => Promise<void>
  readonly health: CompactionHealth
}

/**
 * Replaces the logs of a folder by a snapshot when they have become much larger than the data. The changes of the
 * meantime go to a new log, and the former files are removed once the snapshot has its name.
 */
export class Compactor {
  readonly #context: CompactorContext
  #number: number
  #bytes: number
  #nextCheck = MIN_BYTES
  #itemBytes = FIRST_ITEM_BYTES
  #running: Running | undefined = undefined
  #finishing: Running | undefined = undefined
  /** The last compaction, if files that it replaced could not be removed. */
  #unremoved: Running | undefined = undefined

  /** `number` is that of the current log, and `bytes` the size of all files. */
  constructor(context: CompactorContext, number: number, bytes: number) {
    this.#context = context
    this.#number = number
    this.#bytes = bytes
  }

  /** Called after bytes were written to a log; returns the log for the next ones. */
  advance(log: LogFile, written: number): LogFile {
    this.#bytes += written
    if (this.#running !== undefined) {
      this.#step(this.#running, written * PACE)
      return log
    }
    if (this.#finishing !== undefined || !this.#context.health.isDue) return log
    if (this.#bytes >= this.#nextCheck) {
      if (this.#bytes > Math.max(MIN_BYTES, this.#liveBytes() * MAX_RATIO)) return this.#start(log)
      this.#nextCheck = this.#bytes + CHECK_BYTES
    }
    if (this.#unremoved !== undefined) void this.#removeFormer(this.#unremoved)
    return log
  }

  /**
   * Resolves when a snapshot that is being written has replaced its logs; undefined while there is no need to wait. Fast
   * writers would otherwise fill the disk before the snapshot is complete.
   */
  room(): Promise<void> | undefined {
    const running = this.#running ?? this.#finishing
    if (running === undefined) return undefined
    const { liveBytes, file, ended } = running
    const snapshotBytes = Math.max(file.position, liveBytes)
    return this.#bytes + snapshotBytes > liveBytes * WAIT_RATIO ? ended.written : undefined
  }

  /** Called before an item changes. */
  changing(container: Container, item: StoredItem): void {
    this.#running?.snapshot.keep(container, item)
  }

  /** Gives an unfinished snapshot up. */
  stop(): void {
    const unfinished = this.#running ?? this.#finishing
    if (unfinished !== undefined) this.#drop(unfinished)
  }

  #liveBytes(): number {
    let bytes = 0
    for (const { ranges, itemCount } of this.#context.account.containers()) {
      bytes += itemCount * this.#itemBytes
      for (const range of ranges.all) bytes += range.bytes + (range.versions?.bytes ?? 0)
    }
    return bytes
  }

  #start(log: LogFile): LogFile {
    const { folder, isSync } = this.#context
    const end = log.position
    const number = this.#number + 1
    let next: LogFile | undefined = undefined
    try {
      writeEndEntry(log)
      next = LogFile.create(logPath(folder, number), 'log', number)
      if (isSync) {
        log.sync()
        syncFolder(folder)
      }
    } catch (error) {
      // the disk may be full: the log goes on, and a later change tries again
      next?.close()
      dropFile(logPath(folder, number))
      log.cut(end)
      this.#context.health.failed(error)
      return log
    }
    log.close()
    this.#number = number
    this.#snapshot(next)
    return next
  }

  #snapshot(log: LogFile): void {
    const { folder, account, clockAheadMs, health } = this.#context
    const number = this.#number
    let file: LogFile | undefined = undefined
    try {
      file = LogFile.create(partPath(folder, number), 'snapshot', number)
      const snapshot = new SnapshotWriter(file, account, clockAheadMs())
      const liveBytes = Math.max(MIN_BYTES, this.#liveBytes())
      const running = { file, number, log, snapshot, liveBytes, ended: newTurn() }
      this.#running = running
      this.#unremoved = undefined
      this.#continue(running)
    } catch (error) {
      file?.close()
      dropFile(partPath(folder, number))
      health.failed(error)
    }
  }

  // in the pauses between requests
  #continue(running: Running): void {
    setImmediate(() => {
      if (this.#running !== running) return
      this.#step(running, STEP_BYTES)
      this.#continue(running)
    })
  }

  #step(running: Running, bytes: number): void {
    try {
      if (!running.snapshot.step(bytes)) return
      this.#running = undefined
      // also without --sync: after a power failure, the snapshot must not be missing when the former files are
      this.#finishing = running
      fsync(running.file.fd, (error) => {
        // it may have been given up in the meantime
        if (this.#finishing !== running) running.file.close()
        else if (error === null) this.#finish(running)
        else this.#fail(running, error)
      })
    } catch (error) {
      this.#fail(running, error)
    }
  }

  #finish(running: Running): void {
    const { folder, isSync } = this.#context
    const { file, number, snapshot } = running
    try {
      file.close()
      renameSync(file.path, snapshotPath(folder, number))
      if (isSync) syncFolder(folder)
    } catch (error) {
      this.#fail(running, error)
      return
    }
    if (snapshot.items > 0) this.#itemBytes = Math.max(1, (file.position - snapshot.documentBytes) / snapshot.items)
    void this.#removeFormer(running)
  }

  // the former files count until they are removed, and the next snapshot begins after that
  async #removeFormer(running: Running): Promise<void> {
    const { folder, removeFile } = this.#context
    this.#finishing = running
    const failure = await removeLeftovers(folder, removeFile)
    // the folder may have been closed in the meantime
    if (this.#finishing === running) this.#end(running, failure)
  }

  #end(running: Running, failure: Error | undefined): void {
    const { file, log, ended } = running
    this.#finishing = undefined
    this.#bytes = file.position + log.position
    this.#nextCheck = this.#bytes
    this.#unremoved = failure === undefined ? undefined : running
    if (failure === undefined) this.#context.health.worked()
    else this.#context.health.failed(failure)
    ended.resolve()
  }

  #fail(running: Running, error: unknown): void {
    this.#drop(running)
    this.#context.health.failed(error)
  }

  // the logs are complete without the snapshot
  #drop({ file, ended }: Running): void {
    // a pending fsync closes the file
    if (this.#running !== undefined) file.close()
    this.#running = undefined
    this.#finishing = undefined
    dropFile(file.path)
    ended.resolve()
  }
}

/** Removes an unfinished file. One that cannot be removed stays until the next start. */
function dropFile(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // such as a folder with this name
  }
}

interface Running {
  readonly file: LogFile
  readonly number: number
  /** The log of the changes since the begin of the snapshot. */
  readonly log: LogFile
  readonly snapshot: SnapshotWriter
  /** Size of the data at the begin of the snapshot. */
  readonly liveBytes: number
  readonly ended: Turn
}

// with the snapshot that replaces them, files of this ratio stay within three times the data
const MAX_RATIO = 1.4
/** Answers wait if the files and the complete snapshot would have more than this ratio. */
const WAIT_RATIO = 2.6
const MIN_BYTES = 1 << 20
const CHECK_BYTES = 256 << 10
const STEP_BYTES = 256 << 10
/** Bytes of a snapshot for each byte that is written to the log in the meantime. */
const PACE = 8
/** Estimate for the bytes of an item in addition to its document. */
const FIRST_ITEM_BYTES = 48

function writeEndEntry(log: LogFile): void {
  const entry = new ByteWriter()
  entry.length = FRAME_HEADER_BYTES
  writeEnd(entry, 0)
  sealFrame(entry.bytes, 0, entry.length, log.position)
  log.write(entry.bytes, 0, entry.length)
}
