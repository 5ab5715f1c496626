import { KeystampError } from '@keystamp/core'
import { NEWLINE, systemReason } from '@keystamp/core/internal'
import { randomUUID } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

/** Lines in a file that are read again by their position, so that memory does not grow with the file. */
export interface LineFile {
  /** Reads bytes at a position. */
  readonly read: (at: number, length: number) => Buffer
  readonly close: () => void
}

/** A temporary file of lines. */
export interface Spool extends LineFile {
  /** Appends a line, and returns its position. */
  readonly append: (line: Buffer) => number
}

const WINDOW_BYTES = 1024 * 1024

/** Creates a file without a name in a folder: it has payloads, and must not stay when the process is killed. */
export function createSpool(folder: string): Spool {
  const path = join(folder, `dead-letters-${randomUUID()}.tmp`)
  const file = orUnwritable(path, () => openSync(path, 'wx+', 0o600))
  let isNamed = !remove(path)
  const read = createReader(file)
  let end = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0

  function flush(): void {
    const bytes = Buffer.concat(waiting)
    orUnwritable(path, () => {
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    })
    waiting = []
    waitingBytes = 0
  }

  return {
    append: (line) => {
      const at = end
      waiting.push(line)
      waitingBytes += line.length
      end += line.length
      if (waitingBytes > WINDOW_BYTES) flush()
      return at
    },
    read: (at, length) => {
      if (waitingBytes > 0) flush()
      return read(at, length)
    },
    close: () => {
      closeSync(file)
      if (isNamed) isNamed = !remove(path)
    }
  }
}

/** Not every system can remove an open file. */
function remove(path: string): boolean {
  try {
    rmSync(path)
    return true
  } catch {
    return false
  }
}

/** Opens a file of lines. Throws INPUT_UNREADABLE. */
export function openLines(path: string): LineFile & { readonly lines: () => AsyncGenerator<Line> } {
  const file = orUnreadable(path, () => openSync(path, 'r'))
  const { size } = fstatSync(file)
  const read = createReader(file)
  return { read: (at, length) => orUnreadable(path, () => read(at, length)), lines, close: () => closeSync(file) }

  // up to the end as it was when the file was opened: a sink may append to it
  async function* lines(): AsyncGenerator<Line> {
    let at = 0
    let rest: Buffer = Buffer.alloc(0)
    let number = 0
    for (let next = 0; next < size;) {
      const length = Math.min(WINDOW_BYTES, size - next)
      const piece = orUnreadable(path, () => Buffer.from(read(next, length)))
      next += length
      const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      let from = 0
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
        yield { bytes: bytes.subarray(from, end), at: at + from, number: ++number }
        from = end + 1
      }
      at += from
      rest = bytes.subarray(from)
      // lets signals through
      await setImmediate()
    }
    if (rest.length > 0) yield { bytes: rest, at, number: ++number }
  }
}

export interface Line {
  readonly bytes: Buffer
  /** Position of the line in the file, in bytes. */
  readonly at: number
  /** Starting at 1. */
  readonly number: number
}

/** A part of a file in memory. */
interface Window {
  readonly buffer: Buffer
  start: number
  end: number
}

/**
 * Reads at positions that ascend in each of several parts of the file, as those of dead letters from several partitions
 * do: each part has its window. The bytes are valid until the next call.
 */
function createReader(file: number): LineFile['read'] {
  // the window that was used last is the first one
  const windows: Window[] = []
  return (at, length) => {
    if (length > READ_AHEAD_BYTES / 2) return fill(file, Buffer.allocUnsafe(length), at)
    const index = windows.findIndex(({ start, end }) => at >= start && at + length <= end)
    if (index === 0) return partOf(windows[0], at, length)
    const last = index < 0 && windows.length < MAX_WINDOWS ? undefined : windows.splice(index, 1)[0]
    const window = last ?? { buffer: Buffer.allocUnsafeSlow(READ_AHEAD_BYTES), start: 0, end: 0 }
    if (index < 0) {
      window.start = at
      window.end = at + fill(file, window.buffer, at).length
    }
    windows.unshift(window)
    return partOf(window, at, length)
  }
}

const READ_AHEAD_BYTES = 64 * 1024
const MAX_WINDOWS = 64

function partOf({ buffer, start, end }: Window, at: number, length: number): Buffer {
  return buffer.subarray(at - start, Math.min(at + length, end) - start)
}

/** Reads until the buffer is full or the file ends. */
function fill(file: number, buffer: Buffer, at: number): Buffer {
  let filled = 0
  for (let got = -1; got !== 0 && filled < buffer.length; filled += got)
    got = readSync(file, buffer, filled, buffer.length - filled, at + filled)
  return buffer.subarray(0, filled)
}

function orUnreadable<T>(path: string, work: () => T): T {
  return orThrow('INPUT_UNREADABLE', `The file ${path} cannot be read`, work)
}

function orUnwritable<T>(path: string, work: () => T): T {
  return orThrow('OUTPUT_UNWRITABLE', `The file ${path} cannot be written`, work)
}

function orThrow<T>(code: 'INPUT_UNREADABLE' | 'OUTPUT_UNWRITABLE', what: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new KeystampError(code, `${what}: ${systemReason(cause)}.`, { cause })
  }
}
