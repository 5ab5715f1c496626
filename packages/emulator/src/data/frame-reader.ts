import { readSync } from 'node:fs'
import { ByteReader } from './byte-reader.ts'
import { damaged, RESTORE } from './data-error.ts'
import { checkFileHeader, FILE_HEADER_BYTES, type FileKind } from './file-header.ts'
import { FRAME_HEADER_BYTES, isIntact, payloadLength } from './frame.ts'

/** An open data file. */
export interface OpenFile {
  readonly fd: number
  readonly path: string
  readonly size: number
  readonly kind: FileKind
  readonly number: number
  /** True for a log to which the emulator was writing when it ended; such a log can end within an entry. */
  readonly isLast: boolean
}

/** Reads the entries of a data file one after the other. */
export class FrameReader {
  readonly #file: OpenFile
  #buffer: Buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  #position = 0

  constructor(file: OpenFile) {
    this.#file = file
  }

  /** Position of the next entry. */
  get position(): number {
    return this.#position
  }

  /** Reads the header of the file; false when the file ends within it, which only the last log may. */
  open(): boolean {
    const { path, kind, number } = this.#file
    const isWhole = this.#fill(FILE_HEADER_BYTES)
    const header = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + FILE_HEADER_BYTES))
    if (this.#isCutOff(isWhole)) return false
    checkFileHeader(header, path, kind, number)
    this.#advance(FILE_HEADER_BYTES)
    return true
  }

  /** The next entry; undefined at the end, or where the last log is cut off. */
  next(): ByteReader | undefined {
    if (this.#position === this.#file.size) return undefined
    const { path } = this.#file
    const hasHeader = this.#fill(FRAME_HEADER_BYTES)
    if (this.#isCutOff(hasHeader)) return undefined
    if (!hasHeader) throw damaged(path, this.#position, 'the file ends within an entry', this.#advice())
    const length = payloadLength(this.#buffer, this.#start, this.#position)
    if (length === undefined)
      throw damaged(path, this.#position, 'the checksum of the header of an entry does not match', this.#advice())
    const isWhole = this.#fill(FRAME_HEADER_BYTES + length)
    const end = this.#start + FRAME_HEADER_BYTES + length
    if (isWhole && isIntact(this.#buffer, this.#start, end)) {
      const payload = new ByteReader(this.#buffer, this.#start + FRAME_HEADER_BYTES, end)
      this.#advance(FRAME_HEADER_BYTES + length)
      return payload
    }
    const endPosition = this.#position + FRAME_HEADER_BYTES + length
    const isTorn =
      !isWhole || (endPosition === this.#file.size && endsInZeroSector(this.#buffer, this.#start, end, endPosition))
    if (isTorn && this.#file.isLast) return undefined
    throw damaged(
      path,
      this.#position,
      isWhole ? 'the checksum of an entry does not match' : 'the file ends within an entry',
      this.#advice()
    )
  }

  #advice(): string {
    if (!this.#file.isLast) return RESTORE
    return `Restore the folder from a copy, or drop this entry and all later ones: truncate -s ${this.#position} ${this.#file.path}`
  }

  // after a power failure the end of a file may be zeros instead of the bytes that were written last
  #isCutOff(isWhole: boolean): boolean {
    if (!this.#file.isLast) return false
    return !isWhole || this.#isRestZero()
  }

  #isRestZero(): boolean {
    if (!isZero(this.#buffer, this.#start, Math.min(this.#end, this.#start + FRAME_HEADER_BYTES))) return false
    const rest = Buffer.allocUnsafe(ZERO_CHUNK_BYTES)
    for (let at = this.#position; at < this.#file.size;) {
      const read = readSync(this.#file.fd, rest, 0, rest.length, at)
      if (read === 0 || !isZero(rest, 0, read)) return false
      at += read
    }
    return true
  }

  #advance(length: number): void {
    this.#start += length
    this.#position += length
  }

  /** Makes this many bytes from the position on available; false when the file ends before. */
  #fill(length: number): boolean {
    if (this.#end - this.#start >= length) return true
    if (this.#position + length > this.#file.size) return false
    const kept = this.#end - this.#start
    // documents that were read stay in their buffer, so each buffer is filled only once
    const target = Buffer.allocUnsafeSlow(Math.max(length, Math.min(CHUNK_BYTES, this.#file.size - this.#position)))
    this.#buffer.copy(target, 0, this.#start, this.#end)
    this.#buffer = target
    this.#start = 0
    this.#end = kept
    while (this.#end < length) {
      const read = readSync(this.#file.fd, target, this.#end, target.length - this.#end, this.#position + this.#end)
      if (read === 0) return false
      this.#end += read
    }
    return true
  }
}

const CHUNK_BYTES = 8 << 20
const ZERO_CHUNK_BYTES = 64 << 10
const SECTOR_BYTES = 512

/** Whether the last bytes of an entry are zeros from the begin of a sector on. */
function endsInZeroSector(bytes: Buffer, start: number, end: number, endPosition: number): boolean {
  const inSector = endPosition % SECTOR_BYTES
  const from = Math.max(start, end - (inSector === 0 ? SECTOR_BYTES : inSector))
  return end - from >= MIN_ZEROS && isZero(bytes, from, end)
}

const MIN_ZEROS = 8

function isZero(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] !== 0) return false
  return true
}
