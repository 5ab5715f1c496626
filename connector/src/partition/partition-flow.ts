import { createSettledPrefix, type Position, type SettledPrefix } from '@keystamp/core'
import type { TopicPartition } from '../kafka/consumer-port.ts'
import { recordBytes, type SinkRecord } from '../record.ts'

/** What this member has taken of one partition, from the moment it owns it until it does not. */
export class PartitionFlow implements TopicPartition {
  readonly topic: string
  readonly partition: number
  /** The partition went to another member: what is left of it here must not be sent, and settles nothing. */
  isLost = false
  /** Records are worked on, and positions committed; before, records only wait. */
  isReady = false
  /** A record at the head of the inbox waits for its schema. */
  isDecoding = false
  isPaused = false
  /** The head of the inbox waits until what is worked on holds less. */
  isWaitingForRoom = false
  /** Bytes of the open records. */
  openBytes = 0
  /** Bytes of those that are worked on, with what was made of them. */
  workBytes = 0
  /** The position that the group knows of. */
  committed: Position | undefined
  /** Number of partitions that the topic had when the group began to read it. */
  initialPartitions: number | undefined
  /** The position behind the last record that the broker has. */
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

  /** The position to be delivered next; undefined until one is known. */
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

  /** How far all records have their outcome; with nothing open also past what is invisible behind the last one. Never falls. */
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

  /** Where to go on from: says so once, before the first record. */
  beginAt(position: Position): void {
    if (this.#expected !== undefined) return
    this.#expected = position
    this.#prefix = createSettledPrefix({ first: position })
  }

  /** Drops what waits for its turn, and begins at another position. Only before work on the partition has begun. */
  restartAt(position: Position): void {
    this.#inbox = []
    this.#inboxFirst = 0
    this.openBytes = 0
    this.isPaused = false
    this.#expected = undefined
    this.#cleared = undefined
    this.beginAt(position)
  }

  /** Opens the record: it owes an outcome now. Positions ascend. */
  open(record: SinkRecord): void {
    if (this.openCount === 0) this.#cleared = this.#expected
    this.#prefix!.open(record.offset)
    this.openBytes += recordBytes(record)
    this.#inbox.push(record)
  }

  /** Everything before this position was delivered. */
  passTo(position: Position): void {
    this.#expected = position
  }

  /** The next record to be worked on stays where it is until `begin`. */
  peek(): SinkRecord | undefined {
    return this.#inbox[this.#inboxFirst]
  }

  /** Takes it out of the inbox; decoding has made so many bytes of it. */
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

  /** Gives up what is open: another member will read it again. */
  lose(): void {
    this.isLost = true
    this.isReady = false
    this.#inbox = []
    this.#inboxFirst = 0
  }
}
