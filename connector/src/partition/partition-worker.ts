import type { Position } from '@keystamp/core'
import type { RejectionHandler } from '../dead-letter/rejection-handler.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { type Decoded, type Decoder, decodedDocumentBytes } from '../decode/decoder.ts'
import type { Consumer, RecordBatch, SinkRecord, StoredOffset, TopicPartition } from '../kafka/consumer-port.ts'
import { type AtomicGroup, beginGroup, joinGroup, submitGroup } from '../write/atomic-groups.ts'
import type { Answer, Target } from '../write/target.ts'
import { OpenRecords, type RecordsView } from './open-records.ts'
import {
  type DeliveryEvent,
  type DeliveryState,
  nextDelivery,
  nextState,
  type PartitionEvent,
  type PartitionState,
  RESUME_SHARE
} from './partition-states.ts'
import type { RecordCounts } from './record-counts.ts'

/** Everything that the partitions of one sink share. */
export interface WorkerOptions {
  readonly consumer: Pick<Consumer, 'pause' | 'resume'>
  readonly decoder: Decoder
  readonly targetOf: (worker: PartitionWorker) => Target
  readonly rejects: RejectionHandler
  /** Whether consecutive records of one key are written atomically: all or none. */
  readonly isAtomic: boolean
  readonly counts: RecordCounts
  /**
   * Memory share of one partition, in bytes. It limits the bytes of the open records, and separately the bytes of the
   * records in process with their decoded documents. A fetch that was in flight when the partition was paused is taken
   * in addition.
   */
  readonly shareBytes: () => number
  /** The first offset of the partition became known. */
  readonly onBegun: (worker: PartitionWorker) => void
  /** A record has its outcome. */
  readonly onSettled: () => void
  /** A record stops the sink, and gets no outcome. */
  readonly onRefused: () => void
  /** The sink cannot continue. */
  readonly fail: (error: Error) => void
}

/**
 * One partition on this member, from its assignment to its loss. Its records are taken, decoded, mapped, submitted to
 * their container and settled, in the order of the partition. The worker is also the fence of its operations: once it
 * is lost, they are not sent any more.
 */
export class PartitionWorker implements TopicPartition {
  readonly topic: string
  readonly partition: number
  readonly #options: WorkerOptions
  readonly #records: OpenRecords = new OpenRecords()
  readonly records: RecordsView = this.#records
  #state: PartitionState = 'new'
  #delivery: DeliveryState
  #stored: StoredOffset = {}
  #target: Target | undefined
  /** Confirmation that the partition is drained for a switch; each commit has it from then on. */
  drained: StoredOffset['drained']

  constructor({ topic, partition }: TopicPartition, options: WorkerOptions, delivery: DeliveryState = 'flowing') {
    this.topic = topic
    this.partition = partition
    this.#options = options
    this.#delivery = delivery
  }

