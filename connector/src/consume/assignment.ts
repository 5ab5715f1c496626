import type { Position } from '@keystamp/core'
import { partitionName, type TopicPartition } from './consumer-port.ts'

/** What one join gave this member: its partitions, and of each the position that is to come next. */
export class Assignment {
  readonly partitions: readonly TopicPartition[]
  /** Settled when the positions are known; rejected never. */
  known: Promise<void> = Promise.resolve()
  isKnown = false
  readonly #names: ReadonlySet<string>
  readonly #forgotten: Set<string> = new Set()
  #positions: Map<string, Position> = new Map()

  constructor(partitions: readonly TopicPartition[]) {
    this.partitions = partitions
    this.#names = new Set(partitions.map(partitionName))
  }

  owns(place: TopicPartition): boolean {
    return this.#names.has(partitionName(place))
  }

  learn(positions: Map<string, Position>): void {
    // lost while they were asked for
    for (const name of this.#forgotten) positions.delete(name)
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

  /** Whatever comes next is right: there is nothing where the position lay. */
  forget(place: TopicPartition): void {
    this.#positions.delete(partitionName(place))
    this.#forgotten.add(partitionName(place))
  }
}
