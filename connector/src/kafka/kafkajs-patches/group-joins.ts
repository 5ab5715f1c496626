import { type Assigner, type Broker, type PartitionAssigner, PartitionAssigners } from 'kafkajs'
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js'
import { byTopic, type Commit, type TopicPartition } from '../consumer-port.ts'
import { type HeartbeatOptions, heartbeatWhile } from '../member-events.ts'
import { toKafkaFailure } from '../kafka-errors.ts'
import { askCoordinator, connectedCoordinator } from './group-coordinator.ts'

/** Result of a join: the partitions of one generation of the group. */
export interface Joined {
  readonly memberId: string
  readonly partitions: readonly TopicPartition[]
  /**
   * Number of JoinGroup requests since the previous join. If there was more than one, the group may have formed a
   * generation that this member never learned of.
   */
  readonly joinRequests: number
}

export interface GroupJoinsListener {
  /** Partitions may move from now on. Called before the JoinGroup request is sent. */
  readonly rebalancing: () => void
  readonly joined: (joined: Joined) => void
  /** The offset of a fetch is out of range. The next fetch waits until the promise resolves. */
  readonly outOfRange: (topicPartition: TopicPartition) => Promise<void>
}

/** Generation of the group in which offsets are committed. */
interface Generation {
  readonly id: number
  readonly memberId: string
  readonly group: ConsumerGroup
}

/**
 * Follows the joins of one kafkajs consumer, and commits in the generation of the last one.
 *
 * kafkajs retries a join internally and reports only its end. When kafkajs retries a commit, the new request carries
 * the generation of that moment. Both hide that a partition may have belonged to another member in between.
 * `followConsumerGroups` replaces the methods of kafkajs that this class needs to see.
 */
export class GroupJoins {
  #listener: GroupJoinsListener | undefined
  #generation: Generation | undefined
  #isRebalancing = true
  #joinRequests = 0
  /** Joins under way: fetches from two brokers can each begin one. */
  #running = 0
  #isTrusted = true
  #mustJoinAgain = false

  readonly #waiting: Omit<HeartbeatOptions, 'heartbeat'>

  /** `waiting` sets how often a heartbeat is sent while a fetch waits. */
  constructor(waiting: Omit<HeartbeatOptions, 'heartbeat'>) {
    this.#waiting = waiting
  }

  /** Assigns partitions round-robin. kafkajs calls `protocol` directly before each JoinGroup request. */
  readonly assigner: PartitionAssigner = (config) => {
    const roundRobin = PartitionAssigners.roundRobin(config)
    const assigner: Assigner = {
      ...roundRobin,
      protocol: (subscription) => {
        this.#joinRequests++
        this.rebalancing()
        return roundRobin.protocol(subscription)
      }
    }
    followed.set(assigner, this)
    return assigner
  }

  /** Whether a join is under way. */
  get isJoining(): boolean {
    return this.#running > 0
  }

  listen(listener: GroupJoinsListener): void {
    this.#listener = listener
  }

