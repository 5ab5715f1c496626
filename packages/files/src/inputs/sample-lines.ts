import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { NEWLINE, QUOTE, shuffle, skipByteOrderMark } from '@keystamp/core/internal'
import { inputError } from '../system-error.ts'

export interface SampleLinesOptions {
  /** Number of lines to draw. */
  readonly count: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly maxRecordBytes: number
  /** Whether the first line of each file is a header, which is not drawn. */
  readonly hasHeader: boolean
  readonly signal: AbortSignal
  /** Called with the first bytes of each file; may throw. */
  readonly onHead: (name: string, bytes: Buffer) => void
}

/** Lines of one file, without their line ends, and its header line. */
export interface SampledFile {
  readonly name: string
  readonly header: Buffer
  readonly lines: readonly Buffer[]
}

/**
 * Draws lines of uncompressed files without reading them whole. Each line has the same probability, however long it is:
 * a draw selects a random window of bytes, and takes the lines that begin in it. Returns undefined if reading the files
 * whole is cheaper, or is the only way: they are small, or one of them is no regular file.
 */
export async function sampleLines(
  names: readonly string[],
  options: SampleLinesOptions
): Promise<readonly SampledFile[] | undefined> {
  const { count, random, signal } = options
  const files = openAll(names, options)
  if (files === undefined) return undefined
  const total = files.reduce((sum, { size, begin }) => sum + size - begin, 0)
  const lineBytes = meanLineBytes(files)
  if (lineBytes === undefined || total / lineBytes < WHOLE_BELOW * count) return undefined
  // half the mean line length, so that most draws find at most one line: neighboring lines are often alike
  const window = Math.max(1, Math.round(lineBytes / 2))
  const found = new Map<number, Drawn>()
  for (let round = 0; found.size < count && round < MAX_ROUNDS; round++) {
    const draws = Math.ceil(((count - found.size) * lineBytes * 1.1) / window) + 16
    const starts = Float64Array.from({ length: draws }, () => Math.floor(random() * total)).toSorted()
    await drawAll(files, starts, { window, lineBytes, ...options }, found)
    signal.throwIfAborted()
  }
  const chosen = shuffle([...found.values()], random).slice(0, count)
  return files.map(({ name, header }, file) => ({
    name,
    header,
    lines: chosen.filter((line) => line.file === file).map(({ bytes }) => bytes)
  }))
}

interface SeekableFile {
  readonly name: string
  /** First byte of the first record. */
  readonly begin: number
  readonly size: number
  readonly header: Buffer
  readonly head: Buffer
}

interface Drawn {
  readonly file: number
  readonly bytes: Buffer
}

/** Files with fewer lines than the sample size times this factor are read whole. */
const WHOLE_BELOW = 4
const MAX_ROUNDS = 20
const HEAD_BYTES = 1 << 16
/** Number of draws between two checks of the signal. */
const DRAWS_AT_ONCE = 256

function openAll(
  names: readonly string[],
  { hasHeader, onHead }: SampleLinesOptions
): readonly SeekableFile[] | undefined {
  const files: SeekableFile[] = []
  for (const name of names) {
    const file = withFile(name, (descriptor) => {
      const status = fstatSync(descriptor)
      if (!status.isFile()) return undefined
      const head = readAt(descriptor, 0, Math.min(HEAD_BYTES, status.size))
      onHead(name, head)
      const text = skipByteOrderMark(head, 0, head.length)
      const headerEnd = hasHeader ? head.indexOf(NEWLINE, text) + 1 : text
      // if the header is longer than HEAD_BYTES, or has a line end in a quoted name, the files must be read whole
      if (hasHeader && (headerEnd === 0 || !hasEvenQuotes(head.subarray(text, headerEnd)))) return undefined
      return { name, begin: headerEnd, size: status.size, header: head.subarray(text, headerEnd), head }
    })
    if (file === undefined) return undefined
    files.push(file)
  }
  return files
}

/** Whether a line has an even number of quotation marks. With an odd number, a value of CSV contains the line end. */
export function hasEvenQuotes(line: Uint8Array): boolean {
  let isEven = true
  for (const byte of line) if (byte === QUOTE) isEven = !isEven
  return isEven
}

