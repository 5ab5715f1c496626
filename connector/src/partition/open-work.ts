import { partitionName, type TopicPartition } from '../kafka/consumer-port.ts'
import type { PartitionFlow } from './partition-flow.ts'

type Flow = TopicPartition & Pick<PartitionFlow, 'openCount' | 'oldestOpen'>

/** Records in flight of all partitions: taken, and without an outcome. */
export class OpenWork {
  readonly #flows: () => Iterable<Flow>
  #done: (() => void) | undefined
  /** Records that stopped the sink: they get no outcome. */
  #refused = 0

  constructor(flows: () => Iterable<Flow>) {
    this.#flows = flows
  }

  get count(): number {
    let count = 0
    for (const { openCount } of this.#flows()) count += openCount
    return count
  }

  /** Oldest record of one partition, named by topic, partition and offset. */
  get oldest(): string | undefined {
    for (const flow of this.#flows()) if (flow.oldestOpen !== undefined) return `${partitionName(flow)} at offset ${flow.oldestOpen}`
    return undefined
  }

  /** A record was rejected that stops the sink: it gets no outcome. */
  refused(): void {
    this.#refused++
    this.settled()
  }

  /** Resolves when only the records that stopped the sink are in flight, or after `giveUp`. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve
      this.settled()
    })
  }

  /** A record has its outcome, or its partition was lost. */
  settled(): void {
    if (this.#done !== undefined && this.count <= this.#refused) this.#done()
  }

  giveUp(): void {
    this.#done?.()
  }
}
