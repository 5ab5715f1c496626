import { closeSync, fstatSync, openSync } from 'node:fs'
import type { Account } from '../store/account.ts'
import type { ByteReader } from './byte-reader.ts'
import { damaged, RESTORE } from './data-error.ts'
import { FILE_HEADER_BYTES } from './file-header.ts'
import { type FolderFiles, logPath, snapshotPath } from './folder-files.ts'
import { FrameReader, type OpenFile } from './frame-reader.ts'
import { readRecords, type RecordReceiver } from './records.ts'
import { Replay } from './replay.ts'
import { SnapshotLoader } from './snapshot-loader.ts'

/** Result of reading a folder, in addition to the state of the account. */
export interface ReadFolder {
  readonly clockAheadMs: number
  /** Position where the last log ends; undefined if it does not even have a complete header. */
  readonly end: number | undefined
  /** Whether the last log has its end record, so that the next log follows. */
  readonly isEnded: boolean
  /** Number of bytes of all files. */
  readonly bytes: number
  /** Number of bytes of an entry that was not written completely. */
  readonly droppedBytes: number
}

/** Reads the files of a folder into an empty account. */
export function readFiles(folder: string, files: FolderFiles, account: Account): ReadFolder {
  let clockAheadMs = 0
  let bytes = 0
  if (files.snapshot !== undefined) {
    const loader = new SnapshotLoader(account)
    const path = snapshotPath(folder, files.snapshot)
    bytes += readFile({ path, kind: 'snapshot', number: files.snapshot, isLast: false }, loader).bytes
    clockAheadMs = loader.clockAheadMs
  }
  const replay = new Replay(account, clockAheadMs)
  let last: ReadFile = { end: undefined, bytes: 0, droppedBytes: 0 }
  for (const number of files.logs) {
    const isLast = number === files.logs.at(-1)
    replay.isEnded = false
    last = readFile({ path: logPath(folder, number), kind: 'log', number, isLast }, replay)
    bytes += last.bytes
  }
  return { ...last, bytes, clockAheadMs: replay.clockAheadMs, isEnded: replay.isEnded }
}

type FileToRead = Omit<OpenFile, 'fd' | 'size'>
type ReadFile = Pick<ReadFolder, 'end' | 'bytes' | 'droppedBytes'>
type Receiver = RecordReceiver & { readonly isEnded: boolean }

function readFile(named: FileToRead, receiver: Receiver): ReadFile {
  const fd = openSync(named.path, 'r')
  try {
    return readEntries({ ...named, fd, size: fstatSync(fd).size }, receiver)
  } finally {
    closeSync(fd)
  }
}

function readEntries(file: OpenFile, receiver: Receiver): ReadFile {
  const frames = new FrameReader(file)
  if (!frames.open()) return { end: undefined, bytes: FILE_HEADER_BYTES, droppedBytes: file.size }
  for (let at = frames.position, payload = frames.next(); payload !== undefined; payload = frames.next()) {
    if (receiver.isEnded) throw damaged(file.path, at, 'an entry follows the last one', RESTORE)
    applyRecords(payload, receiver, file.path, at)
    at = frames.position
  }
  if (!receiver.isEnded && !file.isLast) throw damaged(file.path, frames.position, 'its last entry is missing', RESTORE)
  return { end: frames.position, bytes: frames.position, droppedBytes: file.size - frames.position }
}

function applyRecords(payload: ByteReader, receiver: Receiver, path: string, position: number): void {
  try {
    readRecords(payload, receiver)
  } catch (error) {
    // the checksum is right, so another version of the emulator wrote other records
    if (!(error instanceof Error)) throw error
    throw damaged(path, position, `an entry cannot be applied (${error.message})`, RESTORE)
  }
}