  /** A rebalance has begun. Until the join that ends the rebalance, there is no generation to commit in. */
  rebalancing(): void {
    this.#generation = undefined
    if (this.#isRebalancing) return
    this.#isRebalancing = true
    this.#listener?.rebalancing()
  }

  /**
   * Commits in the generation of the last join. Sends nothing and returns false while there is no generation, or if a
   * rebalance begins before kafkajs gets the request. A request that is sent late or twice still names its generation.
   */
  async commit(commits: readonly Commit[]): Promise<boolean> {
    const generation = this.#generation
    if (generation === undefined) return false
    const { group, id, memberId } = generation
    const topics = [...byTopic(commits)].map(([topic, all]) => ({
      topic,
      partitions: all.map(({ partition, position, metadata }) => ({ partition, offset: String(position), metadata }))
    }))
    const isSent = await this.#ask(group, async (coordinator) => {
      await coordinator.offsetCommit({ groupId: group.groupId, groupGenerationId: id, memberId, topics })
      return true
    })
    return isSent ?? false
  }

  /** `send` does nothing unless a heartbeat is due. */
  async heartbeat(group: ConsumerGroup, send: () => Promise<void>): Promise<void> {
    await this.#ask(group, send)
  }

  /** Sends a request to the coordinator while the generation lasts, even if the coordinator has moved. */
  #ask<Answer>(group: ConsumerGroup, send: (coordinator: Broker) => Promise<Answer>): Promise<Answer | undefined> {
    const generation = this.#generation
    return this.asMember(() => askCoordinator(group, { send, isCurrent: () => generation === this.#generation }))
  }

  /**
   * Sends a request that names the generation. If the coordinator answers that this generation is over, begins the
   * rebalance and makes the member join again. kafkajs alone would wait for its running handlers first, and would not
   * see the answer to a commit.
   */
  async asMember<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const generation = this.#generation
    try {
      return await request()
    } catch (error) {
      if (
        generation !== undefined &&
        generation === this.#generation &&
        toKafkaFailure(error, 'as a member').isMembership
      ) {
        this.#mustJoinAgain = true
        this.rebalancing()
      }
      throw error
    }
  }

  async followJoin(group: ConsumerGroup, joinAndSync: () => Promise<void>): Promise<void> {
    this.rebalancing()
    if (++this.#running > 1) this.#isTrusted = false
    try {
      await joinAndSync()
    } catch (error) {
      this.#isTrusted = false
      throw error
    } finally {
      if (--this.#running === 0) this.#ended(group)
    }
  }

  /**
   * Makes the member join again if its generation is over or a join failed: throws an error that kafkajs takes for a
   * rebalance. After a failed join, kafkajs would otherwise continue with the former assignment, although its request
   * may have reached the group.
   */
  beforeFetch(): void {
    if (!this.#mustJoinAgain) return
    throw Object.assign(new Error('The generation of the group is over, or a join did not complete.'), {
      type: 'REBALANCE_IN_PROGRESS',
      retriable: true
    })
  }

  /**
   * Sends heartbeats while a fetch waits for offsets or for its next position, so that the member stays in its group.
   */
  whileFetching<Result>(group: ConsumerGroup, fetching: Promise<Result>): Promise<Result> {
    const interval = this.#waiting.everyMs
    // `asMember` handles an error of the heartbeat: `beforeFetch` then ends the next fetch
    const heartbeat = (): Promise<void> => group.heartbeat({ interval }).catch(() => undefined)
    return heartbeatWhile(fetching, { ...this.#waiting, heartbeat })
  }

  async outOfRange(topicPartition: TopicPartition): Promise<void> {
    await this.#listener?.outOfRange(topicPartition)
  }

  #ended(group: ConsumerGroup): void {
    this.#mustJoinAgain = !this.#isTrusted
    this.#isTrusted = true
    if (this.#mustJoinAgain) return
    const joinRequests = this.#joinRequests
    const { generationId } = group
    const memberId = group.memberId!
    this.#joinRequests = 0
    this.#isRebalancing = false
    this.#generation = { id: generationId, memberId, group }
    const partitions = group
      .assigned()
      .flatMap(({ topic, partitions: all }) => all.map((partition) => ({ topic, partition })))
    this.#listener?.joined({ memberId, partitions, joinRequests })
  }
}

/** Instances by their assigner, which is the only object that a consumer group of kafkajs and this class share. */
const followed = new WeakMap<object, GroupJoins>()

/** Replaces methods of all consumer groups of the process. Groups with other assigners behave as before. */
export function followConsumerGroups(): void {
  const { prototype } = ConsumerGroup
  const { fetch, heartbeat, joinAndSync, leave, recoverFromOffsetOutOfRange } = prototype
  prototype.joinAndSync = function followedJoin() {
    const joins = followed.get(this.assigners[0])
    return joins === undefined ? joinAndSync.call(this) : joins.followJoin(this, () => joinAndSync.call(this))
  }
  prototype.heartbeat = function followedHeartbeat(options) {
    const joins = followed.get(this.assigners[0])
    const send = (): Promise<void> => heartbeat.call(this, options)
    // a member that has left needs no coordinator
    return joins === undefined || this.memberId === null ? send() : joins.heartbeat(this, send)
  }
  // kafkajs also calls this after a crash, before it emits the event for the crash
  prototype.leave = async function followedLeave() {
    const joins = followed.get(this.assigners[0])
    joins?.rebalancing()
    if (joins !== undefined && this.memberId !== null) await connectedCoordinator(this)
    return leave.call(this)
  }
  prototype.fetch = async function followedFetch(nodeId) {
    const joins = followed.get(this.assigners[0])
    joins?.beforeFetch()
    const fetching = fetch.call(this, nodeId)
    return joins === undefined ? fetching : joins.whileFetching(this, fetching)
  }
  // kafkajs itself would commit -1 or -2 here, without metadata and outside of `commit`
  prototype.recoverFromOffsetOutOfRange = function followedOutOfRange(error) {
    const joins = followed.get(this.assigners[0])
    if (joins === undefined) return recoverFromOffsetOutOfRange.call(this, error)
    return joins.outOfRange({ topic: error.topic, partition: error.partition })
  }
}
