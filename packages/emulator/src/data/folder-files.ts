import { type Dirent, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DataError } from './data-error.ts'

/** The data files of a folder by their numbers. */
export interface FolderFiles {
  /** Number of the newest snapshot. The log with the same number has the changes after it. */
  readonly snapshot: number | undefined
  /** Numbers of the logs after the snapshot, without gaps. */
  readonly logs: readonly number[]
  /** Names of files that a newer snapshot replaced, and of unfinished snapshots. */
  readonly leftovers: readonly string[]
}

/** The path of a log. */
export function logPath(folder: string, number: number): string {
  return join(folder, `log-${number}`)
}

/** The path of a snapshot. */
export function snapshotPath(folder: string, number: number): string {
  return join(folder, `snapshot-${number}`)
}

/** The path of a snapshot that is not complete. */
export function partPath(folder: string, number: number): string {
  return `${snapshotPath(folder, number)}.part`
}

/** Creates a folder if there is none. */
export function createFolder(folder: string): void {
  readFolder(folder)
}

/** Lists the data files of a folder. */
export function listFiles(folder: string): FolderFiles {
  const names = readFolder(folder)
  const snapshots = numbersOf(names, /^snapshot-(\d+)$/)
  const logs = numbersOf(names, /^log-(\d+)$/)
  const snapshot = snapshots.at(-1)
  const first = snapshot ?? 1
  const kept = logs.filter((number) => number >= first)
  const isNew = logs.length === 0 && snapshots.length === 0
  for (let number = first; number <= Math.max(first, ...logs); number++) {
    if (!isNew && !kept.includes(number))
      throw new DataError(
        `The data file ${logPath(folder, number)} is missing. Restore the folder from a copy, or name an empty folder to begin again.`
      )
  }
  const leftovers = names.filter(
    (name) =>
      /^snapshot-\d+\.part$/.test(name) ||
      logs.some((number) => number < first && name === `log-${number}`) ||
      snapshots.some((number) => number !== snapshot && name === `snapshot-${number}`)
  )
  return { snapshot, logs: kept, leftovers }
}

/** Removes the leftovers of a folder; returns the first failure after all are removed or have failed. */
export async function removeLeftovers(
  folder: string,
  removeFile: (path: string) => Promise<void>
): Promise<Error | undefined> {
  try {
    const removed = listFiles(folder).leftovers.map((name) => removeFile(join(folder, name)))
    const failed = (await Promise.allSettled(removed)).find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    return undefined
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

const DATA_FILE = /^(?:log-\d+|snapshot-\d+(?:\.part)?)$/

function readFolder(folder: string): string[] {
  const entries = entriesOf(folder)
  // opening a named pipe would wait for ever
  const other = entries.find((entry) => DATA_FILE.test(entry.name) && !entry.isFile())
  if (other !== undefined)
    throw new DataError(
      `${join(folder, other.name)} has the name of a data file, but is no file. Move it away, or name another folder.`
    )
  return entries.map(({ name }) => name)
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    mkdirSync(folder, { recursive: true })
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    throw new DataError(`The data folder ${folder} cannot be opened: ${reasonOf(error)}. Name another folder.`)
  }
}

function numbersOf(names: readonly string[], form: RegExp): number[] {
  return names
    .map((name) => form.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .toSorted((a, b) => a - b)
}

/** The reason of a failure of the file system, as part of a sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'it is a file',
  ENOENT: 'it is a link to a folder that does not exist',
  ELOOP: 'it is a link that leads to itself',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file would be larger than the system allows'
}
