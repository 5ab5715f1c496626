import type { Position } from '@keystamp/core'
import { partitionName, type RecordBatch, type TopicPartition } from './consumer-port.ts'

/** What a fetch brought, before it is known whether it is what should come next. */
export interface Fetched extends TopicPartition {
  readonly from: Position
  readonly toBatch: () => RecordBatch
  /** Says where the next fetch begins, if within this one; otherwise the same comes again. */
  readonly goOnFrom: (position: Position) => void
}

/** A fetch of which nothing can be seen: the client has stepped over it. */
export interface PassedOver extends TopicPartition {
  /** The first record that is there, seen or not; undefined where all lay before the position. */
  readonly first: Position | undefined
  readonly next: Position
  readonly highWatermark: Position
}

interface DeliveryHost {
  /** Hands over; undefined where nothing more is taken. */
  readonly received: (batch: RecordBatch) => Position | undefined
  /** Lets the next fetch begin elsewhere. */
  readonly seek: (place: TopicPartition, position: Position) => void
}

/**
 * Decides what is handed over. A batch that does not begin where it should is answered by a seek: it was asked for before the last
 * join, or the client has lost its place.
 */
export class Delivery {
  readonly #host: DeliveryHost
  readonly #paused: Map<string, TopicPartition> = new Map()
  /** Where fetches were sent back to, since what they stepped over did not begin there. */
  readonly #sentBack: Map<string, Position> = new Map()
  /** Partitions with a seek of `seekAll` of which nothing was delivered since. */
  readonly #sought: Set<string> = new Set()
  #assignment: Assignment = new Assignment([])

  constructor(host: DeliveryHost) {
    this.#host = host
  }

  get assignment(): Assignment {
    return this.#assignment
  }

  /** Everything that was fetched under an older assignment is void from now on. */
  begin(assignment: Assignment): void {
    this.#assignment = assignment
    this.#sentBack.clear()
    this.#sought.clear()
  }

  pause(places: readonly TopicPartition[]): void {
    for (const { topic, partition } of places) this.#paused.set(partitionName({ topic, partition }), { topic, partition })
  }

  resume(places: readonly TopicPartition[]): void {
    for (const place of places) this.#paused.delete(partitionName(place))
  }

  /** What was fetched from another position does not begin where it should from now on. */
  deliverFrom(place: TopicPartition, position: Position): void {
    if (!this.#assignment.owns(place)) return
    this.#assignment.expect(place, position)
    this.#host.seek(place, position)
  }

  /** Lets fetches begin at the learned positions: the client has begun somewhere, and where nothing comes no batch shows that. */
  seekAll(): void {
    for (const place of this.#assignment.partitions) {
      const position = this.#assignment.expected(place)
      if (position === undefined) continue
      this.#sought.add(partitionName(place))
      this.#host.seek(place, position)
    }
  }

  /** Of the partitions that are owned. */
  get paused(): readonly TopicPartition[] {
    return [...this.#paused.values()].filter((place) => this.#assignment.owns(place))
  }

  /** Answers with a promise only where it is not known yet what should come. */
  fetched(fetched: Fetched): Promise<void> | undefined {
    const assignment = this.#assignment
    if (!assignment.isKnown) return assignment.known.then(() => this.#take(fetched, assignment))
    this.#take(fetched, assignment)
    return undefined
  }

  #take({ topic, partition, from, toBatch, goOnFrom }: Fetched, assignment: Assignment): void {
    const place = { topic, partition }
    // what is resolved from before a join would move the position that the join has set
    if (assignment !== this.#assignment || !this.#takes(place)) return
    const expected = assignment.expected(place) ?? from
    if (from !== expected) return this.#host.seek(place, expected)
    const batch = toBatch()
    const next = this.#host.received(batch) ?? from
    assignment.expect(place, next)
    // the seek would take the client back
    const isSought = this.#sought.delete(partitionName(place))
    if (!isSought && next > from && next <= batch.next) goOnFrom(next)
    else if (next !== from) this.#host.seek(place, next)
  }

  passedOver({ topic, partition, first, next, highWatermark }: PassedOver): void {
    const assignment = this.#assignment
    const place = { topic, partition }
    if (!assignment.owns(place) || !assignment.isKnown) return
    const expected = assignment.expected(place)
    const from = expected ?? first ?? next
    if (next < from || !this.#takes(place) || (expected !== undefined && !this.#beginsAt(place, expected, first, next))) {
      return this.#host.seek(place, from)
    }
    const answer = this.#host.received({ ...place, records: [], from, next, highWatermark }) ?? from
    assignment.expect(place, answer)
    if (answer !== next) this.#host.seek(place, answer)
  }

  /** Where a gap stands before it, the client does not say what it asked for: asked once more from there, it is what comes next. */
  #beginsAt(place: TopicPartition, expected: Position, first: Position | undefined, next: Position): boolean {
    const name = partitionName(place)
    if (first === expected || (first === undefined && next === expected + 1) || this.#sentBack.get(name) === expected) return true
    this.#sentBack.set(name, expected)
    return false
  }

  #takes(place: TopicPartition): boolean {
    return this.#assignment.owns(place) && !this.#paused.has(partitionName(place))
  }
}

/** What one join gave this member: its partitions, and of each the position that is to come next. */
export class Assignment {
  readonly partitions: readonly TopicPartition[]
  /** Settled when the positions are known; rejected never. */
  known: Promise<void> = Promise.resolve()
  isKnown = false
  readonly #names: ReadonlySet<string>
  #positions: Map<string, Position> = new Map()

  constructor(partitions: readonly TopicPartition[]) {
    this.partitions = partitions
    this.#names = new Set(partitions.map(partitionName))
  }

  owns(place: TopicPartition): boolean {
    return this.#names.has(partitionName(place))
  }

  learn(positions: Map<string, Position>): void {
    // set while they were asked for
    for (const [name, position] of this.#positions) positions.set(name, position)
    this.#positions = positions
    this.isKnown = true
  }

  /** Undefined where whatever comes is right. */
  expected(place: TopicPartition): Position | undefined {
    return this.#positions.get(partitionName(place))
  }

  expect(place: TopicPartition, position: Position): void {
    this.#positions.set(partitionName(place), position)
  }
}