function withFile<T>(name: string, use: (descriptor: number) => T): T {
  try {
    const descriptor = openSync(name, 'r')
    try {
      return use(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw inputError(name, error)
  }
}

function readAt(descriptor: number, from: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, length))
  return buffer.subarray(0, buffer.length === 0 ? 0 : readSync(descriptor, buffer, 0, buffer.length, from))
}

/** Mean length of the lines at the beginning of the files, with their line ends; undefined if there are none. */
function meanLineBytes(files: readonly SeekableFile[]): number | undefined {
  let [bytes, lines] = [0, 0]
  for (const { head, begin } of files) {
    const end = head.lastIndexOf(NEWLINE) + 1
    if (end <= begin) continue
    bytes += end - begin
    for (let at = begin; at < end; at++) if (head[at] === NEWLINE) lines++
  }
  return lines === 0 ? undefined : bytes / lines
}

interface DrawOptions extends Pick<SampleLinesOptions, 'maxRecordBytes' | 'signal'> {
  readonly window: number
  readonly lineBytes: number
}

/** Part of a window that lies in one file: bytes of the file. */
interface FileWindow {
  readonly from: number
  readonly to: number
}

/** Adds the lines that begin in the windows. */
async function drawAll(
  files: readonly SeekableFile[],
  starts: Float64Array,
  options: DrawOptions,
  found: Map<number, Drawn>
): Promise<void> {
  let base = 0
  for (const [file, windows] of windowsByFile(files, starts, options.window).entries()) {
    const { name, begin, size } = files[file]
    for (let first = 0; first < windows.length; first += DRAWS_AT_ONCE) {
      await setImmediate()
      options.signal.throwIfAborted()
      withFile(name, (descriptor) => {
        for (const window of windows.slice(first, first + DRAWS_AT_ONCE))
          drawOne(descriptor, { begin, size, ...window }, options, (at, bytes) =>
            found.set(base + at - begin, { file, bytes })
          )
      })
    }
    base += size - begin
  }
}

/**
 * Divides windows among the files. The start of a window is an offset into the records of all files, concatenated. A
 * window that reaches beyond the last file continues in the first one, so that every byte has the same probability.
 */
function windowsByFile(
  files: readonly SeekableFile[],
  starts: Float64Array,
  length: number
): readonly (readonly FileWindow[])[] {
  const windows = files.map((): FileWindow[] => [])
  let [first, base] = [0, 0]
  for (const start of starts) {
    for (; start >= base + bytesOf(files[first]); first++) base += bytesOf(files[first])
    let [file, from, left] = [first, start - base, length]
    while (left > 0) {
      const taken = Math.min(left, bytesOf(files[file]) - from)
      const { begin } = files[file]
      if (taken > 0) windows[file].push({ from: begin + from, to: begin + from + taken })
      left -= taken
      from = 0
      file = (file + 1) % files.length
    }
  }
  return windows
}

function bytesOf({ begin, size }: SeekableFile): number {
  return size - begin
}

/** Finds the lines that begin at `from` or after it, and before `to`. */
function drawOne(
  descriptor: number,
  { begin, size, from, to }: Pick<SeekableFile, 'begin' | 'size'> & FileWindow,
  { lineBytes, maxRecordBytes }: DrawOptions,
  onLine: (at: number, bytes: Buffer) => void
): void {
  // the byte before `from` shows whether a line begins at `from`
  const offset = from > begin ? from - 1 : from
  let bytes = readAt(descriptor, offset, Math.min(size, to + Math.ceil(2 * lineBytes)) - offset)
  let start = from > begin ? bytes.indexOf(NEWLINE) + 1 : 0
  if (from > begin && start === 0) return
  while (offset + start < to && start < bytes.length) {
    let end = bytes.indexOf(NEWLINE, start)
    while (end < 0 && offset + bytes.length < size && bytes.length - start <= maxRecordBytes) {
      bytes = readAt(descriptor, offset, Math.min(size - offset, 2 * bytes.length + HEAD_BYTES))
      end = bytes.indexOf(NEWLINE, start)
    }
    const line = bytes.subarray(start, end < 0 ? bytes.length : end)
    if (line.length <= maxRecordBytes && !isBlank(line)) onLine(offset + start, Buffer.from(line))
    if (end < 0) return
    start = end + 1
  }
}

function isBlank(bytes: Uint8Array): boolean {
  for (const byte of bytes) if (byte > 0x20) return false
  return true
}
