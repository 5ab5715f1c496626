import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Account } from '../store/account.ts'
import { CompactionHealth } from './compaction-health.ts'
import { Compactor } from './compactor.ts'
import { DataError } from './data-error.ts'
import { DataLog } from './data-log.ts'
import { DiskSpace } from './disk-space.ts'
import { createFolder, type FolderFiles, listFiles, logPath, reasonOf } from './folder-files.ts'
import { lockFolder } from './folder-lock.ts'
import { LogFile, syncFolder } from './log-file.ts'
import { readFiles, type ReadFolder } from './read-folder.ts'

/** Options of a data folder. */
export interface DataFolderOptions {
  readonly path: string
  /** Whether answers wait for the disk. */
  readonly isSync: boolean
  /** Number of free bytes on the disk. Default: that of the operating system. */
  readonly freeBytes?: () => number
  /** Removes a file that is no longer needed. Default: that of Node.js. */
  readonly removeFile?: (path: string) => Promise<void>
  /** Receives a sentence when compactions begin to fail, and when they work again. Default: standard error. */
  readonly warn?: (sentence: string) => void
  /** Milliseconds since 1970 by the clock of the machine. */
  readonly nowMs?: () => number
}

/** An open data folder. */
export interface DataFolder {
  readonly log: DataLog
  /** Milliseconds by which the clock of the emulator is ahead of its source. */
  readonly clockAheadMs: number
  /** Sentences about the state in which the folder was found. */
  readonly notices: readonly string[]
  readonly close: () => void
}

/** Reads a data folder into an empty account, and records all further changes of the account there. */
export async function openDataFolder(options: DataFolderOptions, account: Account): Promise<DataFolder> {
  const folder = resolve(options.path)
  createFolder(folder)
  const unlock = await lockFolder(folder)
  try {
    return open(folder, options, account, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

function open(
  folder: string,
  { isSync, freeBytes, removeFile = removeLater, warn = printError, nowMs = Date.now }: DataFolderOptions,
  account: Account,
  unlock: () => void
): DataFolder {
  const files = listFiles(folder)
  const read = readFiles(folder, files, account)
  for (const name of files.leftovers) rmSync(join(folder, name), { force: true })
  const last = files.logs.at(-1) ?? 0
  const number = read.isEnded || last === 0 ? last + 1 : last
  const file = openLog(folder, number, number === last ? read.end : undefined)
  if (isSync) syncFolder(folder)
  const opened = { clockAheadMs: read.clockAheadMs, notices: noticesOf(folder, files, read) }
  const health = new CompactionHealth(folder, { warn, nowMs })
  const context = { folder, account, isSync, removeFile, health, clockAheadMs: () => log.clockAheadMs }
  const compactor = new Compactor(context, number, read.bytes)
  const log = new DataLog(
    file,
    { compactor, health, isSync, space: new DiskSpace(folder, freeBytes) },
    read.clockAheadMs
  )
  account.journal = log
  return {
    ...opened,
    log,
    close: () => {
      account.journal = undefined
      log.close()
      unlock()
    }
  }
}

// in another thread: removing a large file takes long
function removeLater(path: string): Promise<void> {
  return rm(path, { force: true })
}

function printError(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}

function openLog(folder: string, number: number, end: number | undefined): LogFile {
  const path = logPath(folder, number)
  try {
    return end === undefined ? LogFile.create(path, 'log', number) : LogFile.resume(path, end)
  } catch (error) {
    throw new DataError(`The data file ${path} cannot be opened: ${reasonOf(error)}.`)
  }
}

function noticesOf(folder: string, files: FolderFiles, { end, droppedBytes }: ReadFolder): string[] {
  if (droppedBytes === 0) return []
  const path = logPath(folder, files.logs.at(-1) ?? 0)
  return [
    `The data file ${path} ended within an entry, which no client had an answer to. Its ${droppedBytes} bytes from byte ${end ?? 0} on were dropped.`
  ]
}
