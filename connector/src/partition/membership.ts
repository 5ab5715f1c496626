import { isKeystampError, KeystampError, type Position } from '@keystamp/core'
import {
  type Committed,
  type Consumer,
  type OutOfRange,
  type Start,
  partitionName,
  type RecordBatch,
  type TopicPartition
} from '../kafka/consumer-port.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Target } from '../write/target.ts'
import { readMetadata } from '../kafka/commit-metadata.ts'
import { PartitionFlow } from './partition-flow.ts'
import { hasRefusedCredentials, StartCommits } from './start-commits.ts'

export interface MembershipOptions {
  readonly consumer: Pick<Consumer, 'commit' | 'committed' | 'deliverFrom' | 'resume'>
  readonly clock: Clock
  /** Opens what the topic is written to. */
  readonly openTarget: (topic: string) => Promise<Target>
  /** Whether `openTarget` answers for this topic without waiting. */
  readonly isOpen: (topic: string) => boolean
  /** Name of this process in the metadata of its commits. */
  readonly self: string
  readonly metadataFor: (flow: PartitionFlow) => string
  readonly handoverMs: number
  readonly acceptPlanChange: boolean
  /** The partitions have changed. Also told where a kept partition turned out to be lost and gained again. */
  readonly onChange: (counts: { readonly lost: number; readonly gained: number }) => void
  /** Work on the partition may begin. */
  readonly onReady: (flow: PartitionFlow) => void
  /** A claim was not stored, or the stored positions could not be read; both are tried again. */
  readonly onTrouble: (error: Error) => void
  readonly fail: (error: Error) => void
}

/** Time between two joins: what was asked or begun in an earlier one is dropped. */
type Join = object

/** Partitions of this member, and what is open of them. */
export class Membership {
  readonly #options: MembershipOptions
  readonly #flows: Map<string, PartitionFlow> = new Map()
  /** Partitions without a committed position, of which no record has come yet. */
  readonly #unclaimed: Set<PartitionFlow> = new Set()
  readonly #waits: Set<() => void> = new Set()
  #isClosed = false
  /** Undefined from the beginning of a rebalance until the join that ends it. */
  #join: Join | undefined
  #isConfirmed = true
  /** The join of which it is known what the group had stored. */
  #settled: Join | undefined
  readonly #starts: StartCommits
  /** Why the stored offsets could not be read. */
  #askTrouble: string | undefined
  /** Partitions in their handover period. */
  #inHandover = 0
  /** Partitions whose claim the group has not stored. */
  #refused = 0
  readonly #commitDelay: RetryDelay = new RetryDelay(ASK_AGAIN_MS)
  /** Kafka refused the credentials of the last commit. */
  #isCommitRefused = false
  /** How often claims were stored, and when the last time. */
  claims = 0
  claimedMs: number = Number.NEGATIVE_INFINITY

