import { isKeystampError, type Position } from '@keystamp/core'
import { readMetadata } from '../kafka/commit-metadata.ts'
import {
  type Committed,
  type Consumer,
  type OutOfRange,
  partitionName,
  type RecordBatch,
  type Start,
  type TopicPartition
} from '../kafka/consumer-port.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import { Claims, type ClaimsOptions, hasRefusedCredentials } from './claims.ts'
import { Join } from './join.ts'
import { PartitionFlow } from './partition-flow.ts'
import { Takeover, type TakeoverOptions } from './takeover.ts'

export interface OwnershipOptions extends Omit<ClaimsOptions, 'consumer' | 'clock'>, Omit<TakeoverOptions, 'claims'> {
  readonly consumer: Pick<Consumer, 'commit' | 'committed' | 'deliverFrom' | 'resume'>
  readonly clock: Clock
  /** The partitions have changed. Also called where a kept partition turned out to be lost and gained again. */
  readonly onChange: (counts: { readonly lost: number; readonly gained: number }) => void
  readonly fail: (error: Error) => void
}

/** Partitions that this member owns: which it lost, gained or kept with each join, and whether the kept ones are confirmed. */
export class Ownership {
  readonly claims: Claims
  readonly #options: OwnershipOptions
  readonly #takeover: Takeover
  readonly #flows: Map<string, PartitionFlow> = new Map()
  /** Undefined from the beginning of a rebalance until the join that ends it. */
  #join: Join | undefined
  /** The join of which it is known what the group had stored. */
  #settled: Join | undefined
  #isConfirmed = true
  #isClosed = false
  /** Why the stored offsets could not be read. */
  #readError: string | undefined

  constructor(options: OwnershipOptions) {
    this.#options = options
    this.claims = new Claims(options)
    this.#takeover = new Takeover({ ...options, claims: this.claims })
  }

  /**
   * Whether every partition that was kept is known to be still ours. False from the beginning of a rebalance until the group has said whose
   * commit it stored last: nothing may be sent or committed meanwhile.
   */
  get isConfirmed(): boolean {
    return this.#isConfirmed
  }

  /** Whether a rebalance has begun that no join has ended yet. */
  get isRebalancing(): boolean {
    return !this.#isConfirmed && this.#join === undefined
  }

