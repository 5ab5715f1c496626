import { isKeystampError, type Position } from '@keystamp/core'
import {
  type Committed,
  type Consumer,
  type OutOfRange,
  partitionName,
  readMetadata,
  type Start,
  type TopicPartition
} from '../kafka/consumer-port.ts'
import { hasRefusedCredentials } from '../kafka/kafka-errors.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import { Claims, type ClaimsOptions, Join } from './claims.ts'
import type { Partitions } from './partitions.ts'
import type { PartitionWorker } from './partition-worker.ts'
import type { Switching } from './switching.ts'
import { Takeover, type TakeoverOptions } from './takeover.ts'

export interface OwnershipOptions
  extends Omit<ClaimsOptions, 'consumer' | 'clock'>, Omit<TakeoverOptions, 'claims' | 'switching'> {
  readonly consumer: Pick<Consumer, 'commit' | 'committed' | 'deliverFrom' | 'lastHeartbeatMs' | 'sessionTimeoutMs'>
  readonly clock: Clock
  readonly partitions: Partitions
  readonly switching?: Switching | undefined
  /** Called when partitions were lost or gained. A kept partition can turn out to have been lost: it counts as both. */
  readonly onChange: (counts: { readonly lost: number; readonly gained: number }) => void
  readonly fail: (error: Error) => void
}

/** Tracks which partitions this member loses, gains or keeps with each join, and whether it may write. */
export class Ownership {
  readonly claims: Claims
  readonly #options: OwnershipOptions
  readonly #takeover: Takeover
  readonly #partitions: Partitions
  /** Undefined from the beginning of a rebalance until the join that ends it. */
  #join: Join | undefined
  /** The join for which the stored offsets were read. */
  #settled: Join | undefined
  /** The join in which partitions are about to begin again. */
  #retaking: Join | undefined
  #isConfirmed = true
  #isClosed = false
  /** Why the stored offsets could not be read. */
  #readError: string | undefined

  constructor(options: OwnershipOptions) {
    this.#options = options
    this.#partitions = options.partitions
    this.claims = new Claims(options)
    this.#takeover = new Takeover({ ...options, claims: this.claims })
  }

  /**
   * Whether every kept partition certainly still belongs to this member. False from the beginning of a rebalance until
   * the stored offsets show which member committed last. While it is false, nothing may be sent or committed.
   */
  get isConfirmed(): boolean {
    return this.#isConfirmed
  }

  /**
   * Write permit of the process. False from the beginning of a rebalance until the kept partitions are confirmed, and
   * when the last heartbeat is older than the session timeout: a process that was suspended for that long may have lost
   * its partitions without a notice.
   */
  get hasWritePermit(): boolean {
    const { consumer, clock } = this.#options
    return this.#isConfirmed && clock.now() - consumer.lastHeartbeatMs < consumer.sessionTimeoutMs
  }

  /** Whether a rebalance has begun, and no join has ended the rebalance yet. */
  get isRebalancing(): boolean {
    return !this.#isConfirmed && this.#join === undefined
  }

