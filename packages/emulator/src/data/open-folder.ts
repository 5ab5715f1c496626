import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Account } from '../store/account.ts'
import { DataError } from './data-error.ts'
import { DataLog } from './data-log.ts'
import { type FolderFiles, listFiles, logPath, reasonOf } from './folder-files.ts'
import { LogFile } from './log-file.ts'
import { readFiles, type ReadFolder } from './read-folder.ts'

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
export function openDataFolder(path: string, account: Account): DataFolder {
  const folder = resolve(path)
  const files = listFiles(folder)
  const read = readFiles(folder, files, account)
  for (const name of files.leftovers) rmSync(join(folder, name), { force: true })
  const log = new DataLog(openLog(folder, files, read))
  account.journal = log
  return {
    log,
    clockAheadMs: read.clockAheadMs,
    notices: noticesOf(folder, files, read),
    close: () => {
      account.journal = undefined
      log.close()
    }
  }
}

function openLog(folder: string, files: FolderFiles, { end, isEnded }: ReadFolder): LogFile {
  const last = files.logs.at(-1) ?? 0
  const number = isEnded || last === 0 ? last + 1 : last
  const path = logPath(folder, number)
  try {
    return number === last && end !== undefined ? LogFile.resume(path, end) : LogFile.create(path, 'log', number)
  } catch (error) {
    throw new DataError(`The data file ${path} cannot be opened: ${reasonOf(error)}.`)
  }
}

function noticesOf(folder: string, files: FolderFiles, { end, droppedBytes }: ReadFolder): string[] {
  if (droppedBytes === 0) return []
  const path = logPath(folder, files.logs.at(-1) ?? 0)
  return [
    `The data file ${path} ended within an entry, which no client had an answer to. Its ${droppedBytes} bytes from byte ${end} on were dropped.`
  ]
}