  /** Why partitions wait before they begin or continue. */
  get waits(): readonly Wait[] {
    if (this.#isClosed) return []
    const waits: Wait[] = []
    if (!this.isRebalancing && (!this.#isConfirmed || this.#readError !== undefined)) {
      const detail = this.#readError ?? 'reading the offsets that the group stored last, to confirm the partitions that were kept'
      waits.push({ reason: 'kafka', subject: 'owner', detail })
    }
    return [...waits, ...this.#takeover.waits, ...this.claims.waits]
  }

  get flows(): Iterable<PartitionFlow> {
    return this.#flows.values()
  }

  get size(): number {
    return this.#flows.size
  }

  /** Whether a partition has a claim or an offset that the group does not store yet. */
  get hasUncommitted(): boolean {
    if (this.claims.hasUncommitted) return true
    for (const { isReady, committable, committed } of this.#flows.values()) if (isReady && committable !== committed) return true
    return false
  }

  /** The flow of a batch; undefined where this member does not own the partition. */
  flowOf(batch: RecordBatch): PartitionFlow | undefined {
    return this.#flows.get(partitionName(batch))
  }

  /** A rebalance has begun: the partitions stay, and none of them is confirmed any more. */
  rebalancing(): void {
    this.#endJoin()
    this.#isConfirmed = false
  }

  /** Called after every join. Partitions that are not in the list are lost; new ones begin; kept ones continue once the group has confirmed them. */
  assigned(partitions: readonly TopicPartition[]): void {
    this.#endJoin()
    const names = new Set(partitions.map(partitionName))
    const lost = [...this.#flows.values()].filter((flow) => !names.has(partitionName(flow)))
    this.#lose(lost)
    const kept = [...this.#flows.values()]
    const gained = partitions.filter((place) => !this.#flows.has(partitionName(place)))
    this.#gain(gained)
    this.#isConfirmed = kept.length === 0
    this.#options.onChange({ lost: lost.length, gained: gained.length })
    if (this.#flows.size === 0) return
    const join = new Join(this.#options.clock)
    this.#join = join
    void this.#settle(join, kept)
  }

  /** Confirms the kept partitions and takes over the others. One request reads all stored offsets, so that they are of the same moment. */
  async #settle(join: Join, kept: readonly PartitionFlow[]): Promise<void> {
    try {
      const stored = await this.#readStored(join)
      if (join.hasEnded) return
      this.#confirm(kept, stored)
      for (const flow of this.#flows.values()) {
        const { initialPartitions, position } = stored.get(partitionName(flow)) ?? {}
        flow.initialPartitions = initialPartitions
        if (!flow.isReady && position !== undefined) flow.committed = position
      }
      this.#settled = join
      void this.claims.storeStarts(join, () => this.flows)
      await this.#takeover.take(join, this.#flows.values(), stored)
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  /** Reads the stored offsets, and retries until Kafka answers. */
  async #readStored(join: Join): Promise<ReadonlyMap<string, Committed>> {
    const delay = new RetryDelay(RETRY_MS)
    for (;;) {
      try {
        const stored = await this.#options.consumer.committed([...this.#flows.values()].map(toTopicPartition))
        if (!join.hasEnded) this.#readError = undefined
        return new Map(stored.map((committed) => [partitionName(committed), committed]))
      } catch (error) {
        if (!isKeystampError(error) || !RETRIED.has(error.code)) throw error
        if (join.hasEnded) return new Map()
        this.#readError = `the offsets that the group stored last could not be read, retrying: ${error.message.replace(/\.$/, '')}`
        await join.wait(delay.next(hasRefusedCredentials(error)))
      }
    }
  }

  /**
   * Keeps the partitions whose last commit is of this process. The others had another owner, in a generation that this member missed, or a
   * tool has moved their offset: they are lost, and begin again like new ones.
   */
  #confirm(kept: readonly PartitionFlow[], stored: ReadonlyMap<string, Committed>): void {
    // partitions that were lost meanwhile have begun again already
    const claimed = kept.filter((flow) => !flow.isLost && !this.#isStillOurs(flow, stored.get(partitionName(flow))))
    this.#lose(claimed)
    this.#gain(claimed)
    for (const former of claimed) this.#restart(former, stored.get(partitionName(former)))
    this.#isConfirmed = true
    if (claimed.length > 0) this.#options.onChange({ lost: claimed.length, gained: claimed.length })
  }

  #isStillOurs(flow: PartitionFlow, stored: Committed | undefined): boolean {
    if (stored?.position === undefined) return flow.committed === undefined
    return readMetadata(stored.metadata)?.by === this.#options.self
  }

  /** Begins again at the stored offset: the consumer may have delivered beyond it. */
  #restart(former: PartitionFlow, stored: Committed | undefined): void {
    // the consumer says where a topic that was created again begins
    const position = stored?.position
    if (position === undefined) return
    this.#flows.get(partitionName(former))!.beginAt(position)
    this.#options.consumer.deliverFrom(toTopicPartition(former), position)
  }

  /** The partition has its first record: claims it where it had no stored offset. */
  hasBegun(flow: PartitionFlow): void {
    if (this.#join !== undefined) this.claims.begun(this.#join, flow)
  }

  /** Claims partitions without a stored offset before their first record, so that the next owner begins where this one has. */
  learned(starts: readonly Start[]): void {
    for (const { position, ...place } of starts) {
      const flow = this.#flows.get(partitionName(place))
      if (flow === undefined) continue
      if (flow.expected === undefined) flow.beginAt(position)
      // begun in an earlier generation
      else if (flow.expected !== position) this.#options.consumer.deliverFrom(toTopicPartition(place), flow.expected)
      this.hasBegun(flow)
    }
    if (this.#join !== undefined && this.#settled === this.#join) void this.claims.storeStarts(this.#join, () => this.flows)
  }

  /**
   * Continues at another offset, because the topic has no records any more at the next one; returns it. Records that were taken before get
   * their outcomes where the new offset lies after them. Otherwise offsets repeat: the partition is lost and gained again.
   */
  move({ from, to, low, high, isRecreated = false, ...place }: OutOfRange): Position {
    const flow = this.#flows.get(partitionName(place))
    const expected = isRecreated ? undefined : flow?.expected
    if (flow === undefined) return to
    // nothing is stored of the new topic
    if (isRecreated) flow.committed = undefined
    // the stored offset is lost, and the records after it were taken before the rebalance
    if (expected !== undefined && expected > from && expected >= low && expected <= high) return expected
    if (expected !== undefined && to >= expected) flow.passTo(to)
    else if (flow.isReady) this.#regain(flow, to)
    else this.#restartUnready(flow, to)
    return to
  }

  #regain(former: PartitionFlow, position: Position): void {
    const place = toTopicPartition(former)
    this.#lose([former])
    this.#gain([place])
    const flow = this.#flows.get(partitionName(place))!
    flow.beginAt(position)
    flow.committed = former.committed
    flow.initialPartitions = former.initialPartitions
    this.#options.onChange({ lost: 1, gained: 1 })
    if (this.#join !== undefined) void this.claims.claim(this.#join, [flow])
  }

  /** Keeps the flow, which may be in its handover period. */
  #restartUnready(flow: PartitionFlow, position: Position): void {
    flow.restartAt(position)
    this.#options.consumer.resume([toTopicPartition(flow)])
    this.hasBegun(flow)
  }

  /** Gives all partitions up, also those that are not claimed yet. */
  close(): void {
    this.#endJoin()
    this.#isClosed = true
    for (const flow of this.#flows.values()) flow.lose()
  }

  #endJoin(): void {
    this.#join?.end()
    this.#join = undefined
    this.#settled = undefined
    this.#readError = undefined
    this.claims.joinEnded()
    this.#takeover.joinEnded()
  }

  #lose(flows: readonly PartitionFlow[]): void {
    for (const flow of flows) {
      flow.lose()
      this.#flows.delete(partitionName(flow))
    }
  }

  #gain(places: readonly TopicPartition[]): void {
    for (const place of places) this.#flows.set(partitionName(place), new PartitionFlow(place))
    // a partition that was paused when it was lost is still paused
    if (places.length > 0) this.#options.consumer.resume(places.map(toTopicPartition))
  }
}

const RETRY_MS = 100
/** The consumer itself fails where credentials are refused for good. */
const RETRIED: ReadonlySet<string> = new Set(['KAFKA_UNAVAILABLE', 'KAFKA_UNAUTHORIZED'])

function toTopicPartition({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}
