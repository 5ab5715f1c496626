import type { Position } from '@keystamp/core'
import { partitionName, type RecordBatch, type TopicPartition } from './consumer-port.ts'

/** Fetch of one partition, and the offset at which it began. */
export interface Fetched extends TopicPartition {
  readonly from: Position
}

/**
 * Where the next fetch of a partition begins: within this fetch (`resolve`), somewhere else (`seek`), or at the same
 * offset again (`drop`).
 */
export type NextFetch =
  | { readonly action: 'drop' }
  | { readonly action: 'resolve'; readonly to: Position }
  | { readonly action: 'seek'; readonly to: Position }

/** Decision about a fetch. */
export type FetchDecision = { readonly action: 'deliver' } | NextFetch

const DROP: NextFetch = { action: 'drop' }
const DELIVER: FetchDecision = { action: 'deliver' }

/** Fetch without visible records, which the client has stepped over. */
export interface PassedOver extends TopicPartition {
  /** Offset of the first record, visible or not; undefined where all records lay before the fetched offset. */
  readonly first: Position | undefined
  readonly next: Position
  readonly highWatermark: Position
}

interface DeliveryHost {
  /** Hands a batch over. Returns the offset to continue at; undefined where the consumer has ended. */
  readonly received: (batch: RecordBatch) => Position | undefined
  /** Makes the next fetch begin at this offset. */
  readonly seek: (topicPartition: TopicPartition, position: Position) => void
}

/**
 * Decides which fetches are handed over. A fetch that does not begin at the expected offset leads to a seek: it was
 * sent before the last join, or the client has lost its position.
 */
export class Delivery {
  readonly #host: DeliveryHost
  readonly #paused: Map<string, TopicPartition> = new Map()
  /**
   * Offsets that were fetched a second time, because the client had stepped over something that did not begin there.
   */
  readonly #sentBack: Map<string, Position> = new Map()
  /** Partitions of which nothing was delivered since the seek of `seekAll`. */
  readonly #sought: Set<string> = new Set()
  #assignment: Assignment = new Assignment([])

  constructor(host: DeliveryHost) {
    this.#host = host
  }

  get assignment(): Assignment {
    return this.#assignment
  }

  /** Begins an assignment. Fetches that arrived under an older one are dropped from now on. */
  begin(assignment: Assignment): void {
    this.#assignment = assignment
    this.#sentBack.clear()
    this.#sought.clear()
  }

  pause(topicPartitions: readonly TopicPartition[]): void {
    for (const { topic, partition } of topicPartitions)
      this.#paused.set(partitionName({ topic, partition }), { topic, partition })
  }

  resume(topicPartitions: readonly TopicPartition[]): void {
    for (const topicPartition of topicPartitions) this.#paused.delete(partitionName(topicPartition))
  }

  /** Expects this offset next, also where records after it were delivered before. */
  deliverFrom(topicPartition: TopicPartition, position: Position): void {
    if (!this.#assignment.owns(topicPartition)) return
    this.#assignment.expect(topicPartition, position)
    this.#host.seek(topicPartition, position)
  }

  /**
   * Makes fetches begin at the learned offsets. The client has begun somewhere else, and no batch shows that where none
   * arrives.
   */
  seekAll(): void {
    for (const topicPartition of this.#assignment.partitions) {
      const position = this.#assignment.expected(topicPartition)
      if (position === undefined) continue
      this.#sought.add(partitionName(topicPartition))
      this.#host.seek(topicPartition, position)
    }
  }

  /** Paused partitions, as far as they are owned. */
  get paused(): readonly TopicPartition[] {
    return [...this.#paused.values()].filter((topicPartition) => this.#assignment.owns(topicPartition))
  }

  /** Decides about a fetch that arrived under this assignment, whose offsets are known. */
  decide({ topic, partition, from }: Fetched, assignment: Assignment): FetchDecision {
    const topicPartition = { topic, partition }
    // an offset that is resolved after the next join would move the position that the join has set
    if (assignment !== this.#assignment || !this.#takes(topicPartition)) return DROP
    const expected = assignment.expected(topicPartition) ?? from
    return from === expected ? DELIVER : { action: 'seek', to: expected }
  }

  /** Hands over a batch for which `decide` has just returned `deliver`. */
  deliver(batch: RecordBatch): NextFetch {
    const assignment = this.#assignment
    const { topic, partition, from } = batch
    const topicPartition = { topic, partition }
    const next = this.#host.received(batch) ?? from
    assignment.expect(topicPartition, next)
    // a seek is pending for the partition: it would take the client back to its own offset
    const isSought = this.#sought.delete(partitionName(topicPartition))
    if (next === from) return DROP
    return !isSought && next > from && next <= batch.next
      ? { action: 'resolve', to: next }
      : { action: 'seek', to: next }
  }

  passedOver({ topic, partition, first, next, highWatermark }: PassedOver): void {
    const assignment = this.#assignment
    const topicPartition = { topic, partition }
    if (!assignment.owns(topicPartition) || !assignment.isKnown) return
    const expected = assignment.expected(topicPartition)
    const from = expected ?? first ?? next
    if (
      next < from ||
      !this.#takes(topicPartition) ||
      (expected !== undefined && !this.#beginsAt(topicPartition, expected, first, next))
    ) {
      return this.#host.seek(topicPartition, from)
    }
    const answer = this.#host.received({ ...topicPartition, records: [], from, next, highWatermark }) ?? from
    assignment.expect(topicPartition, answer)
    if (answer !== next) this.#host.seek(topicPartition, answer)
  }

  /**
   * After a gap, the client does not say which offset it fetched. When it has fetched from the expected one again, the
   * same fetch is right.
   */
  #beginsAt(topicPartition: TopicPartition, expected: Position, first: Position | undefined, next: Position): boolean {
    const name = partitionName(topicPartition)
    if (first === expected || (first === undefined && next === expected + 1) || this.#sentBack.get(name) === expected)
      return true
    this.#sentBack.set(name, expected)
    return false
  }

  #takes(topicPartition: TopicPartition): boolean {
    return this.#assignment.owns(topicPartition) && !this.#paused.has(partitionName(topicPartition))
  }
}

/** Partitions that one join assigned to this member, and the next expected offset of each. */
export class Assignment {
  readonly partitions: readonly TopicPartition[]
  /** Resolves when the offsets are known, or are not needed any more. Never rejects. */
  known: Promise<void> = Promise.resolve()
  isKnown = false
  readonly #names: ReadonlySet<string>
  #positions: Map<string, Position> = new Map()

  constructor(partitions: readonly TopicPartition[]) {
    this.partitions = partitions
    this.#names = new Set(partitions.map(partitionName))
  }

  owns(topicPartition: TopicPartition): boolean {
    return this.#names.has(partitionName(topicPartition))
  }

  learn(positions: Map<string, Position>): void {
    // expected offsets that were set while the others were read win
    for (const [name, position] of this.#positions) positions.set(name, position)
    this.#positions = positions
    this.isKnown = true
  }

  /** Next expected offset; undefined where any is right. */
  expected(topicPartition: TopicPartition): Position | undefined {
    return this.#positions.get(partitionName(topicPartition))
  }

  expect(topicPartition: TopicPartition, position: Position): void {
    this.#positions.set(partitionName(topicPartition), position)
  }
}
