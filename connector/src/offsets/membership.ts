import { KeystampError } from '@keystamp/core'
import { type Committed, type Consumer, partitionName, type RecordBatch, type TopicPartition } from '../consume/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Target } from '../write/target.ts'
import { readMetadata } from './commit-metadata.ts'
import { PartitionFlow } from './partition-flow.ts'

export interface MembershipOptions {
  readonly consumer: Pick<Consumer, 'commit' | 'committed' | 'resume'>
  readonly clock: Clock
  /** Opens what the topic is written to. */
  readonly openTarget: (topic: string) => Promise<Target>
  /** This process, as it signs its commits. */
  readonly self: string
  readonly metadataFor: (flow: PartitionFlow) => string
  readonly handoverMs: number
  readonly acceptPlanChange: boolean
  /** The partitions have changed. */
  readonly onChange: (counts: { readonly lost: number; readonly gained: number }) => void
  /** Work on the partition may begin. */
  readonly onReady: (flow: PartitionFlow) => void
  /** A signature was not taken; it is offered again. */
  readonly onTrouble: (error: Error) => void
  readonly fail: (error: Error) => void
}

/** Which partitions are ours, and what is open of them. */
export class Membership {
  readonly #options: MembershipOptions
  readonly #flows: Map<string, PartitionFlow> = new Map()
  /** Of which nothing was ever committed, and no record has come. */
  readonly #unclaimed: Set<PartitionFlow> = new Set()
  readonly #waits: Set<() => void> = new Set()
  #isClosed = false
  /** Partitions that are left alone because their former owner may still have requests on their way. */
  #landing = 0
  /** Partitions whose signature the group has not taken. */
  #refused = 0
  /** How often claims were stored, and when the last time. */
  claims = 0
  claimedMs: number = Number.NEGATIVE_INFINITY

  constructor(options: MembershipOptions) {
    this.#options = options
  }

  /** Why partitions are not begun, where they wait. */
  get waits(): readonly Wait[] {
    const waits: Wait[] = []
    if (this.#isClosed) return waits
    const landing = `requests of the former owners of ${this.#landing} partitions may still be on their way`
    if (this.#landing > 0) waits.push({ reason: 'handover', detail: landing })
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

  /** After every join: what is not in the list is lost, what is new begins, and what was kept goes on. */
  assigned(partitions: readonly TopicPartition[]): void {
    const names = new Set(partitions.map(partitionName))
    let lost = 0
    for (const [name, flow] of this.#flows) {
      if (names.has(name)) continue
      flow.lose()
      this.#unclaimed.delete(flow)
      this.#flows.delete(name)
      lost++
    }
    const gained = partitions.filter((place) => !this.#flows.has(partitionName(place))).map((place) => new PartitionFlow(place))
    for (const flow of gained) this.#flows.set(partitionName(flow), flow)
    this.#options.onChange({ lost, gained: gained.length })
    if (gained.length > 0) void this.#welcome(gained)
  }

  /** The partition has told where it begins: what was never committed can be claimed now. */
  hasBegun(flow: PartitionFlow): void {
    if (!this.#unclaimed.delete(flow)) return
    void this.#claim([flow])
  }

  /** Gives all partitions up, also those that were still to be signed for. */
  close(): void {
    this.#isClosed = true
    for (const flow of this.#flows.values()) flow.lose()
    for (const cancel of this.#waits) cancel()
  }

  async #welcome(flows: readonly PartitionFlow[]): Promise<void> {
    const { consumer, handoverMs, fail } = this.#options
    const places = flows.map(placeOf)
    try {
      // a partition that was held back when it was lost is still held back
      consumer.resume(places)
      const stored = new Map((await consumer.committed(places)).map((committed) => [partitionName(committed), committed]))
      const late: PartitionFlow[] = []
      const claimed: PartitionFlow[] = []
      for (const flow of flows) {
        // oxlint-disable-next-line no-await-in-loop -- the first flow of a topic opens its container, the others find it open
        const target = await this.#options.openTarget(flow.topic)
        const before = this.#goOnFrom(flow, stored.get(partitionName(flow)), target)
        if (before?.mustWait === true) late.push(flow)
        if (flow.expected === undefined) this.#unclaimed.add(flow)
        else claimed.push(flow)
      }
      const landed = late.length === 0 ? undefined : this.#waitUntilLanded(late.length, handoverMs)
      await this.#claim(claimed.filter((flow) => !late.includes(flow)))
      await landed
      await this.#claim(late)
    } catch (error) {
      fail(error as Error)
    }
  }

  #goOnFrom(flow: PartitionFlow, stored: Committed | undefined, target: Target): { readonly mustWait: boolean } | undefined {
    if (stored?.position === undefined) return undefined
    flow.committed = stored.position
    flow.beginAt(stored.position)
    const before = readMetadata(stored.metadata)
    if (before === undefined) return undefined
    if (!this.#options.acceptPlanChange) throwOnOtherPlan(flow, before.plan, target)
    return { mustWait: !before.hasLeft && before.by !== this.#options.self && this.#options.handoverMs > 0 }
  }

  async #waitUntilLanded(partitions: number, ms: number): Promise<void> {
    this.#landing += partitions
    await this.#wait(ms)
    this.#landing -= partitions
  }

  /**
   * Signs the positions before anything is written behind them. Who owns a partition next reads from the signature whether
   * somebody else's writes may still be on their way: also where their owner never came to commit what it wrote.
   */
  async #claim(flows: readonly PartitionFlow[]): Promise<void> {
    let left = flows.filter(isUnclaimed)
    while (left.length > 0) {
      // oxlint-disable-next-line no-await-in-loop -- asked again until the group has an answer
      await this.#offer(left)
      left = left.filter(isUnclaimed)
      if (left.length === 0) return
      this.#refused += left.length
      // oxlint-disable-next-line no-await-in-loop -- asked again after a while
      await this.#wait(CLAIM_AGAIN_MS)
      this.#refused -= left.length
      left = left.filter(isUnclaimed)
    }
  }

  /** Offers signatures once. While the group is being divided anew, or its broker is away, they are not taken. */
  async #offer(flows: readonly PartitionFlow[]): Promise<void> {
    const { consumer, metadataFor, onReady, onTrouble } = this.#options
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
        flow.isReady = true
        onReady(flow)
      }
    } catch (error) {
      onTrouble(error as Error)
    }
  }

  /** Never ends once everything was given up. */
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

const CLAIM_AGAIN_MS = 100

function isUnclaimed({ isLost, isReady }: PartitionFlow): boolean {
  return !isLost && !isReady
}

function placeOf({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition }
}

function throwOnOtherPlan({ topic, partition }: TopicPartition, before: string, { fingerprint, previousFingerprints }: Target): void {
  if (before === fingerprint || previousFingerprints.includes(before)) return
  throw new KeystampError(
    'PLAN_CHANGED',
    `The group's position in topic "${topic}", partition ${partition} was committed under another key plan (${before}; this one is ` +
      `${fingerprint}). Records before it have other keys and ids. List the older plan under \`previous\`, take another \`kafka.group\`, ` +
      'or say `acceptPlanChange: true`.'
  )
}
