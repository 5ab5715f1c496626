import type { Position } from '@keystamp/core'
import { partitionName, type RecordBatch, type TopicPartition } from './consumer-port.ts'

/** Fetch of one partition, and the offset at which it began. */
export interface Fetched extends TopicPartition {
  readonly from: Position
}

/**
 * Where the next fetch of a partition begins: at an offset within this fetch or directly after the fetch (`resolve`),
 * at any other offset (`seek`), or at the same offset again (`drop`).
 */
export type NextFetch =
  | { readonly action: 'drop' }
  | { readonly action: 'resolve'; readonly to: Position }
  | { readonly action: 'seek'; readonly to: Position }

/** Decision about a fetch. */
export type FetchDecision = { readonly action: 'deliver' } | NextFetch

const DROP: NextFetch = { action: 'drop' }
const DELIVER: FetchDecision = { action: 'deliver' }

/** Fetch without visible records. The client has already moved past it. */
export interface EmptyFetch extends TopicPartition {
  /** Offset of the first record, visible or not; undefined if all records lie before the fetched offset. */
  readonly first: Position | undefined
  readonly next: Position
  readonly highWatermark: Position
}

interface DeliveryListener {
  /** Delivers a batch to the listener. Returns the offset to continue at; undefined if the consumer has ended. */
  readonly received: (batch: RecordBatch) => Position | undefined
  /** Makes the next fetch begin at this offset. */
  readonly seek: (topicPartition: TopicPartition, position: Position) => void
}

/**
 * Decides which fetches are delivered. A fetch that does not begin at the expected offset leads to a seek: it was sent
 * before the last join, or the client has lost its position.
 */
export class Delivery {
  readonly #listener: DeliveryListener
  readonly #paused: Map<string, TopicPartition> = new Map()
  /** Offsets at which a fetch was repeated once. The fetch before had not begun at the expected offset. */
  readonly #sentBack: Map<string, Position> = new Map()
  /** Partitions without a delivery since the seek of `seekAll`. */
  readonly #sought: Set<string> = new Set()
  #assignment: Assignment = new Assignment([])

  constructor(listener: DeliveryListener) {
    this.#listener = listener
  }

  get assignment(): Assignment {
    return this.#assignment
  }

  /** Begins an assignment. From now on, drops fetches that arrived under an older one. */
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

  /** Expects this offset next, even if records after it were delivered before. */
  deliverFrom(topicPartition: TopicPartition, position: Position): void {
    if (!this.#assignment.owns(topicPartition)) return
    this.#assignment.expect(topicPartition, position)
    this.#listener.seek(topicPartition, position)
  }

  /**
   * Makes fetches begin at the learned offsets. The client may have begun at other offsets. If such a fetch returned no
   * batch, the wrong offset would not be noticed.
   */
  seekAll(): void {
    for (const topicPartition of this.#assignment.partitions) {
      const position = this.#assignment.expected(topicPartition)
      if (position === undefined) continue
      this.#sought.add(partitionName(topicPartition))
      this.#listener.seek(topicPartition, position)
    }
  }

  /** Paused partitions that are owned. */
  get paused(): readonly TopicPartition[] {
    return [...this.#paused.values()].filter((topicPartition) => this.#assignment.owns(topicPartition))
  }

  /** Decides about a fetch that arrived under this assignment. The offsets of the assignment must be known. */
  decide({ topic, partition, from }: Fetched, assignment: Assignment): FetchDecision {
    const topicPartition = { topic, partition }
    // an offset that is resolved after the next join would move the position that the join has set
    if (assignment !== this.#assignment || !this.#takes(topicPartition)) return DROP
    const expected = assignment.expected(topicPartition) ?? from
    return from === expected ? DELIVER : { action: 'seek', to: expected }
  }

  /** Delivers a batch for which `decide` has just returned `deliver`. */
  deliver(batch: RecordBatch): NextFetch {
    const assignment = this.#assignment
    const { topic, partition, from } = batch
    const topicPartition = { topic, partition }
    const next = this.#listener.received(batch) ?? from
    assignment.expect(topicPartition, next)
    // a pending seek of `seekAll` would take the client back to the learned offset, so this needs another seek
    const isSought = this.#sought.delete(partitionName(topicPartition))
    if (next === from) return DROP
    return !isSought && next > from && next <= batch.next
      ? { action: 'resolve', to: next }
      : { action: 'seek', to: next }
  }

  emptyFetch({ topic, partition, first, next, highWatermark }: EmptyFetch): void {
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
      return this.#listener.seek(topicPartition, from)
    }
    const answer = this.#listener.received({ ...topicPartition, records: [], from, next, highWatermark }) ?? from
    assignment.expect(topicPartition, answer)
    if (answer !== next) this.#listener.seek(topicPartition, answer)
  }

  /**
   * Whether the fetch began at the expected offset. After a gap, the client does not report at which offset it fetched:
   * the fetch is repeated once at the expected offset, and is accepted if the result is the same.
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
  /** Resolves when the offsets are known or no longer needed. Never rejects. */
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
    // offsets that were set while the others were read take precedence
    for (const [name, position] of this.#positions) positions.set(name, position)
    this.#positions = positions
    this.isKnown = true
  }

  /** Next expected offset; undefined if any offset is right. */
  expected(topicPartition: TopicPartition): Position | undefined {
    return this.#positions.get(partitionName(topicPartition))
  }

  expect(topicPartition: TopicPartition, position: Position): void {
    this.#positions.set(partitionName(topicPartition), position)
  }
}
