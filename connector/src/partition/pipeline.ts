import type { Position } from '@keystamp/core'
import type { RecordBatch } from '../kafka/consumer-port.ts'
import type { Decoded, Decoder } from '../decode/decoder.ts'
import type { PartitionFlow } from './partition-flow.ts'
import type { SinkRecord } from '../record.ts'
import type { RejectionHandler } from '../dead-letter/rejection-handler.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { type AtomicGroup, beginGroup, joinGroup } from '../write/atomic-groups.ts'
import type { Answer, Target } from '../write/target.ts'

export interface PipelineOptions {
  readonly decoder: Decoder
  readonly targetOf: (topic: string) => Target
  readonly rejects: RejectionHandler
  /** Consecutive records of one key are applied all or none. */
  readonly isAtomic: boolean
  readonly counts: PipelineCounts
  /** Whether work on more records of the partition may begin. Checked again when one is settled. */
  readonly hasRoom: (flow: PartitionFlow) => boolean
  /** A record of this partition has its outcome. */
  readonly onSettled: (flow: PartitionFlow) => void
  /** A record stops the sink, and gets no outcome. */
  readonly onRefused: () => void
  /** The sink cannot continue. */
  readonly fail: (error: Error) => void
}

/** Counters of a sink. */
export interface PipelineCounts {
  received: number
  receivedBytes: number
  written: number
  unchanged: number
  ignored: number
  /** Records that were delivered again after a rebalance, and recognized. */
  redelivered: number
}

/** Path of a record: taken, decoded, mapped, submitted to its container, settled. In the order of its partition. */
export class Pipeline {
  readonly #options: PipelineOptions

  constructor(options: PipelineOptions) {
    this.#options = options
  }

  /** Takes the new records of the batch. Returns the offset to continue at. */
  take(flow: PartitionFlow, batch: RecordBatch): Position {
    const { counts } = this.#options
    flow.beginAt(batch.from)
    flow.highWatermark = batch.highWatermark
    const expected = flow.expected!
    // the batch begins after records that were never delivered
    if (batch.from > expected) return expected
    for (const record of batch.records) {
      if (record.offset < expected) counts.redelivered++
      else {
        counts.received++
        counts.receivedBytes += record.value?.length ?? 0
        flow.open(record)
      }
    }
    if (batch.next > expected) flow.passTo(batch.next)
    this.run(flow)
    return flow.expected!
  }

  /** Works on the inbox of a partition until it is empty, its share of memory is used up, or a record has to wait for its schema. */
  run(flow: PartitionFlow): void {
    if (!flow.isReady || flow.isDecoding) return
    const { decoder, isAtomic, hasRoom } = this.#options
    let group: AtomicGroup | undefined
    for (let record = flow.peek(); record !== undefined; record = flow.peek()) {
      // an atomic group is not divided where the share ends
      if (!isAtomic && !hasRoom(flow)) {
        flow.isWaitingForRoom = true
        return
      }
      const decoded = decoder.decode(record)
      if (decoded instanceof Promise) {
        this.#submitGroup(flow, group)
        return void this.#runLater(flow, record, decoded)
      }
      flow.begin(record, madeBytes(record, decoded))
      if (isAtomic) group = this.#gather(flow, group, record, decoded)
      else this.#place(flow, record, decoded)
    }
    this.#submitGroup(flow, group)
  }

  async #runLater(flow: PartitionFlow, record: SinkRecord, later: Promise<Decoded | SinkRejection>): Promise<void> {
    flow.isDecoding = true
    try {
      const decoded = await later
      flow.isDecoding = false
      if (flow.isLost) return
      flow.begin(record, madeBytes(record, decoded))
      this.#place(flow, record, decoded)
      this.run(flow)
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  #place(flow: PartitionFlow, record: SinkRecord, decoded: Decoded | SinkRejection): void {
    const target = this.#options.targetOf(record.topic)
    const mapped = decoded.ok ? target.map(record, decoded) : decoded
    if (mapped === 'ignore') return this.#ignore(flow, record)
    if ('kind' in mapped) target.submit(mapped, flow, (answer) => this.#answered(flow, record, answer))
    else this.#reject(flow, record, mapped)
  }

  #gather(
    flow: PartitionFlow,
    group: AtomicGroup | undefined,
    record: SinkRecord,
    decoded: Decoded | SinkRejection
  ): AtomicGroup | undefined {
    const target = this.#options.targetOf(record.topic)
    const mapped = decoded.ok ? target.map(record, decoded) : decoded
    if (mapped === 'ignore' || !('kind' in mapped)) {
      if (mapped === 'ignore') this.#ignore(flow, record)
      else this.#reject(flow, record, mapped)
      return group
    }
    if (group !== undefined && joinGroup(group, target, record, mapped)) return group
    this.#submitGroup(flow, group)
    return beginGroup(target, record, mapped)
  }

  #submitGroup(flow: PartitionFlow, group: AtomicGroup | undefined): void {
    if (group === undefined) return
    const { target, records, operations } = group
    // a single operation is applied whole anyway, and a long patch is only accepted alone
    if (operations.length === 1) return target.submit(operations[0], flow, (answer) => this.#answered(flow, records[0], answer))
    target.submitAtomic(operations, flow, (answers) => {
      for (const [index, answer] of answers.entries()) this.#answered(flow, records[index], answer)
    })
  }

  #answered(flow: PartitionFlow, record: SinkRecord, answer: Answer): void {
    // the new owner of the partition reads the record again
    if (flow.isLost) return
    if (answer instanceof Error) return this.#options.fail(answer)
    switch (answer.kind) {
      case 'written':
        this.#options.counts.written++
        return this.#pass(flow, record)
      case 'unchanged':
        this.#options.counts.unchanged++
        return this.#pass(flow, record)
      case 'rejected':
        return this.#reject(flow, record, {
          ok: false,
          stage: 'write',
          code: answer.code,
          message: answer.message,
          path: answer.path ?? ''
        })
    }
  }

  #ignore(flow: PartitionFlow, record: SinkRecord): void {
    this.#options.counts.ignored++
    this.#pass(flow, record)
  }

  #reject(flow: PartitionFlow, record: SinkRecord, rejection: SinkRejection): void {
    this.#options.rejects.take(record, rejection, (error) => {
      if (flow.isLost) return
      if (error === undefined) return this.#settle(flow, record)
      this.#options.onRefused()
      this.#options.fail(error)
    })
  }

  #pass(flow: PartitionFlow, record: SinkRecord): void {
    this.#options.rejects.passed()
    this.#settle(flow, record)
  }

  #settle(flow: PartitionFlow, record: SinkRecord): void {
    const { hasRoom, onSettled } = this.#options
    flow.settle(record)
    if (flow.isWaitingForRoom && hasRoom(flow)) this.#runSoon(flow)
    onSettled(flow)
  }

  /** Resumes after the current batch of settlements (microtask). */
  #runSoon(flow: PartitionFlow): void {
    flow.isWaitingForRoom = false
    queueMicrotask(() => this.run(flow))
  }
}

function madeBytes({ value }: SinkRecord, decoded: Decoded | SinkRejection): number {
  if (!decoded.ok || decoded.json === undefined || decoded.json === value) return 0
  return value !== null && isPartOf(decoded.json, value) ? 0 : decoded.json.length
}

function isPartOf({ buffer, byteOffset }: Uint8Array, whole: Uint8Array): boolean {
  return buffer === whole.buffer && byteOffset >= whole.byteOffset && byteOffset < whole.byteOffset + whole.length
}
