import { existsSync, fsyncSync, mkdirSync, openSync, closeSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { KeystampError } from '@keystamp/core'
import { invalidJournal, RESTORE } from '../journal/journal-error.ts'
import { type EntryRecord, maxRecordBytes, readRecord, recordSize, UNIT_BYTES, writeRecord } from './entry-record.ts'
import { FRAME_HEADER_BYTES, LogSegment, MAX_FRAME_BYTES, type PlacedRecord } from './log-segment.ts'

/** Units that a place has for the position in its segment: the other bits have the number of the segment. */
const SEGMENT_UNITS = 2 ** 22
const MAX_SEGMENTS = 2 ** 10
export const SEGMENT_BYTES: number = SEGMENT_UNITS * UNIT_BYTES
const READ_BYTES = 512

/** Log of added and removed entries in numbered files of a folder. A place names a record in 32 bits. */
export class EntryLog {
  /** Bytes of all segments. */
  bytes = 0
  readonly #folder: string
  readonly #segmentBytes: number
  /** Oldest first, without gaps. The last one is written. */
  readonly #segments: LogSegment[]
  readonly #frame: Buffer = Buffer.allocUnsafe(MAX_FRAME_BYTES)
  /** Bytes of `#frame` that are not written yet. */
  #framed = FRAME_HEADER_BYTES
  readonly #scratch: Buffer = Buffer.allocUnsafe(READ_BYTES)

  constructor(folder: string, segmentBytes: number) {
    this.#folder = folder
    this.#segmentBytes = segmentBytes
    mkdirSync(folder, { recursive: true })
    this.#segments = openSegments(folder)
    if (this.#segments.length === 0) this.#segments.push(LogSegment.create(pathOf(folder, 1), 1))
    this.bytes = this.#segments.reduce((sum, segment) => sum + segment.bytes, 0)
    syncFolder(folder)
  }

  /** Reads all records in their order. Call it once, before anything else. */
  replay(apply: (record: EntryRecord, place: number) => void): void {
    for (const segment of this.#segments) {
      const before = segment.bytes
      for (const records of segment.frames(segment === this.#last))
        for (const record of records) apply(record, placeOf(segment, record.position))
      this.bytes += segment.bytes - before
    }
  }

  /** Appends a record, and returns its place. `flush` writes it. */
  append(record: Omit<EntryRecord, 'size'>): number {
    const needed = maxRecordBytes(record.text)
    if (this.#framed + needed > MAX_FRAME_BYTES) this.flush()
    if (this.#last.bytes + this.#framed + needed > this.#segmentBytes) this.roll()
    const position = this.#last.bytes + this.#framed
    this.#framed += writeRecord(this.#frame, this.#framed, record)
    return placeOf(this.#last, position)
  }

  /** Writes all appended records. */
  flush(): void {
    if (this.#framed === FRAME_HEADER_BYTES) return
    const length = this.#framed
    this.#last.writeFrame(this.#frame, length)
    this.#framed = FRAME_HEADER_BYTES
    this.bytes += length
  }

  /** Continues in a new segment. Only the last segment may have parts that the disk does not have. */
  roll(): void {
    this.flush()
    this.#last.syncNow()
    const number = this.#last.number + 1
    if (number - this.#segments[0].number >= MAX_SEGMENTS)
      throw new KeystampError('OUTPUT_UNWRITABLE', `The identity index ${this.#folder} is full: it has 32 GiB.`)
    const segment = LogSegment.create(pathOf(this.#folder, number), number)
    this.#segments.push(segment)
    this.bytes += segment.bytes
    syncFolder(this.#folder)
  }

  read(place: number): EntryRecord {
    const segment = this.#segmentOf(place)
    const position = (place % SEGMENT_UNITS) * UNIT_BYTES
    if (position >= segment.bytes) return readRecord(this.#frame, position - segment.bytes)
    segment.read(this.#scratch, position)
    const size = recordSize(this.#scratch, 0)
    if (size <= READ_BYTES) return readRecord(this.#scratch, 0)
    const bytes = Buffer.allocUnsafe(size)
    segment.read(bytes, position)
    return readRecord(bytes, 0)
  }

  /** Records of the oldest segment, frame by frame, with their places. It is not the one that is written. */
  *oldest(): Generator<readonly { readonly record: PlacedRecord; readonly place: number }[]> {
    const [segment] = this.#segments
    if (segment === this.#last) this.roll()
    for (const records of segment.frames(false))
      yield records.map((record) => ({ record, place: placeOf(segment, record.position) }))
  }

  removeOldest(): void {
    const segment = this.#segments.shift()!
    segment.close()
    rmSync(segment.path)
    this.bytes -= segment.bytes
  }

  async sync(): Promise<void> {
    this.flush()
    await this.#last.sync()
  }

  close(): void {
    for (const segment of this.#segments) segment.close()
  }

  get #last(): LogSegment {
    return this.#segments.at(-1)!
  }

  #segmentOf(place: number): LogSegment {
    const [first] = this.#segments
    const slot = Math.floor(place / SEGMENT_UNITS)
    return this.#segments[(slot - (first.number % MAX_SEGMENTS) + MAX_SEGMENTS) % MAX_SEGMENTS]
  }
}

function placeOf(segment: LogSegment, position: number): number {
  return (segment.number % MAX_SEGMENTS) * SEGMENT_UNITS + position / UNIT_BYTES
}

function pathOf(folder: string, number: number): string {
  return join(folder, `entries-${String(number).padStart(8, '0')}`)
}

/** Whether a folder has files of a log. */
export function hasEntries(folder: string): boolean {
  return existsSync(folder) && numbersIn(folder).length > 0
}

function numbersIn(folder: string): readonly number[] {
  return readdirSync(folder)
    .map((name) => /^entries-(\d{8})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .toSorted((a, b) => a - b)
}

function openSegments(folder: string): LogSegment[] {
  const numbers = numbersIn(folder)
  for (const [index, number] of numbers.entries()) {
    if (number !== numbers[0] + index)
      throw invalidJournal(
        `The file ${pathOf(folder, numbers[0] + index)} of the identity index is missing. ${RESTORE}`
      )
  }
  const last = numbers.at(-1)
  return numbers.map((number) => LogSegment.open(pathOf(folder, number), number, number === last))
}

function syncFolder(folder: string): void {
  // Windows has no handles of folders
  if (process.platform === 'win32') return
  const fd = openSync(folder, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
