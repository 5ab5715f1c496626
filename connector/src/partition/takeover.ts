import { KeystampError } from '@keystamp/core'
import { readMetadata } from '../kafka/commit-metadata.ts'
import { type Committed, partitionName, type TopicPartition } from '../kafka/consumer-port.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Target } from '../write/target.ts'
import type { Claims } from './claims.ts'
import type { Join } from './join.ts'
import type { PartitionFlow } from './partition-flow.ts'

export interface TakeoverOptions {
  readonly claims: Claims
  /** Opens the container of the topic. */
  readonly openTarget: (topic: string) => Promise<Target>
  /** Whether `openTarget` resolves for this topic without waiting. */
  readonly isOpen: (topic: string) => boolean
  /** Name of this process in the metadata of its commits. */
  readonly self: string
  readonly handoverMs: number
  readonly acceptPlanChange: boolean
}

/**
 * Takes partitions over from their former owners: opens the container, begins at the stored offset, waits for the handover period where the
 * former owner has not left in order, and claims the partition.
 */
export class Takeover {
  readonly #options: TakeoverOptions
  /** Partitions in their handover period. */
  #inHandover = 0

  constructor(options: TakeoverOptions) {
    this.#options = options
  }

  get waits(): readonly Wait[] {
    if (this.#inHandover === 0) return []
    return [{ reason: 'handover', detail: `requests of the former owners of ${this.#inHandover} partitions may still be in flight` }]
  }

  joinEnded(): void {
    this.#inHandover = 0
  }

  /** Takes over all partitions that are not ready. Those whose container is open do not wait for the other containers. */
  async take(join: Join, flows: Iterable<PartitionFlow>, stored: ReadonlyMap<string, Committed>): Promise<void> {
    const closed = new Map<string, PartitionFlow[]>()
    const open: PartitionFlow[] = []
    for (const flow of flows) {
      if (flow.isReady) continue
      if (this.#options.isOpen(flow.topic)) open.push(flow)
      else closed.set(flow.topic, [...(closed.get(flow.topic) ?? []), flow])
    }
    await Promise.all([open, ...closed.values()].map((group) => this.#take(join, group, stored)))
  }

  async #take(join: Join, flows: readonly PartitionFlow[], stored: ReadonlyMap<string, Committed>): Promise<void> {
    const { claims, openTarget } = this.#options
    const late: PartitionFlow[] = []
    const prompt: PartitionFlow[] = []
    for (const flow of flows) {
      const target = await openTarget(flow.topic)
      if (join.hasEnded) return
      if (this.#beginAtStored(flow, stored.get(partitionName(flow)), target)) late.push(flow)
      else if (flow.expected === undefined) claims.claimOnceBegun(flow)
      else prompt.push(flow)
    }
    const handover = late.length === 0 ? undefined : this.#waitForHandover(join, late.length)
    await claims.claim(join, prompt)
    await handover
    await claims.claim(join, late)
  }

  /** Begins at the stored offset, where there is one. Returns whether the partition has to wait for the handover period. */
  #beginAtStored(flow: PartitionFlow, stored: Committed | undefined, target: Target): boolean {
    if (stored?.position === undefined) return false
    flow.beginAt(stored.position)
    const before = readMetadata(stored.metadata)
    if (before === undefined) return false
    const { self, handoverMs, acceptPlanChange } = this.#options
    if (!acceptPlanChange) throwOnOtherPlan(flow, before.plan, target)
    return !before.hasLeft && before.by !== self && handoverMs > 0
  }

  async #waitForHandover(join: Join, partitions: number): Promise<void> {
    this.#inHandover += partitions
    await join.wait(this.#options.handoverMs)
    this.#inHandover -= partitions
  }
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
