import { partitionName, type TopicPartition } from '../kafka/consumer-port.ts'
import type { PartitionFlow } from './partition-flow.ts'

type Flow = TopicPartition & Pick<PartitionFlow, 'openCount' | 'oldestOpen'>

/** What was taken and has no outcome yet, over all partitions. */
export class OpenWork {
  readonly #flows: () => Iterable<Flow>
  #done: (() => void) | undefined
  /** Records that stopped the sink: they stay open. */
  #refused = 0

  constructor(flows: () => Iterable<Flow>) {
    this.#flows = flows
  }

  get count(): number {
    let count = 0
    for (const { openCount } of this.#flows()) count += openCount
    return count
  }

  /** A record that waits longest in its partition, named by topic, partition and offset. */
  get oldest(): string | undefined {
    for (const flow of this.#flows()) if (flow.oldestOpen !== undefined) return `${partitionName(flow)} at offset ${flow.oldestOpen}`
    return undefined
  }

  /** A record was rejected that stops the sink: it gets no outcome. */
  refused(): void {
    this.#refused++
    this.settled()
  }

  /** Resolves when nothing is open any more but the records that stopped the sink, or when it is given up. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve
      this.settled()
    })
  }

  /** Something has its outcome. */
  settled(): void {
    if (this.#done !== undefined && this.count <= this.#refused) this.#done()
  }

  giveUp(): void {
    this.#done?.()
  }
}