  constructor(options: MembershipOptions) {
    this.#options = options
    this.#starts = new StartCommits(options)
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

  /** Why partitions are not begun, or not continued, where they wait. */
  get waits(): readonly Wait[] {
    const waits: Wait[] = []
    if (this.#isClosed) return waits
    const asked = this.#askTrouble ?? 'reading the offsets that the group stored last, to confirm the partitions that were kept'
    if (!this.isRebalancing && (!this.#isConfirmed || this.#askTrouble !== undefined)) {
      waits.push({ reason: 'kafka', subject: 'owner', detail: asked })
    }
    const landing = `requests of the former owners of ${this.#inHandover} partitions may still be on their way`
    if (this.#inHandover > 0) waits.push({ reason: 'handover', detail: landing })
    const refused = `claims of ${this.#refused} partitions are not stored yet`
    if (this.#refused > 0) waits.push({ reason: 'kafka', subject: 'claim', detail: refused })
    return waits
  }

  get flows(): Iterable<PartitionFlow> {
    return this.#flows.values()
  }

  get size(): number {
    return this.#flows.size
  }

  /** Whether a partition has a claim or an offset that the group does not store yet. */
  get hasUncommitted(): boolean {
    if (this.#refused > 0) return true
    for (const { isReady, committable, committed } of this.#flows.values()) if (isReady && committable !== committed) return true
    return false
  }

  /** The flow of a batch; undefined where the partition is not ours. */
  flowOf(batch: RecordBatch): PartitionFlow | undefined {
    return this.#flows.get(partitionName(batch))
  }

  /** A rebalance has begun: the partitions stay, and nothing of them is confirmed any more. */
  rebalancing(): void {
    this.#endJoin()
    this.#isConfirmed = false
  }

  /** After every join. Partitions that are not in the list are lost; new ones begin; kept ones continue once the group has confirmed them. */
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
    const join: Join = {}
    this.#join = join
    void this.#settle(join, kept)
  }

  /** The partition has its first record: what was never committed can be claimed now. */
  hasBegun(flow: PartitionFlow): void {
    if (this.#join === undefined || !this.#unclaimed.delete(flow)) return
    void this.#claim(this.#join, [flow])
  }

  /** Claims partitions without a stored offset before their first record, so that the next owner begins where this one has. */
  learned(starts: readonly Start[]): void {
    for (const { position, ...place } of starts) {
      const flow = this.#flows.get(partitionName(place))
      if (flow === undefined) continue
      if (flow.expected === undefined) flow.beginAt(position)
      // begun in an earlier generation
      else if (flow.expected !== position) this.#options.consumer.deliverFrom(placeOf(place), flow.expected)
      this.hasBegun(flow)
    }
    if (this.#join !== undefined && this.#settled === this.#join) void this.#storeStarts(this.#join)
  }

  /**
   * Continues at another position, because the topic has no records any more at the next one; answers with it. Records that were taken
   * before get their outcomes where the new position lies after them. Otherwise offsets repeat: the partition is lost and gained again.
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
    const place = placeOf(former)
    this.#lose([former])
    this.#gain([place])
    const flow = this.#flows.get(partitionName(place))!
    flow.beginAt(position)
    flow.committed = former.committed
    flow.initialPartitions = former.initialPartitions
    this.#options.onChange({ lost: 1, gained: 1 })
    if (this.#join !== undefined) void this.#claim(this.#join, [flow])
  }

  /** Keeps the flow, which may be in its handover period. */
  #restartUnready(flow: PartitionFlow, position: Position): void {
    flow.restartAt(position)
    this.#options.consumer.resume([placeOf(flow)])
    this.hasBegun(flow)
  }

  /** Gives all partitions up, also those that were still to be claimed. */
  close(): void {
    this.#endJoin()
    this.#isClosed = true
    for (const flow of this.#flows.values()) flow.lose()
  }

  #endJoin(): void {
    this.#join = undefined
    this.#settled = undefined
    this.#unclaimed.clear()
    for (const cancel of this.#waits) cancel()
    this.#waits.clear()
    this.#askTrouble = undefined
    this.#inHandover = 0
    this.#refused = 0
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
    if (places.length > 0) this.#options.consumer.resume(places.map(placeOf))
  }

  /** Confirms what was kept, and begins the rest: after one question for all of them, so that the answers are of one moment. */
  async #settle(join: Join, kept: readonly PartitionFlow[]): Promise<void> {
    try {
      const stored = await this.#askStored(join)
      if (join !== this.#join) return
      this.#confirm(kept, stored)
      for (const flow of this.#flows.values()) {
        const { initialPartitions, position } = stored.get(partitionName(flow)) ?? {}
        flow.initialPartitions = initialPartitions
        if (!flow.isReady && position !== undefined) flow.committed = position
      }
      this.#settled = join
      void this.#storeStarts(join)
      await this.#beginAll(join, stored)
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  /** Asks again until there is an answer: Kafka may be away for a while. */
  async #askStored(join: Join): Promise<ReadonlyMap<string, Committed>> {
    const delay = new RetryDelay(ASK_AGAIN_MS)
    for (;;) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- asked again until there is an answer
        const stored = await this.#options.consumer.committed([...this.#flows.values()].map(placeOf))
        if (join === this.#join) this.#askTrouble = undefined
        return new Map(stored.map((committed) => [partitionName(committed), committed]))
      } catch (error) {
        if (!isKeystampError(error) || !AWAY.has(error.code)) throw error
        if (join !== this.#join) return new Map()
        this.#askTrouble = `the offsets that the group stored last could not be read, retrying: ${error.message.replace(/\.$/, '')}`
        // oxlint-disable-next-line no-await-in-loop -- after a while
        await this.#wait(delay.next(hasRefusedCredentials(error)))
      }
    }
  }

  /**
   * Keeps the partitions that nobody else has claimed since. The others had another owner, in a generation that this member missed, or a
   * tool has moved their position: they are lost, and begin again like new ones.
   */
  #confirm(kept: readonly PartitionFlow[], stored: ReadonlyMap<string, Committed>): void {
    // what was lost meanwhile has begun again already
    const claimed = kept.filter((flow) => !flow.isLost && !this.#isStillOurs(flow, stored.get(partitionName(flow))))
    this.#lose(claimed)
    this.#gain(claimed)
    for (const former of claimed) this.#restart(former, stored.get(partitionName(former)))
    this.#isConfirmed = true
    if (claimed.length > 0) this.#options.onChange({ lost: claimed.length, gained: claimed.length })
  }

  /** Begins again at the stored position: the consumer may have delivered beyond it. */
  #restart(former: PartitionFlow, stored: Committed | undefined): void {
    // the consumer says where a topic that was created again begins
    const position = stored?.position
    if (position === undefined) return
    this.#flows.get(partitionName(former))!.beginAt(position)
    this.#options.consumer.deliverFrom(placeOf(former), position)
  }

  #isStillOurs(flow: PartitionFlow, stored: Committed | undefined): boolean {
    if (stored?.position === undefined) return flow.committed === undefined
    return readMetadata(stored.metadata)?.by === this.#options.self
  }

  /** Begins the partitions whose container is open without waiting for the other containers. */
  async #beginAll(join: Join, stored: ReadonlyMap<string, Committed>): Promise<void> {
    const closed = new Map<string, PartitionFlow[]>()
    const open: PartitionFlow[] = []
    for (const flow of this.#flows.values()) {
      if (flow.isReady) continue
      if (this.#options.isOpen(flow.topic)) open.push(flow)
      else closed.set(flow.topic, [...(closed.get(flow.topic) ?? []), flow])
    }
    await Promise.all([open, ...closed.values()].map((flows) => this.#begin(join, flows, stored)))
  }

  /** Stores starts until the group has taken all of them. */
  async #storeStarts(join: Join): Promise<void> {
    while (join === this.#join && this.#starts.isUnstored(this.flows)) {
      // oxlint-disable-next-line no-await-in-loop -- one request at a time
      const isRefused = await this.#starts.store(this.flows)
      // oxlint-disable-next-line no-await-in-loop -- asked again after a while
      if (this.#starts.isUnstored(this.flows)) await this.#wait(this.#commitDelay.next(isRefused))
    }
  }

  async #begin(join: Join, flows: readonly PartitionFlow[], stored: ReadonlyMap<string, Committed>): Promise<void> {
    const { handoverMs, openTarget } = this.#options
    const late: PartitionFlow[] = []
    const prompt: PartitionFlow[] = []
    for (const flow of flows) {
      // oxlint-disable-next-line no-await-in-loop -- the first flow of a topic opens its container, the others find it open
      const target = await openTarget(flow.topic)
      if (join !== this.#join) return
      const before = this.#goOnFrom(flow, stored.get(partitionName(flow)), target)
      if (before?.mustWait === true) late.push(flow)
      else if (flow.expected === undefined) this.#unclaimed.add(flow)
      else prompt.push(flow)
    }
    const handover = late.length === 0 ? undefined : this.#waitForHandover(late.length, handoverMs)
    await this.#claim(join, prompt)
    await handover
    await this.#claim(join, late)
  }

  #goOnFrom(flow: PartitionFlow, stored: Committed | undefined, target: Target): { readonly mustWait: boolean } | undefined {
    if (stored?.position === undefined) return undefined
    flow.beginAt(stored.position)
    const before = readMetadata(stored.metadata)
    if (before === undefined) return undefined
    if (!this.#options.acceptPlanChange) throwOnOtherPlan(flow, before.plan, target)
    return { mustWait: !before.hasLeft && before.by !== this.#options.self && this.#options.handoverMs > 0 }
  }

  async #waitForHandover(partitions: number, ms: number): Promise<void> {
    this.#inHandover += partitions
    await this.#wait(ms)
    this.#inHandover -= partitions
  }

  /**
   * Claims the partitions: commits their positions before anything is written. The next owner reads from a claim whether writes of this
   * member may still be on their way, also where this member never came to commit what it wrote.
   */
  async #claim(join: Join, flows: readonly PartitionFlow[]): Promise<void> {
    let left = flows.filter(isUnclaimed)
    while (left.length > 0 && join === this.#join) {
      // oxlint-disable-next-line no-await-in-loop -- asked again until the group has an answer
      await this.#offer(join, left)
      left = left.filter(isUnclaimed)
      if (left.length === 0 || join !== this.#join) return
      this.#refused += left.length
      // oxlint-disable-next-line no-await-in-loop -- asked again after a while
      await this.#wait(this.#commitDelay.next(this.#isCommitRefused))
      this.#refused -= left.length
      left = left.filter(isUnclaimed)
    }
  }

  /** Offers claims once. During a rebalance, or while the coordinator is away, they are not stored. */
  async #offer(join: Join, asked: readonly PartitionFlow[]): Promise<void> {
    const { consumer, metadataFor, onReady, onTrouble } = this.#options
    await this.#starts.stored
    const flows = asked.filter(isUnclaimed)
    if (join !== this.#join || flows.length === 0) return
    const commits = flows.map((flow) => ({ ...placeOf(flow), position: flow.committable!, metadata: metadataFor(flow) }))
    try {
      const stored = new Map((await consumer.commit(commits)).map((commit) => [partitionName(commit), commit]))
      if (stored.size > 0) {
        this.claims++
        this.claimedMs = this.#options.clock.now()
      }
      for (const flow of flows) {
        const commit = stored.get(partitionName(flow))
        if (commit === undefined || flow.isLost) continue
        flow.committed = commit.position
        // stored in a generation that has ended: claimed again in the next one
        if (join !== this.#join) continue
        flow.isReady = true
        onReady(flow)
      }
      this.#isCommitRefused = false
    } catch (error) {
      this.#isCommitRefused = hasRefusedCredentials(error)
      onTrouble(error as Error)
    }
  }

  /** Never resolves where the join ends before. */
  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isClosed) return
      const cancel = this.#options.clock.schedule(ms, () => {
        this.#waits.delete(cancel)
        resolve()
      })
      this.#waits.add(cancel)
    })
  }
}

const ASK_AGAIN_MS = 100
/** The consumer ends the work itself where credentials are refused for good. */
const AWAY: ReadonlySet<string> = new Set(['KAFKA_UNAVAILABLE', 'KAFKA_UNAUTHORIZED'])

function isUnclaimed({ isLost, isReady }: PartitionFlow): boolean {
  return !isLost && !isReady
}

function placeOf({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}

function throwOnOtherPlan(
  { topic, partition }: TopicPartition,
  before: string | undefined,
  { fingerprint, previousFingerprints }: Target
): void {
  if (before === undefined || before === fingerprint || previousFingerprints.includes(before)) return
  throw new KeystampError(
    'PLAN_CHANGED',
    `The group's position in topic "${topic}", partition ${partition} was committed under another key plan (${before}; this one is ` +
      `${fingerprint}). Records before it have other keys and ids. List the older plan under \`previous\`, take another \`kafka.group\`, ` +
      'or say `acceptPlanChange: true`.'
  )
}
