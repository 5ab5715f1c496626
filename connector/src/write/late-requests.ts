import type { LateRequest } from '@keystamp/cosmos'
import { partitionName, type TopicPartition } from '../consume/consumer-port.ts'
import type { Log } from '../surroundings.ts'

/** Late requests of one partition. */
export interface LateCount extends TopicPartition {
  readonly count: number
}

/** Counts and logs the requests that may have been applied after a partition of theirs had moved. */
export class LateRequests {
  readonly #log: Pick<Log, 'warn'>
  readonly #handoverMs: number
  readonly #counts: Map<string, TopicPartition & { count: number }> = new Map()

  constructor(log: Pick<Log, 'warn'>, handoverMs: number) {
    this.#log = log
    this.#handoverMs = handoverMs
  }

  /** By partition; only partitions that had one. */
  get counts(): readonly LateCount[] {
    return [...this.#counts.values()]
  }

  /** Takes the event of a writer: its fences are the partitions that this sink gave it. */
  heard(late: LateRequest): void {
    // A request that was sent in time has the handover period to be applied.
    if (late.stage === 'answered' && late.lateMs <= this.#handoverMs) return
    for (const fence of late.fences) if (isPartition(fence)) this.#count(late, fence)
  }

  #count({ stage, activityId, lateMs }: LateRequest, { topic, partition }: TopicPartition): void {
    const name = partitionName({ topic, partition })
    const counted = this.#counts.get(name)
    if (counted === undefined) this.#counts.set(name, { topic, partition, count: 1 })
    else counted.count++
    this.#log.warn({ topic, partition, activityId, lateMs: Math.round(lateMs), stage }, SENTENCES[stage])
  }
}

const SENTENCES: Readonly<Record<LateRequest['stage'], string>> = {
  written:
    'late request: the process stood still while it was sending, and its permission to send had ended before the bytes were known to have left. ' +
    'The request may have replaced newer documents of this partition.',
  answered:
    'late request: it was sent in time, but its answer took longer than `kafka.handover`, and the partition has moved or may have moved ' +
    'meanwhile. The request may have replaced newer documents of this partition.'
}

function isPartition(fence: object): fence is TopicPartition {
  return 'topic' in fence && 'partition' in fence
}
