import { createSettledPrefix, type Position, type SettledPrefix } from '@keystamp/core'
import type { TopicPartition } from '../kafka/consumer-port.ts'
import { recordBytes, type SinkRecord } from '../record.ts'

/** Records of one partition that this member has taken, from its assignment to its loss. */
export class PartitionFlow implements TopicPartition {
  readonly topic: string
  readonly partition: number
  /** Another member owns the partition: records that are left here must not be sent, and settle nothing. */
  isLost = false
  /** The claim is stored: work on records may begin, and offsets may be committed. */
  isReady = false
  /** A record at the head of the inbox waits for its schema. */
  isDecoding = false
  isPaused = false
  /** The head of the inbox waits until the records that are worked on take less memory. */
  isWaitingForRoom = false
  /** Bytes of the records in flight. */
  openBytes = 0
  /** Bytes of the records that are worked on, and of the documents that decoding created from them. */
  workBytes = 0
  /** Offset that the group stores. */
  committed: Position | undefined
  /** Number of partitions that the topic had when the group began to read it. */
  initialPartitions: number | undefined
  /** Offset after the last record that the broker has. */
  highWatermark: Position | undefined
  /** Records taken and not worked on yet, from `#inboxFirst` on. */
  #inbox: SinkRecord[] = []
  #inboxFirst = 0
  #prefix: SettledPrefix | undefined
  #expected: Position | undefined
  /** Everything before this offset has its outcome: the offset to be delivered next when nothing was open the last time. */
  #cleared: Position | undefined
  #settledTimestamp: string | undefined

  constructor({ topic, partition }: TopicPartition) {
    this.topic = topic
    this.partition = partition
  }

  /** Next offset to be delivered; undefined until one is known. */
  get expected(): Position | undefined {
    return this.#expected
  }

  get openCount(): number {
    return this.#prefix?.openCount ?? 0
  }

  /** The oldest record that has no outcome. */
  get oldestOpen(): Position | undefined {
    return this.#prefix?.oldestOpen
  }

  /** Offset before which all records have their outcomes; with nothing in flight also past invisible records after the last one. Never decreases. */
  get committable(): Position | undefined {
    if (this.openCount === 0) return this.#expected
    const { committable } = this.#prefix!
    return this.#cleared !== undefined && this.#cleared > committable ? this.#cleared : committable
  }

  /** Records between what is committable and the end of the partition. */
  get lag(): number {
    const { committable, highWatermark } = this
    return committable === undefined || highWatermark === undefined ? 0 : Math.max(0, highWatermark - committable)
  }

  /** Timestamp of the record that was settled last, in milliseconds since 1970. */
  get settledTimestampMs(): number | undefined {
    return this.#settledTimestamp === undefined ? undefined : Number(this.#settledTimestamp)
  }

  /** Begins at an offset. Later calls have no effect. */
  beginAt(position: Position): void {
    if (this.#expected !== undefined) return
    this.#expected = position
    this.#prefix = createSettledPrefix({ first: position })
  }

  /** Drops the inbox, and begins at another offset. Called only before work on the partition has begun. */
  restartAt(position: Position): void {
    this.#inbox = []
    this.#inboxFirst = 0
    this.openBytes = 0
    this.isPaused = false
    this.#expected = undefined
    this.#cleared = undefined
    this.beginAt(position)
  }

  /** Takes a record, which needs an outcome from now on. Offsets ascend. */
  open(record: SinkRecord): void {
    if (this.openCount === 0) this.#cleared = this.#expected
    this.#prefix!.open(record.offset)
    this.openBytes += recordBytes(record)
    this.#inbox.push(record)
  }

  /** Everything before this offset was delivered. */
  passTo(position: Position): void {
    this.#expected = position
  }

  /** Next record to work on. It stays in the inbox until `begin`. */
  peek(): SinkRecord | undefined {
    return this.#inbox[this.#inboxFirst]
  }

  /** Takes the record out of the inbox. `madeBytes`: size of the document that decoding created. */
  begin(record: SinkRecord, madeBytes: number): void {
    record.madeBytes = madeBytes
    this.workBytes += recordBytes(record) + madeBytes
    this.#inboxFirst++
    if (this.#inboxFirst < this.#inbox.length) return
    this.#inbox = []
    this.#inboxFirst = 0
  }

  /** The record has its outcome. */
  settle(record: SinkRecord): void {
    const bytes = recordBytes(record)
    this.#prefix!.settle(record.offset)
    this.openBytes -= bytes
    this.workBytes -= bytes + record.madeBytes!
    this.#settledTimestamp = record.timestamp
  }

  /** Gives up the records in flight: another member will read them again. */
  lose(): void {
    this.isLost = true
    this.isReady = false
    this.#inbox = []
    this.#inboxFirst = 0
  }
}