  /** Why partitions wait before they begin or continue. */
  get waits(): readonly Wait[] {
    if (this.#isClosed) return []
    const waits: Wait[] = []
    if (!this.isRebalancing && (!this.#isConfirmed || this.#readError !== undefined)) {
      const detail = this.#readError ?? 'reading the stored offsets of the group, to confirm the kept partitions'
      waits.push({ reason: 'kafka', subject: 'owner', detail })
    }
    return [...waits, ...this.#takeover.waits, ...this.claims.waits]
  }

  /** Whether a partition has a claim or an offset that the group has not stored yet. */
  get hasUncommitted(): boolean {
    return this.claims.hasUncommitted || [...this.#partitions.workers].some((worker) => worker.hasUncommitted)
  }

  /** Called when a rebalance has begun. The partitions stay, but none of them is confirmed any more. */
  rebalancing(): void {
    this.#endJoin()
    this.#isConfirmed = false
  }

  /**
   * Called after every join. Partitions that are not in the list are lost; new ones begin; kept ones continue once the
   * group has confirmed them.
   */
  assigned(partitions: readonly TopicPartition[]): void {
    this.#endJoin()
    const names = new Set(partitions.map(partitionName))
    const lost = [...this.#partitions.workers].filter((worker) => !names.has(partitionName(worker)))
    this.#partitions.lose(lost)
    const kept = [...this.#partitions.workers]
    const gained = partitions.filter((topicPartition) => this.#partitions.of(topicPartition) === undefined)
    this.#partitions.gain(gained)
    this.#isConfirmed = kept.length === 0
    this.#options.onChange({ lost: lost.length, gained: gained.length })
    if (this.#partitions.size === 0) return
    const join = new Join(this.#options.clock)
    this.#join = join
    void this.#settle(join, kept)
  }

  /**
   * Confirms the kept partitions and takes over the others. One request reads all stored offsets, so that they are from
   * the same moment.
   */
  async #settle(join: Join, kept: readonly PartitionWorker[]): Promise<void> {
    try {
      const stored = await this.#readStored(join)
      if (join.hasEnded) return
      this.#confirm(kept, stored)
      for (const worker of this.#partitions.workers) worker.found(stored.get(partitionName(worker)) ?? {})
      this.#settled = join
      void this.claims.storeStarts(join, () => this.#partitions.workers)
      await this.#takeover.take(join, this.#partitions.workers, stored)
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  /** Reads the stored offsets, and retries until Kafka answers. */
  async #readStored(join: Join): Promise<ReadonlyMap<string, Committed>> {
    const delay = new RetryDelay(RETRY_MS)
    for (;;) {
      try {
        const stored = await this.#options.consumer.committed([...this.#partitions.workers].map(toTopicPartition))
        if (!join.hasEnded) this.#readError = undefined
        return new Map(stored.map((committed) => [partitionName(committed), committed]))
      } catch (error) {
        if (!isKeystampError(error) || !RETRIED.has(error.code)) throw error
        if (join.hasEnded) return new Map()
        this.#readError = `the stored offsets of the group could not be read, retrying: ${error.message.replace(/\.$/, '')}`
        await join.wait(delay.next(hasRefusedCredentials(error)))
      }
    }
  }

  /**
   * Keeps the partitions whose last commit was made by this process. The others had another owner, in a generation that
   * this member missed, or a tool has reset their offsets: they count as lost, and begin again like new ones.
   */
  #confirm(kept: readonly PartitionWorker[], stored: ReadonlyMap<string, Committed>): void {
    // partitions that were lost meanwhile have begun again already
    const lost = kept.filter(
      (worker) => !worker.isLost && !this.#isStillOurs(worker, stored.get(partitionName(worker)))
    )
    this.#partitions.lose(lost)
    this.#partitions.gain(lost)
    for (const former of lost) this.#restart(former, stored.get(partitionName(former)))
    this.#isConfirmed = true
    if (lost.length > 0) this.#options.onChange({ lost: lost.length, gained: lost.length })
  }

  #isStillOurs(worker: PartitionWorker, stored: Committed | undefined): boolean {
    if (stored?.position === undefined) return worker.stored.position === undefined
    return readMetadata(stored.metadata)?.by === this.#options.self
  }

  /** Begins again at the stored offset: the consumer may have delivered beyond it. */
  #restart(former: PartitionWorker, stored: Committed | undefined): void {
    // if the topic was created again, the consumer reports where it begins
    const position = stored?.position
    if (position === undefined) return
    this.#partitions.of(former)!.beginAt(position)
    this.#options.consumer.deliverFrom(toTopicPartition(former), position)
  }

  /** Called when the partition has its first offset. Claims the partition if it had no stored offset. */
  begun(worker: PartitionWorker): void {
    if (this.#join !== undefined) this.claims.begun(this.#join, worker)
  }

  /**
   * Claims partitions without a stored offset before their first record, so that the next owner begins at the same
   * offset.
   */
  learned(starts: readonly Start[]): void {
    for (const { position, ...topicPartition } of starts) {
      const worker = this.#partitions.of(topicPartition)
      if (worker === undefined) continue
      worker.beginAt(position)
      // the partition has begun at another offset, in an earlier generation
      const { expected } = worker.records
      if (expected !== position) this.#options.consumer.deliverFrom(toTopicPartition(topicPartition), expected!)
    }
    if (this.#join !== undefined && this.#settled === this.#join) {
      void this.claims.storeStarts(this.#join, () => this.#partitions.workers)
    }
  }

  /**
   * Continues at another offset, because the next one is out of range; returns the new offset. If the new offset lies
   * after the records that were taken before, these still get their outcomes. Otherwise offsets repeat: the partition
   * counts as lost and gained again.
   */
  move({ from, to, low, high, isRecreated = false, ...topicPartition }: OutOfRange): Position {
    const worker = this.#partitions.of(topicPartition)
    const expected = isRecreated ? undefined : worker?.records.expected
    if (worker === undefined) return to
    // the group has stored nothing for the new topic
    if (isRecreated) worker.committed(undefined)
    // the stored offset is out of range, but reading continues after the records that were taken before the rebalance
    if (expected !== undefined && expected > from && expected >= low && expected <= high) return expected
    if (expected !== undefined && to >= expected) worker.continueAt(to)
    else if (worker.isClaimed) this.#regain(worker, to)
    // a handover period, if any, continues
    else worker.restartAt(to)
    return to
  }

  #regain(former: PartitionWorker, position: Position): void {
    this.#partitions.lose([former])
    this.#partitions.gain([former])
    const worker = this.#partitions.of(former)!
    worker.beginAt(position)
    worker.found(former.stored)
    this.#options.switching?.inherit(worker, former)
    this.#options.onChange({ lost: 1, gained: 1 })
    // if the stored offsets are not read yet, the takeover claims the partition later; until then nothing is committed
    if (this.#join !== undefined && this.#settled === this.#join) void this.claims.claim(this.#join, [worker])
  }

  /**
   * Begins claimed partitions without open records again, as after an assignment: the container in charge may be
   * another one. While an assignment or another call is in progress, nothing happens, and the caller has to ask again.
   */
  async retake(formers: readonly PartitionWorker[]): Promise<void> {
    const join = this.#join
    if (join === undefined || this.#settled !== join || this.#retaking === join) return
    this.#retaking = join
    try {
      const stored = await this.#readStored(join)
      if (join.hasEnded) return
      this.#retaking = undefined
      const left = formers.filter(({ isLost }) => !isLost)
      this.#partitions.lose(left)
      this.#partitions.gain(left)
      for (const former of left) this.#restart(former, stored.get(partitionName(former)))
      const workers = left.map((former) => this.#partitions.of(former)!)
      for (const worker of workers) worker.found(stored.get(partitionName(worker)) ?? {})
      await this.#takeover.take(join, workers, stored)
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  /** Gives up all partitions, including those that are not claimed yet. */
  close(): void {
    this.#endJoin()
    this.#isClosed = true
    this.#partitions.loseAll()
  }

  #endJoin(): void {
    this.#join?.end()
    this.#join = undefined
    this.#settled = undefined
    this.#readError = undefined
    this.claims.joinEnded()
    this.#takeover.joinEnded()
  }
}

const RETRY_MS = 100
/** If credentials are refused for good, the consumer itself fails. */
const RETRIED: ReadonlySet<string> = new Set(['KAFKA_UNAVAILABLE', 'KAFKA_UNAUTHORIZED'])

function toTopicPartition({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}
