import { KeystampError, type Position } from '@keystamp/core'
import { type Committed, type Consumer, partitionName, type RecordBatch, type TopicPartition } from '../consume/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Target } from '../write/target.ts'
import { readMetadata } from './commit-metadata.ts'
import { PartitionFlow } from './partition-flow.ts'

export interface MembershipOptions {
  readonly consumer: Pick<Consumer, 'committed' | 'resume'>
  readonly clock: Clock
  /** Opens what the topic is written to. */
  readonly openTarget: (topic: string) => Promise<Target>
  /** This process, as it signs its commits. */
  readonly self: string
  readonly handoverMs: number
  readonly acceptPlanChange: boolean
  /** The partitions have changed. */
  readonly onChange: (counts: { readonly lost: number; readonly gained: number }) => void
  /** Work on the partition may begin. */
  readonly onReady: (flow: PartitionFlow) => void
  readonly fail: (error: Error) => void
}

/** Which partitions are ours, and what is open of them. */
export class Membership {
  readonly #options: MembershipOptions
  readonly #flows: Map<string, PartitionFlow> = new Map()
  /** Partitions whose former owner may still have requests on their way are left alone until then. */
  waitingFor: string | undefined

  constructor(options: MembershipOptions) {
    this.#options = options
  }

  get flows(): Iterable<PartitionFlow> {
    return this.#flows.values()
  }

  get size(): number {
    return this.#flows.size
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
      this.#flows.delete(name)
      lost++
    }
    const gained = partitions.filter((place) => !this.#flows.has(partitionName(place))).map((place) => new PartitionFlow(place))
    for (const flow of gained) this.#flows.set(partitionName(flow), flow)
    this.#options.onChange({ lost, gained: gained.length })
    if (gained.length > 0) void this.#welcome(gained)
  }

  async #welcome(flows: readonly PartitionFlow[]): Promise<void> {
    const { consumer, clock, handoverMs, fail, onReady } = this.#options
    const places = flows.map(({ topic, partition }) => ({ topic, partition }))
    try {
      // a partition that was held back when it was lost is still held back
      consumer.resume(places)
      const stored = new Map((await consumer.committed(places)).map((committed) => [partitionName(committed), committed]))
      const late: PartitionFlow[] = []
      for (const flow of flows) {
        // oxlint-disable-next-line no-await-in-loop -- the first flow of a topic opens its container, the others find it open
        const target = await this.#options.openTarget(flow.topic)
        const committed = stored.get(partitionName(flow))
        if (committed?.position !== undefined && this.#mustWait(flow, committed, committed.position, target)) late.push(flow)
        else this.#begin(flow, onReady)
      }
      if (late.length === 0) return
      this.waitingFor = 'what the former owner of a partition sent to land'
      clock.schedule(handoverMs, () => {
        this.waitingFor = undefined
        for (const flow of late) this.#begin(flow, onReady)
      })
    } catch (error) {
      fail(error as Error)
    }
  }

  #mustWait(flow: PartitionFlow, { metadata }: Committed, position: Position, target: Target): boolean {
    flow.committed = position
    flow.beginAt(position)
    const before = readMetadata(metadata)
    if (before === undefined) return false
    if (!this.#options.acceptPlanChange) throwOnOtherPlan(flow, before.plan, target)
    return !before.hasLeft && before.by !== this.#options.self && this.#options.handoverMs > 0
  }

  #begin(flow: PartitionFlow, onReady: (flow: PartitionFlow) => void): void {
    if (flow.isLost) return
    flow.isReady = true
    onReady(flow)
  }
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
