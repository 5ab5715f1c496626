import type { RowReader } from './record-row.ts'

/** Memory of a block, which threads can share. */
export interface BlockMemory {
  /** Bytes of the records, one after the other. */
  readonly bytes: Uint8Array
  /** Where each record ends in `bytes`, and the next one begins. */
  readonly ends: Int32Array
  readonly rows: Int32Array
}

/** Records, and their rows. One thread can fill a block and count its rows, and another one can read the rows. */
export class RecordBlock {
  readonly memory: BlockMemory
  /** Number of records. */
  records = 0
  /** Whether the rows are complete. */
  isRead = false

  /** `size`: bytes of its records. `rowLength`: that of the reader. */
  constructor(size: number, maxRecords: number, rowLength: number) {
    this.memory = {
      bytes: new Uint8Array(new SharedArrayBuffer(size)),
      ends: new Int32Array(new SharedArrayBuffer(maxRecords * 4)),
      rows: new Int32Array(new SharedArrayBuffer(maxRecords * rowLength * 4))
    }
  }

  get size(): number {
    return this.memory.bytes.length
  }

  /** Copies a record to the end of the block. Returns false if it has no room for it. */
  add(record: Uint8Array): boolean {
    const { bytes, ends } = this.memory
    const start = this.records === 0 ? 0 : ends[this.records - 1]
    if (this.records === ends.length || start + record.length > bytes.length) return false
    bytes.set(record, start)
    ends[this.records++] = start + record.length
    return true
  }

  /** Reads the rows. */
  read(reader: RowReader): void {
    readRows(reader, this.memory, this.records)
    this.isRead = true
  }

  clear(): this {
    this.records = 0
    this.isRead = false
    return this
  }
}

/** Reads the first records of a block into its rows. */
export function readRows(reader: RowReader, { bytes, ends, rows }: BlockMemory, records: number): void {
  let start = 0
  for (let record = 0; record < records; record++) {
    reader.read(bytes, start, ends[record], undefined, rows, record * reader.length)
    start = ends[record]
  }
}
