import { KeystampError, type Position, toPosition } from '@keystamp/core'
import {
  type Commit,
  type Committed,
  type Consumer,
  type ConsumerListener,
  partitionName,
  type SinkRecord,
  type TopicPartition
} from '../../src/kafka/consumer-port.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A topic and its consumer group, which simulates everything that a broker may do to members. */
export class SimulatedGroup {
  readonly topic = 'things'
  readonly logs: SinkRecord[][]
  readonly committed: Map<string, Committed> = new Map()
  /** Called for each offset that is stored. */
  onCommit: (commit: Commit) => void = () => undefined
  readonly #clock: VirtualClock
  readonly #random: () => number
  readonly #members: Set<Member> = new Set()
  readonly #missShare: number
  /** Number of generations that a member missed. */
  missed = 0
  #generation = 0

  constructor(clock: VirtualClock, random: () => number, partitions: number, missShare: number) {
    this.#missShare = missShare
    this.#clock = clock
    this.#random = random
    this.logs = Array.from({ length: partitions }, () => [])
  }

  /** Appends a record; sometimes after a gap, as compaction and control records leave. */
  append(partition: number, key: string, value: string | null): SinkRecord {
    const log = this.logs[partition]
    const last = log.at(-1)?.offset ?? -1
    const record: SinkRecord = {
      topic: this.topic,
      partition,
      offset: toPosition(last + (this.#random() < 0.05 ? 3 : 1)),
      timestamp: '1700000000000',
      key: Buffer.from(key),
      value: value === null ? null : Buffer.from(value),
      headers: {}
    }
    log.push(record)
    return record
  }

  createConsumer(): Member {
    return new Member(this, this.#clock, this.#random)
  }

  join(member: Member): void {
    this.#members.add(member)
    this.rebalance()
  }

  leave(member: Member): void {
    if (this.#members.delete(member)) this.rebalance()
  }

  /**
   * Assigns the partitions. Members get their assignment one after the other, within a few milliseconds. A member may
   * be suspended between JoinGroup and SyncGroup: then the generation is formed without it, and it takes part in a
   * later one.
   */
  rebalance(): void {
    const generation = ++this.#generation
    const members = [...this.#members].toSorted(() => this.#random() - 0.5)
    for (const member of members) member.forget()
    const missing = members.length > 1 && this.#random() < this.#missShare ? members[0] : undefined
    for (const [index, member] of members.entries()) {
      if (member === missing) continue
      const owned = this.logs
        .map((_, partition) => partition)
        .filter((partition) => partition % members.length === index)
      this.#clock.schedule(this.#random() * 5, () => {
        if (generation === this.#generation) member.receive(generation, owned)
      })
    }
    if (missing === undefined) return
    this.missed++
    missing.miss()
    this.#clock.schedule(20 + this.#random() * 300, () => {
      if (generation === this.#generation) this.rebalance()
    })
  }

  isCurrent(member: Member, generation: number): boolean {
    return this.#members.has(member) && generation === this.#generation
  }
}

/** Consumer of one member of the group. */
export class Member implements Consumer {
  readonly resumeDelayMs = 20
  readonly sessionTimeoutMs = 1000
  readonly #group: SimulatedGroup
  readonly #clock: VirtualClock
  readonly #random: () => number
  readonly #paused: Set<string> = new Set()
  #listener: ConsumerListener | undefined
  #positions: Map<number, Position> = new Map()
  #generation = 0
  #isDead = false
  #hasJoined = false
  #mustLose = false
  #cancel: (() => void) | undefined

  constructor(group: SimulatedGroup, clock: VirtualClock, random: () => number) {
    this.#group = group
    this.#clock = clock
    this.#random = random
  }

  get lastHeartbeatMs(): number {
    return this.#clock.now()
  }

  start = (listener: ConsumerListener): Promise<void> => {
    this.#listener = listener
    this.#group.join(this)
    this.#fetchSoon()
    return Promise.resolve()
  }

  stop = (): Promise<void> => {
    this.kill()
    this.#group.leave(this)
    return Promise.resolve()
  }

  /** Ends the process without notice to the group. */
  kill(): void {
    this.#isDead = true
    this.#cancel?.()
  }

  pause = (partitions: readonly TopicPartition[]): void => {
    for (const topicPartition of partitions) this.#paused.add(partitionName(topicPartition))
  }

  resume = (partitions: readonly TopicPartition[]): void => {
    for (const topicPartition of partitions) this.#paused.delete(partitionName(topicPartition))
  }

  deliverFrom = ({ partition }: TopicPartition, position: Position): void => {
    if (this.#positions.has(partition)) this.#positions.set(partition, position)
  }

  commit = async (commits: readonly Commit[]): Promise<readonly Commit[]> => {
    const generation = this.#generation
    await this.#wait(3)
    if (this.#isDead || !this.#group.isCurrent(this, generation) || this.#random() < 0.05) {
      throw new KeystampError('KAFKA_UNAVAILABLE', 'The group is in a rebalance.')
    }
    for (const commit of commits) {
      this.#group.onCommit(commit)
      this.#group.committed.set(partitionName(commit), commit)
    }
    if (this.#random() < 0.03) throw new KeystampError('KAFKA_UNAVAILABLE', 'The answer was lost.')
    return commits
  }

  committed = async (partitions: readonly TopicPartition[]): Promise<readonly Committed[]> => {
    await this.#wait(this.#random() < 0.1 ? 80 : 5)
    if (this.#random() < 0.05) throw new KeystampError('KAFKA_UNAVAILABLE', 'The coordinator does not answer.')
    return partitions.map(
      (topicPartition) =>
        this.#group.committed.get(partitionName(topicPartition)) ?? {
          ...topicPartition,
          position: undefined,
          metadata: ''
        }
    )
  }

  ends = (): Promise<ReadonlyMap<string, Position>> => Promise.resolve(new Map())

  countPartitions = (): Promise<number> => Promise.resolve(this.#group.logs.length)

  /** A rebalance has begun: nothing is delivered until it is over. */
  forget(): void {
    this.#positions = new Map()
    if (!this.#isDead && this.#hasJoined) this.#listener!.rebalancing()
  }

  /**
   * A generation was formed without this member. In some cases the member notices, and reports a loss of all partitions
   * before its next assignment.
   */
  miss(): void {
    this.#mustLose ||= this.#random() < 0.3
  }

  receive(generation: number, owned: readonly number[]): void {
    if (this.#isDead) return
    this.#hasJoined = true
    if (this.#mustLose) this.#listener!.assigned([])
    this.#mustLose = false
    this.#generation = generation
    const { topic, committed } = this.#group
    // after every join, all records after the committed offset are delivered again
    this.#positions = new Map(
      owned.map((partition) => [partition, committed.get(`${topic}/${partition}`)?.position ?? toPosition(0)])
    )
    this.#listener!.assigned(owned.map((partition) => ({ topic, partition })))
    const fresh = owned.filter((partition) => !committed.has(`${topic}/${partition}`))
    if (fresh.length === 0) return
    this.#clock.schedule(this.#random() * 5, () => {
      if (this.#isDead || generation !== this.#generation || this.#positions.size === 0) return
      this.#listener!.learned(fresh.map((partition) => ({ topic, partition, position: toPosition(0) })))
    })
  }

  #fetchSoon(): void {
    this.#cancel = this.#clock.schedule(1 + this.#random() * 10, () => {
      this.#fetch()
      this.#fetchSoon()
    })
  }

  #fetch(): void {
    for (const [partition, from] of this.#positions) {
      const { topic, logs } = this.#group
      if (this.#paused.has(`${topic}/${partition}`)) continue
      const log = logs[partition]
      const records = log.filter(({ offset }) => offset >= from).slice(0, 1 + Math.floor(this.#random() * 20))
      if (records.length === 0) continue
      const next = toPosition(records.at(-1)!.offset + 1)
      const highWatermark = toPosition(log.at(-1)!.offset + 1)
      this.#positions.set(partition, this.#listener!.received({ topic, partition, records, from, next, highWatermark }))
    }
  }

  #wait(maxMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.schedule(this.#random() * maxMs, resolve)
    })
  }
}
