import { isKeystampError } from '@keystamp/core'
import { type Consumer, partitionName } from '../kafka/consumer-port.ts'
import { writeMetadata } from '../kafka/commit-metadata.ts'
import type { PartitionFlow } from './partition-flow.ts'

export interface StartCommitsOptions {
  readonly consumer: Pick<Consumer, 'commit'>
  /** Name of this process in the metadata of its commits. */
  readonly self: string
  /** Whether the container of this topic is open. */
  readonly isOpen: (topic: string) => boolean
  /** A commit failed. */
  readonly onTrouble: (error: Error) => void
}

/**
 * Stores where partitions begin that have no stored offset and cannot be claimed yet, since their container is not open. Otherwise the next
 * owner would begin at the latest record again, after records that arrived meanwhile. Nothing was written, hence no handover period.
 */
export class StartCommits {
  /** Settles with the request that is under way: it would replace a claim that overtakes it. */
  stored: Promise<unknown> = Promise.resolve()
  readonly #options: StartCommitsOptions

  constructor(options: StartCommitsOptions) {
    this.#options = options
  }

  /** Whether one of the partitions has a start that the group does not store. */
  isUnstored(flows: Iterable<PartitionFlow>): boolean {
    return this.#unstoredOf(flows).length > 0
  }

  /** Sends one commit. Answers whether Kafka refused the credentials; does not throw. */
  store(flows: Iterable<PartitionFlow>): Promise<boolean> {
    const storing = this.#commit(this.#unstoredOf(flows))
    this.stored = storing
    return storing
  }

  #unstoredOf(flows: Iterable<PartitionFlow>): readonly PartitionFlow[] {
    return [...flows].filter(
      ({ isReady, expected, committed, topic }) =>
        !isReady && expected !== undefined && committed === undefined && !this.#options.isOpen(topic)
    )
  }

  async #commit(flows: readonly PartitionFlow[]): Promise<boolean> {
    const { consumer, self, onTrouble } = this.#options
    const byName = new Map(flows.map((flow) => [partitionName(flow), flow]))
    const commits = flows.map(({ topic, partition, committable, initialPartitions }) => ({
      topic,
      partition,
      position: committable!,
      metadata: writeMetadata({ plan: undefined, by: self, hasLeft: true, partitions: initialPartitions })
    }))
    try {
      for (const commit of await consumer.commit(commits)) byName.get(partitionName(commit))!.committed = commit.position
      return false
    } catch (error) {
      onTrouble(error as Error)
      return hasRefusedCredentials(error)
    }
  }
}

/** Whether Kafka refused the credentials. */
export function hasRefusedCredentials(error: unknown): boolean {
  return isKeystampError(error) && error.code === 'KAFKA_UNAUTHORIZED'
}
