import { KeystampError } from '@keystamp/core'
import { type Committed, partitionName, readMetadata, type TopicPartition } from '../kafka/consumer-port.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Target } from '../write/target.ts'
import type { Claims, Join } from './claims.ts'
import type { PartitionWorker } from './partition-worker.ts'
import type { Switching } from './switching.ts'

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
  /** Decides which container each partition is written to; undefined if the sink has only one. */
  readonly switching?: Pick<Switching, 'route'> | undefined
}

/**
 * Takes partitions over from their former owners: opens the container, begins at the stored offset, waits for the
 * handover period if the former owner has not shut down cleanly, and claims the partition.
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
    return [
      {
        reason: 'handover',
        detail: `requests of the former owners of ${this.#inHandover} partitions may still be in flight`
      }
    ]
  }

  joinEnded(): void {
    this.#inHandover = 0
  }

  /**
   * Takes over all partitions that are not claimed. Those whose container is open do not wait for the other containers.
   */
  async take(join: Join, workers: Iterable<PartitionWorker>, stored: ReadonlyMap<string, Committed>): Promise<void> {
    const closed = new Map<string, PartitionWorker[]>()
    const open: PartitionWorker[] = []
    for (const worker of workers) {
      if (worker.isClaimed) continue
      if (this.#options.isOpen(worker.topic)) open.push(worker)
      else closed.set(worker.topic, [...(closed.get(worker.topic) ?? []), worker])
    }
    await Promise.all([open, ...closed.values()].map((group) => this.#take(join, group, stored)))
  }

  async #take(join: Join, workers: readonly PartitionWorker[], stored: ReadonlyMap<string, Committed>): Promise<void> {
    const { claims, openTarget, switching } = this.#options
    const late: PartitionWorker[] = []
    const prompt: PartitionWorker[] = []
    for (const { topic } of workers) await openTarget(topic)
    await switching?.route(join, workers, stored)
    for (const worker of workers) {
      const target = await openTarget(worker.topic)
      if (join.hasEnded) return
      if (this.#beginAtStored(worker, stored.get(partitionName(worker)), target)) late.push(worker)
      else if (worker.records.expected === undefined) claims.claimOnceBegun(worker)
      else prompt.push(worker)
    }
    const handover = late.length === 0 ? undefined : this.#waitForHandover(join, late.length)
    await claims.claim(join, prompt)
    await handover
    await claims.claim(join, late)
  }

  /**
   * Begins at the stored offset, if there is one. Returns whether the partition has to wait for the handover period.
   */
  #beginAtStored(worker: PartitionWorker, stored: Committed | undefined, target: Target): boolean {
    if (stored?.position === undefined) return false
    worker.beginAt(stored.position)
    const before = readMetadata(stored.metadata)
    if (before === undefined) return false
    const { self, handoverMs, acceptPlanChange, switching } = this.#options
    if (!acceptPlanChange && switching === undefined) throwOnOtherPlan(worker, before.plan, target)
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
    `The group's offset in topic "${topic}", partition ${partition} was committed under another key plan (${before}; this one is ` +
      `${fingerprint}). Records before it have other keys and ids. List the older plan under \`previous\`, take another \`kafka.group\`, ` +
      'or set `acceptPlanChange: true`.'
  )
}
