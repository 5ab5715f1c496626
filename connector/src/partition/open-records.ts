import { createSettledPrefix, type Position, type SettledPrefix } from '@keystamp/core'
import { recordBytes, type SinkRecord } from '../kafka/consumer-port.ts'

/** State of the open records of one partition, for reading. */
export type RecordsView = Pick<
  OpenRecords,
  'expected' | 'committable' | 'count' | 'oldest' | 'bytes' | 'workBytes' | 'settledTimestampMs' | 'end' | 'lag'
>

/** Records of one partition that were taken and have no outcome yet: their order, their offsets and their bytes. */
export class OpenRecords {
  /** Records whose processing has not begun, from `#inboxFirst` on. */
  #inbox: SinkRecord[] = []
  #inboxFirst = 0
  #prefix: SettledPrefix | undefined
  #expected: Position | undefined
  /** Value of `expected` at the last moment when no record was open: all records before this offset have an outcome. */
  #cleared: Position | undefined
  #bytes = 0
  #workBytes = 0
  #settledTimestamp: string | undefined
  #end: Position | undefined

  /** Next offset to be delivered; undefined until one is known. */
  get expected(): Position | undefined {
    return this.#expected
  }

  get count(): number {
    return this.#prefix?.openCount ?? 0
  }

  /** The oldest record that has no outcome. */
  get oldest(): Position | undefined {
    return this.#prefix?.oldestOpen
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Bytes of the records in process, and of the documents that decoding created from them. */
  get workBytes(): number {
    return this.#workBytes
  }

  /**
   * Offset before which all records have an outcome. If no record is open, it includes invisible records after the last
   * one. Never decreases.
   */
  get committable(): Position | undefined {
    if (this.count === 0) return this.#expected
    const { committable } = this.#prefix!
    return this.#cleared !== undefined && this.#cleared > committable ? this.#cleared : committable
  }

  /** Timestamp of the record that was settled last, in milliseconds since 1970. */
  get settledTimestampMs(): number | undefined {
    return this.#settledTimestamp === undefined ? undefined : Number(this.#settledTimestamp)
  }

  /** Offset after the last record that the broker has. */
  get end(): Position | undefined {
    return this.#end
  }

  /** Number of records between the committable offset and the end of the partition. */
  get lag(): number {
    const { committable } = this
    return committable === undefined || this.#end === undefined ? 0 : Math.max(0, this.#end - committable)
  }

  endsAt(position: Position | undefined): void {
    this.#end = position
  }

  /** Begins at an offset, and forgets the records that were taken before. */
  beginAt(position: Position): void {
    this.clearInbox()
    this.#bytes = 0
    this.#cleared = undefined
    this.#expected = position
    this.#prefix = createSettledPrefix({ first: position })
  }

  /** Takes a record, which needs an outcome from now on. Offsets ascend. */
  open(record: SinkRecord): void {
    if (this.count === 0) this.#cleared = this.#expected
    this.#prefix!.open(record.offset)
    this.#bytes += recordBytes(record)
    this.#inbox.push(record)
  }

  /** All records before this offset were delivered. */
  passTo(position: Position): void {
    this.#expected = position
  }

  /** Next record to process. It stays in the inbox until `begin`. */
  peek(): SinkRecord | undefined {
    return this.#inbox[this.#inboxFirst]
  }

  /** Takes the record out of the inbox. `decodedDocumentBytes`: size of the document that decoding created. */
  begin(record: SinkRecord, decodedDocumentBytes: number): void {
    record.decodedDocumentBytes = decodedDocumentBytes
    this.#workBytes += recordBytes(record) + decodedDocumentBytes
    this.#inboxFirst++
    if (this.#inboxFirst === this.#inbox.length) this.clearInbox()
  }

  /** The record has its outcome. */
  settle(record: SinkRecord): void {
    const bytes = recordBytes(record)
    this.#prefix!.settle(record.offset)
    this.#bytes -= bytes
    this.#workBytes -= bytes + record.decodedDocumentBytes!
    this.#settledTimestamp = record.timestamp
  }

  clearInbox(): void {
    this.#inbox = []
    this.#inboxFirst = 0
  }
}
