import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { invalidJournal, RESTORE } from '../journal/journal-error.ts'
import { type EntryRecord, readRecord, recordSize } from './entry-record.ts'

const SEGMENT_HEADER_BYTES = 16
export const FRAME_HEADER_BYTES = 8
/** A frame has at most this many bytes. */
export const MAX_FRAME_BYTES: number = 512 << 10

const MAGIC = Buffer.from('INDEXES1', 'latin1')
const CHUNK_BYTES = 2 * MAX_FRAME_BYTES

/** One file of a log: a header, then frames of records, each with a checksum. */
export class LogSegment {
  /** Bytes that are written. */
  bytes: number
  readonly number: number
  readonly path: string
  readonly #fd: number

  private constructor(fd: number, path: string, number: number) {
    this.#fd = fd
    this.path = path
    this.number = number
    this.bytes = fstatSync(fd).size
  }

  static create(path: string, number: number): LogSegment {
    const segment = new LogSegment(openSync(path, 'w+', 0o600), path, number)
    segment.write(headerOf(number), SEGMENT_HEADER_BYTES)
    return segment
  }

  /** Opens a segment. In the last one, the process or the machine may have stopped while it wrote. */
  static open(path: string, number: number, isLast: boolean): LogSegment {
    const segment = new LogSegment(openSync(path, 'r+'), path, number)
    const header = Buffer.alloc(SEGMENT_HEADER_BYTES)
    const length = readSync(segment.#fd, header, 0, SEGMENT_HEADER_BYTES, 0)
    if (header.equals(headerOf(number))) return segment
    const isUnwritten = length < SEGMENT_HEADER_BYTES || header.every((byte) => byte === 0)
    if (!isLast || !isUnwritten) {
      segment.close()
      throw isNewer(header)
        ? invalidJournal(`The file ${path} is of a newer version of Keystamp. Continue the move with that version.`)
        : damaged(path, 0)
    }
    ftruncateSync(segment.#fd, 0)
    segment.bytes = 0
    segment.write(headerOf(number), SEGMENT_HEADER_BYTES)
    return segment
  }

  /** Appends bytes. */
  write(bytes: Uint8Array, length: number): void {
    for (let done = 0; done < length;) done += writeSync(this.#fd, bytes, done, length - done, this.bytes + done)
    this.bytes += length
  }

  /** Appends a frame: `bytes` has its records after the room for its header. */
  writeFrame(bytes: Buffer, length: number): void {
    bytes.writeUInt32LE(checkedLength(length), 0)
    bytes.writeUInt32LE(this.#checksum(bytes.subarray(FRAME_HEADER_BYTES, length), this.bytes), 4)
    this.write(bytes, length)
  }

  /** Reads bytes, of which the file may have fewer. */
  read(bytes: Uint8Array, position: number): number {
    return readSync(this.#fd, bytes, 0, bytes.length, position)
  }

  /**
   * Reads all records. Throws JOURNAL_INVALID for damage; in the last segment, a frame that was being written is cut
   * off. Yields the records of one frame at a time.
   */
  *frames(isLast: boolean): Generator<readonly PlacedRecord[]> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const end = this.bytes
    for (let position = SEGMENT_HEADER_BYTES; position < end;) {
      const length = this.read(chunk.subarray(0, Math.min(CHUNK_BYTES, end - position)), position)
      let at = 0
      while (at + FRAME_HEADER_BYTES <= length) {
        const frameBytes = lengthOf(chunk.readUInt32LE(at))
        if (frameBytes === undefined || at + frameBytes > length) break
        if (!this.#isIntact(chunk.subarray(at, at + frameBytes), position + at)) break
        yield recordsOf(chunk, at, position, frameBytes)
        at += frameBytes
      }
      if (at === 0 && !this.#cut(chunk.subarray(0, length), position, isLast)) throw damaged(this.path, position)
      if (at === 0) return
      position += at
    }
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#fd, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  syncNow(): void {
    fdatasyncSync(this.#fd)
  }

  close(): void {
    closeSync(this.#fd)
  }

  /** Cuts off a frame that is not whole, or of which the disk never got a part. Returns false if it is damaged. */
  #cut(rest: Buffer, position: number, isLast: boolean): boolean {
    const isHeader = rest.length >= FRAME_HEADER_BYTES
    const frameBytes = isHeader ? lengthOf(rest.readUInt32LE(0)) : undefined
    const isAtEnd = frameBytes !== undefined && position + frameBytes >= this.bytes
    const isTorn = !isHeader || isAtEnd || rest.every((byte) => byte === 0)
    if (!isLast || !isTorn) return false
    ftruncateSync(this.#fd, position)
    this.bytes = position
    return true
  }

  #isIntact(frame: Buffer, position: number): boolean {
    return frame.readUInt32LE(4) === this.#checksum(frame.subarray(FRAME_HEADER_BYTES), position)
  }

  // the place is in the checksum, so that bytes of another place are found
  #checksum(records: Uint8Array, position: number): number {
    return crc32(records, (position ^ (this.number << 16)) >>> 0)
  }
}

/** A record, and its first byte in the segment. */
export interface PlacedRecord extends EntryRecord {
  readonly position: number
}

function recordsOf(chunk: Buffer, frameAt: number, position: number, frameBytes: number): readonly PlacedRecord[] {
  const records: PlacedRecord[] = []
  const end = frameAt + frameBytes
  for (let at = frameAt + FRAME_HEADER_BYTES; at < end; at += recordSize(chunk, at)) {
    const { hash, kind, text, size } = readRecord(chunk, at)
    records.push({ hash, kind, text, size, position: position + at })
  }
  return records
}

// a damaged length must not look like a frame that goes beyond the end of the file
function checkedLength(length: number): number {
  return ((Math.imul(length, 0x9e3779b1) & 0xfff0_0000) | length) >>> 0
}

function lengthOf(word: number): number | undefined {
  const length = word & 0xf_ffff
  return checkedLength(length) === word && length > FRAME_HEADER_BYTES && length <= MAX_FRAME_BYTES ? length : undefined
}

function isNewer(header: Buffer): boolean {
  const isWhole = header.readUInt32LE(12) === crc32(header.subarray(0, 12))
  return isWhole && header.subarray(0, 7).equals(MAGIC.subarray(0, 7)) && header[7] > MAGIC[7]
}

function headerOf(number: number): Buffer {
  const header = Buffer.alloc(SEGMENT_HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(number, 8)
  header.writeUInt32LE(crc32(header.subarray(0, 12)), 12)
  return header
}

function damaged(path: string, position: number): Error {
  return invalidJournal(`The file ${path} of the identity index is damaged at byte ${position}. ${RESTORE}`)
}
