import type { Position } from '@keystamp/core'
import { partitionName, type TopicPartition } from './consumer-port.ts'

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
