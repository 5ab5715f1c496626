import { crc32 } from 'node:zlib'
import { NEWLINE } from '@keystamp/core/internal'
import type { JournalEntry } from './journal.ts'

/** First line of every journal. */
export const HEADER = '{"format":"keystamp-move","version":1}\n'
const VERSION = 1

/**
 * Writes entries as lines. The checksum of each line continues that of the line before it, so that a line that is
 * missing or stands elsewhere is found, too.
 */
export class LineWriter {
  #checksum: number

  constructor(checksum: number) {
    this.#checksum = checksum
  }

  lineOf(entry: JournalEntry): string {
    const json = JSON.stringify(entry)
    this.#checksum = crc32(json, this.#checksum)
    return `{"crc32":"${hex(this.#checksum)}","entry":${json}}\n`
  }
}

export type JournalText =
  | {
      readonly kind: 'read'
      readonly entries: readonly JournalEntry[]
      /** Checksum of the last line. */
      readonly checksum: number
      /** Bytes of the complete lines: the rest was being written when the process or the machine stopped. */
      readonly bytes: number
    }
  | { readonly kind: 'foreign' }
  | { readonly kind: 'newer'; readonly version: number }
  | { readonly kind: 'damaged'; readonly line: number }

/** Reads the bytes of a journal. */
export function readLines(bytes: Buffer): JournalText {
  const header = bytes.subarray(0, HEADER.length).toString('latin1')
  if (header !== HEADER) return withoutHeader(bytes, header)
  const entries: JournalEntry[] = []
  let checksum = 0
  let start = HEADER.length
  while (start < bytes.length) {
    const end = bytes.indexOf(NEWLINE, start)
    if (end < 0) break
    const line = bytes.toString('utf8', start, end)
    const json = JSON_OF_LINE.exec(line)
    if (json === null || hex(crc32(json[2], checksum)) !== json[1]) return { kind: 'damaged', line: entries.length + 2 }
    checksum = Number.parseInt(json[1], 16)
    entries.push(JSON.parse(json[2]) as JournalEntry)
    start = end + 1
  }
  return { kind: 'read', entries, checksum, bytes: start }
}

const JSON_OF_LINE = /^\{"crc32":"([0-9a-f]{8})","entry":(.*)\}$/s

function withoutHeader(bytes: Buffer, header: string): JournalText {
  // the process was killed while it wrote the header, or the machine stopped before the disk had it
  if (HEADER.startsWith(header) || isUnwritten(bytes)) return { kind: 'read', entries: [], checksum: 0, bytes: 0 }
  const end = bytes.indexOf(NEWLINE)
  const version = /^\{"format":"keystamp-move","version":(\d+)/.exec(bytes.toString('latin1', 0, Math.max(0, end)))
  if (version !== null && Number(version[1]) > VERSION) return { kind: 'newer', version: Number(version[1]) }
  return { kind: 'foreign' }
}

// JSON has no byte 0: after a power failure, blocks that the disk never got are read as zeros
function isUnwritten(rest: Buffer): boolean {
  const zero = rest.indexOf(0)
  return zero >= 0 && rest.subarray(zero).every((byte) => byte === 0)
}

function hex(checksum: number): string {
  return checksum.toString(16).padStart(8, '0')
}
