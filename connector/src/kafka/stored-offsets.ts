import { KeystampError, type Position } from '@keystamp/core'
import type { Admin } from 'kafkajs'
import type { KafkaSettings } from '../config/settings.ts'
import { type Clock, withTimeout } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'
import { type Commit, type Committed, type OutOfRange, partitionName, type TopicPartition } from './consumer-port.ts'
import { findStartPositions, type StartPositions } from './start-positions.ts'

export interface StoredOffsetsOptions {
  readonly settings: Pick<KafkaSettings, 'group' | 'from' | 'lostOffsets'>
  /** The admin that is connected now. */
  readonly admin: () => Pick<Admin, 'fetchOffsets' | 'fetchTopicOffsets' | 'fetchTopicOffsetsByTimestamp'>
  readonly clock: Clock
  readonly log: Pick<Log, 'warn'>
  /** Continues a partition at `range.to`, or at the offset that the listener returns. */
  readonly move: (range: OutOfRange) => void
  readonly fail: (error: Error) => void
}

/** Offsets at which a generation begins. */
export interface FoundOffsets extends StartPositions {
  /** Partitions whose stored offset the group has lost. */
  readonly gone: readonly OutOfRange[]
}

/**
 * Remembers for which partitions the group stores an offset, and checks at intervals whether the offset is still
 * stored. Kafka deletes the offsets of a topic with the topic. If the topic is created again at once, fetches continue
 * at the old offset, the records before it are skipped, and the next commit hides the loss; hence the check before a
 * commit.
 */
export class StoredOffsets {
  readonly #options: StoredOffsetsOptions
  /** By `partitionName`. */
  readonly #known: Map<string, Position> = new Map()
  /** First offsets that the group has not stored yet, by `partitionName`. */
  readonly #learned: Map<string, Position> = new Map()
  /** Partitions that are not committed any more, since the sink stops. */
  readonly #abandoned: Set<string> = new Set()
  #lookedMs = Number.NEGATIVE_INFINITY
  /** Request that is in flight. Commits wait for it, so that they stay in order. */
  #looking: Promise<boolean> | undefined
  #round = 0

  constructor(options: StoredOffsetsOptions) {
    this.#options = options
  }

  /** Called when the group has stored these commits. */
  stored(commits: readonly Commit[]): void {
    for (const commit of commits) {
      this.#known.set(partitionName(commit), commit.position)
      this.#learned.delete(partitionName(commit))
    }
  }

  /** Compares with stored offsets that another request has read. If one is missing, checks before the next commit. */
  update(committed: readonly Committed[]): void {
    const isGone = committed.some(
      (topicPartition) => topicPartition.position === undefined && this.#known.has(partitionName(topicPartition))
    )
    if (isGone) this.#lookedMs = Number.NEGATIVE_INFINITY
  }

  mayCommit(topicPartition: TopicPartition): boolean {
    return !this.#abandoned.has(partitionName(topicPartition))
  }

  /** Finds where the partitions begin, and which of their stored offsets are gone. */
  async find(partitions: readonly TopicPartition[]): Promise<FoundOffsets> {
    const { settings, clock, admin } = this.#options
    this.#lookedMs = clock.now()
    // the answer may lack an offset that is committed during this request
    const known = new Map(this.#known)
    const found = await findStartPositions(admin(), settings, partitions, this.#learned)
    const { positions } = found
    const starts: StartPositions['starts'][number][] = []
    const gone: OutOfRange[] = []
    for (const start of found.starts) {
      const from = known.get(partitionName(start))
      if (from === undefined) {
        starts.push(start)
        continue
      }
      const { position: _, ...topicPartition } = start
      const to = settings.lostOffsets === 'latest' ? topicPartition.high : topicPartition.low
      gone.push({ ...topicPartition, from, to, isRecreated: true })
      positions.set(partitionName(start), to)
      this.#learned.delete(partitionName(start))
    }
    const missing = new Set(found.starts.map(partitionName))
    for (const [name, position] of positions) if (!missing.has(name)) this.#known.set(name, position)
    return { positions, starts, gone }
  }

  /**
   * Continues at the new offset if a topic was created again, or fails, as configured. Returns whether an offset is
   * gone.
   */
  take({ gone }: Pick<FoundOffsets, 'gone'>): boolean {
    const { settings, log, move, fail } = this.#options
    for (const range of gone) {
      const { topic, partition, from, to, low, high } = range
      const where =
        `Topic "${topic}", partition ${partition}: the group does not store its offset ${from} any more, as happens when the topic is deleted and ` +
        `created again (it has offsets ${low} to ${high})`
      if (settings.lostOffsets === 'stop') {
        for (const topicPartition of gone) this.#abandoned.add(partitionName(topicPartition))
        fail(new KeystampError('OFFSETS_LOST', `${where}.`))
        return true
      }
      this.#known.delete(partitionName(range))
      move(range)
      log.warn(
        { code: 'OFFSETS_LOST', topic, partition, from, to },
        `${where}. Reading continues at offset ${to} (\`kafka.lostOffsets: ${settings.lostOffsets}\`).`
      )
    }
    return gone.length > 0
  }

  /** Checks before a commit, at most once a second. Returns whether an offset is gone. */
  beforeCommit(partitions: readonly TopicPartition[], isCurrent: () => boolean): Promise<boolean> | false {
    if (this.#looking !== undefined) return this.#looking
    return this.#options.clock.now() - this.#lookedMs >= EVERY_MS && this.look(partitions, isCurrent)
  }

  /** Reads the stored offsets. A commit waits for the answer up to `MAX_MS`. */
  look(partitions: readonly TopicPartition[], isCurrent: () => boolean): Promise<boolean> {
    const round = ++this.#round
    const isGone = this.#ask(
      partitions,
      () => round === this.#round && this.#looking !== undefined && isCurrent()
    ).finally(() => {
      if (round === this.#round) this.#looking = undefined
    })
    this.#looking = isGone
    return isGone
  }

  async #ask(partitions: readonly TopicPartition[], isCurrent: () => boolean): Promise<boolean> {
    let isGone = false
    const asked = this.find(partitions).then(
      (found) => {
        isGone = isCurrent() && this.take(found)
        return undefined
      },
      // a failed request is repeated before the next commit
      () => undefined
    )
    await withTimeout(asked, MAX_MS, this.#options.clock)
    return isGone
  }
}

/**
 * Interval of the checks. A check cannot notice a topic that is deleted, created again and filled within one interval.
 */
const EVERY_MS = 1000
const MAX_MS = 2000