  /** Begins at an offset. Later calls have no effect. */
  beginAt(position: Position): void {
    if (this.#records.expected !== undefined) return
    this.#on('begin')
    this.#records.beginAt(position)
    this.#options.onBegun(this)
  }

  /** Drops the inbox and begins at another offset. Possible only before the partition is claimed. */
  restartAt(position: Position): void {
    this.#on('restart')
    this.#records.beginAt(position)
    if (this.#delivery !== 'stopped') this.#deliver('resume')
    this.#options.onBegun(this)
  }

  /** Continues at a later offset, after records that the topic has lost. */
  continueAt(position: Position): void {
    this.#records.passTo(position)
  }

  /** Takes the new records of a batch. Returns the offset to continue at. */
  take(batch: RecordBatch): Position {
    if (this.#delivery === 'stopped') return this.#records.expected ?? batch.from
    this.beginAt(batch.from)
    this.#on('take')
    this.#records.endsAt(batch.highWatermark)
    // a batch that begins later is dropped: the records before it were never delivered
    if (batch.from <= this.#records.expected!) this.#open(batch, this.#records.expected!)
    this.#adjustDelivery()
    return this.#records.expected!
  }

  #open({ records, next }: RecordBatch, expected: Position): void {
    const { counts } = this.#options
    for (const record of records) {
      if (record.offset < expected) counts.redelivered++
      else {
        counts.received++
        counts.receivedBytes += record.value?.length ?? 0
        this.#records.open(record)
      }
    }
    if (next > expected) this.#records.passTo(next)
    this.#work()
  }

  /** The group has stored the claim: work on records may begin, and offsets may be committed. */
  claimed(): void {
    this.#on('claim')
    this.#work()
  }

  /** Container of the topic, which is open before records are processed. */
  get target(): Target {
    return (this.#target ??= this.#options.targetOf(this))
  }

  /** Processes the inbox until it is empty, the memory share is used up, or a record has to wait for its schema. */
  #work(): void {
    if (this.#state === 'full' && this.#hasRoom()) this.#on('drain')
    if (this.#state !== 'working') return
    const { decoder, isAtomic } = this.#options
    let group: AtomicGroup | undefined
    for (let record = this.#records.peek(); record !== undefined; record = this.#records.peek()) {
      // an atomic group is not divided when the memory share is used up
      if (!isAtomic && !this.#hasRoom()) return void this.#on('fill')
      const decoded = decoder.decode(record)
      if (decoded instanceof Promise) {
        this.#submit(group)
        this.#on('defer')
        return void this.#workLater(record, decoded)
      }
      group = this.#workOn(record, decoded, group)
    }
    this.#submit(group)
  }

  async #workLater(record: SinkRecord, later: Promise<Decoded | SinkRejection>): Promise<void> {
    try {
      const decoded = await later
      if (this.#on('decoded') === 'lost') return
      this.#submit(this.#workOn(record, decoded))
      this.#work()
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  /**
   * Takes the record out of the inbox and submits its operation, or adds it to the atomic group. Returns the group that
   * is not submitted yet.
   */
  #workOn(record: SinkRecord, decoded: Decoded | SinkRejection, group?: AtomicGroup): AtomicGroup | undefined {
    this.#records.begin(record, decodedDocumentBytes(record, decoded))
    const { target } = this
    const mapped = decoded.ok ? target.map(record, decoded) : decoded
    if (mapped === 'ignore') this.#pass(record, 'ignored')
    else if (!('kind' in mapped)) this.#reject(record, mapped)
    else if (!this.#options.isAtomic) target.submit(mapped, this, (answer) => this.#answered(record, answer))
    else if (group === undefined || !joinGroup(group, target, record, mapped)) {
      this.#submit(group)
      return beginGroup(target, record, mapped)
    }
    return group
  }

  #submit(group: AtomicGroup | undefined): void {
    if (group !== undefined) submitGroup(group, this, (record, answer) => this.#answered(record, answer))
  }

  #answered(record: SinkRecord, answer: Answer): void {
    // the new owner of the partition reads the record again
    if (this.#on('answer') === 'lost') return
    if (answer instanceof Error) return this.#options.fail(answer)
    if (answer.kind !== 'rejected') return this.#pass(record, answer.kind)
    const { code, message, path = '' } = answer
    this.#reject(record, { ok: false, stage: 'write', code, message, path })
  }

  #pass(record: SinkRecord, how: 'written' | 'unchanged' | 'ignored'): void {
    const { counts, rejects } = this.#options
    counts[how]++
    rejects.passed?.()
    this.#settle(record)
  }

  #reject(record: SinkRecord, rejection: SinkRejection): void {
    const { rejects, onRefused, fail } = this.#options
    rejects.take(record, rejection, (error) => {
      if (this.#on('answer') === 'lost') return
      if (error === undefined) return this.#settle(record)
      onRefused()
      fail(error)
    })
  }

  #settle(record: SinkRecord): void {
    this.#records.settle(record)
    if (this.#state === 'full' && this.#hasRoom()) this.#workSoon()
    this.#adjustDelivery()
    this.#options.onSettled()
  }

  /** Continues in a microtask, after the other records that are settled at this moment. */
  #workSoon(): void {
    this.#on('drain')
    queueMicrotask(() => this.#work())
  }

  /** Whether processing of more records may begin. */
  #hasRoom(): boolean {
    return this.#records.workBytes < this.#options.shareBytes()
  }

  /** Pauses the partition while its records use up its memory share, so that partitions keep the same pace. */
  #adjustDelivery(): void {
    const { bytes } = this.#records
    if (this.#delivery === 'flowing' && bytes >= this.#options.shareBytes()) this.#deliver('pause')
    else if (this.#delivery === 'paused' && bytes <= this.#options.shareBytes() * RESUME_SHARE) this.#deliver('resume')
  }

  /** Takes no records from now on, and drops those whose processing waits for the claim of the partition. */
  stop(): void {
    if (this.#delivery === 'flowing') this.#deliver('pause')
    this.#delivery = nextDelivery(this.#delivery, 'stop')
    if (this.#state === 'unclaimed') this.#records.beginAt(this.#records.committable!)
  }

  #deliver(event: DeliveryEvent): void {
    const { consumer, counts } = this.#options
    const topicPartition = { topic: this.topic, partition: this.partition }
    this.#delivery = nextDelivery(this.#delivery, event)
    if (event === 'resume') return consumer.resume([topicPartition])
    counts.pauses++
    consumer.pause([topicPartition])
  }

  /** Gives up the open records: unsent operations are withdrawn, and the next owner reads the records again. */
  lose(): void {
    this.#on('lose')
    this.#records.clearInbox()
  }

  #on(event: PartitionEvent): PartitionState {
    return (this.#state = nextState(this.#state, event))
  }

  get isLost(): boolean {
    return this.#state === 'lost'
  }

  /** Whether work on records may begin, and offsets may be committed. */
  get isClaimed(): boolean {
    return this.#state === 'working' || this.#state === 'decoding' || this.#state === 'full'
  }

  get isPaused(): boolean {
    return this.#delivery !== 'flowing'
  }

  /** Offset that the group stores. */
  get stored(): StoredOffset {
    return this.#stored
  }

  /** Called when the stored offset was read. A claimed partition knows its stored offset already. */
  found({ position, initialPartitions }: StoredOffset): void {
    this.#stored = {
      ...this.#stored,
      position: this.isClaimed ? this.#stored.position : (position ?? this.#stored.position),
      initialPartitions
    }
  }

  /** Called when the group has stored this offset; undefined if it stores none any more. */
  committed(position: Position | undefined, drained?: StoredOffset['drained']): void {
    this.#stored = { ...this.#stored, position, drained }
  }

  get hasUncommitted(): boolean {
    const { position, drained } = this.#stored
    return this.isClaimed && (this.#records.committable !== position || this.drained !== drained)
  }

  /** The broker has records up to this offset. */
  endsAt(position: Position | undefined): void {
    this.#records.endsAt(position)
  }
}
