import { isKeystampError, KeystampError } from '@keystamp/core'
import {
  type Committed,
  type DrainedMark,
  partitionName,
  readMetadata,
  type TopicPartition
} from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Log } from '../log.ts'
import {
  decidedRound,
  isNewer,
  otherSide,
  sideInCharge,
  switchedAt,
  type SwitchRecord
} from '../switch/switch-record.ts'
import type { SwitchRecords } from '../switch/switch-records.ts'
import type { LateRequests } from '../write/late-requests.ts'
import type { Target } from '../write/target.ts'
import type { Side } from '../write/targets.ts'
import type { Join } from './claims.ts'
import type { PartitionWorker } from './partition-worker.ts'

export interface SwitchingOptions {
  /** Id of the switch record. */
  readonly id: string
  readonly records: Pick<SwitchRecords, 'read' | 'close'>
  /** Container on a side, which is open. */
  readonly targetOn: (side: Side, topic: string) => Target
  readonly clock: Clock
  readonly log: Pick<Log, 'info'>
  readonly workers: () => Iterable<PartitionWorker>
  readonly late: Pick<LateRequests, 'isUnresolved'>
  /** Commits the settled offsets that Kafka does not have yet. */
  readonly commit: () => Promise<void>
  /** Begins partitions again, as after an assignment. */
  readonly retake: (workers: readonly PartitionWorker[]) => Promise<void>
  readonly fail: (error: Error) => void
}

/** Where a partition is written to, until it begins again. */
interface Route {
  readonly side: Side
  /** The last decision that was known when the partition began. */
  readonly decided: number
  /** Set while the partition takes no records because of a switch. */
  isHeld: boolean
}

/**
 * Decides which of two containers each partition is written to. It follows the switch record: at a request, each
 * partition takes no more records, and confirms its offset once all its records have their outcomes. When the record
 * names the container that is in charge, the partitions begin again at their offsets, as after an assignment.
 */
export class Switching {
  readonly #options: SwitchingOptions
  readonly #routes: WeakMap<PartitionWorker, Route> = new WeakMap()
  /** The newest record that was read. */
  #record: SwitchRecord | undefined
  /** Why the record could not be read. */
  #readError: string | undefined
  /** Why partitions wait for a newer record. */
  #behind: string | undefined
  #isStopped = false
  #cancel: (() => void) | undefined

  constructor(options: SwitchingOptions) {
    this.#options = options
  }

  /** Polls the record from now on. */
  begin(): void {
    this.#cancel = this.#options.clock.schedule(this.#isHolding ? HOLDING_POLL_MS : POLL_MS, () => {
      this.#look()
      void this.#poll()
    })
  }

  /** A record has its outcome, so a partition may be drained now. */
  settled(): void {
    if (this.#record?.state === 'requested') this.#look()
  }

  async #poll(): Promise<void> {
    await this.#read()
    if (this.#isStopped) return
    this.#look()
    this.begin()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
    this.#options.records.close()
  }

  get waits(): readonly Wait[] {
    const waits: Wait[] = []
    const problem = this.#behind ?? this.#readError
    if (problem !== undefined) waits.push({ reason: 'switch', subject: 'record', detail: problem })
    const held = [...this.#options.workers()].filter((worker) => this.#routes.get(worker)?.isHeld === true)
    if (held.length === 0) return waits
    const confirmed = held.filter((worker) => worker.drained !== undefined && !worker.hasUncommitted).length
    const detail = `${held.length} partitions are stopped for the switch ${this.#options.id}, ${confirmed} of them are drained and confirmed`
    return [...waits, { reason: 'switch', subject: 'held', detail }]
  }

  /** Container of a partition that was routed. */
  targetOf(worker: PartitionWorker): Target {
    return this.#options.targetOn(this.#routes.get(worker)?.side ?? 'source', worker.topic)
  }

  /** Decision under which the offsets of the partition are committed. */
  decidedFor(worker: PartitionWorker): Pick<DrainedMark, 'id' | 'round'> | undefined {
    const route = this.#routes.get(worker)
    return route && { id: this.#options.id, round: route.decided }
  }

  /** A partition that begins again at another offset keeps its container. */
  inherit(worker: PartitionWorker, former: PartitionWorker): void {
    const route = this.#routes.get(former)
    if (route === undefined) return
    this.#routes.set(worker, { ...route, isHeld: false })
    this.#look()
  }

  /**
   * Reads the record after an assignment, and routes the partitions by it. An answer that contradicts the stored offsets
   * may come from a replica that is behind, so the record is read again for some time. Throws PLAN_CHANGED after that.
   */
  async route(join: Join, workers: readonly PartitionWorker[], stored: ReadonlyMap<string, Committed>): Promise<void> {
    const { clock } = this.#options
    const endMs = clock.now() + BEHIND_MS
    for (;;) {
      const isRead = await this.#read()
      if (join.hasEnded) return
      const problem = isRead ? this.#problemOf(workers, stored) : undefined
      if (isRead && problem === undefined) break
      if (problem !== undefined && clock.now() >= endMs) throw problem
      this.#behind = problem?.message
      await join.wait(HOLDING_POLL_MS)
    }
    this.#behind = undefined
    const route = { side: sideInCharge(this.#record), decided: decidedRound(this.#record) }
    for (const worker of workers) this.#routes.set(worker, { ...route, isHeld: false })
    this.#look()
  }

  /** Whether the record was read. A failure that may pass is kept for the waits. */
  async #read(): Promise<boolean> {
    const { records, fail } = this.#options
    try {
      const found = await records.read()
      this.#readError = undefined
      if (isNewer(found?.record, this.#record)) this.#follow(found!.record)
      return true
    } catch (error) {
      if (this.#isStopped) return false
      if (isKeystampError(error) && !error.retriable && error.code !== 'COSMOS_UNAUTHORIZED') fail(error)
      this.#readError = `the switch record could not be read, retrying: ${(error as Error).message.replace(/\.$/, '')}`
      return false
    }
  }

  #follow(record: SwitchRecord): void {
    const { log, id } = this.#options
    const { state, round, to } = record
    this.#record = record
    log.info({ event: 'switch', id, round, state, to }, SENTENCES[state])
  }

  get #isHolding(): boolean {
    return (
      this.#record?.state === 'requested' ||
      [...this.#options.workers()].some((worker) => this.#routes.get(worker)?.isHeld === true)
    )
  }

  /** Stops, confirms or continues partitions, as the record demands. */
  #look(): void {
    const record = this.#record
    if (record === undefined) return
    const { workers, commit, retake } = this.#options
    const ready: PartitionWorker[] = []
    let mustCommit = false
    for (const worker of workers()) {
      const route = this.#routes.get(worker)
      if (route === undefined) continue
      if (record.state === 'requested') this.#hold(worker, route, record)
      // the process has missed the request
      else if (route.side !== sideInCharge(record)) this.#stop(worker, route)
      if (!route.isHeld || worker.records.count > 0) continue
      if (worker.hasUncommitted) mustCommit = true
      else if (record.state !== 'requested' && worker.isClaimed) ready.push(worker)
    }
    if (mustCommit) void commit()
    if (ready.length > 0 && !this.#isStopped) void retake(ready)
  }

  #hold(worker: PartitionWorker, route: Route, { round }: SwitchRecord): void {
    this.#stop(worker, route)
    if (worker.drained?.round === round || worker.records.count > 0 || this.#options.late.isUnresolved(worker)) return
    worker.drained = this.#markOf(worker, route.side, round)
  }

  #stop(worker: PartitionWorker, route: Route): void {
    if (route.isHeld) return
    route.isHeld = true
    worker.stop()
  }

  #markOf({ topic }: TopicPartition, side: Side, round: number): DrainedMark {
    const { id, targetOn } = this.#options
    return { id, round, from: targetOn(side, topic).fingerprint, to: targetOn(otherSide(side), topic).fingerprint }
  }

  #problemOf(workers: readonly PartitionWorker[], stored: ReadonlyMap<string, Committed>): KeystampError | undefined {
    for (const worker of workers) {
      const why = this.#whyRefused(worker, stored.get(partitionName(worker)))
      if (why === undefined) continue
      const { topic, partition } = worker
      const what = `The group's offset in topic "${topic}", partition ${partition}`
      return new KeystampError('PLAN_CHANGED', `${what} ${why} (switch ${this.#options.id})`)
    }
    return undefined
  }

  /** Why the partition must not go on in the container that is in charge, by its stored offset. */
  #whyRefused(worker: PartitionWorker, stored: Committed | undefined): string | undefined {
    const before = stored?.position === undefined ? undefined : readMetadata(stored.metadata)
    if (before === undefined) return undefined
    const record = this.#record
    const { id, targetOn } = this.#options
    const mark = before.drained?.id === id ? before.drained : undefined
    if (mark !== undefined && mark.round > (record?.round ?? 0))
      return `was confirmed for round ${mark.round} of the switch, but the switch record is older or was deleted`
    if (before.decided?.id === id && before.decided.round > decidedRound(record))
      return `was committed after round ${before.decided.round} of the switch, but the switch record is older or was deleted`
    const side = sideInCharge(record)
    const own = targetOn(side, worker.topic)
    const other = targetOn(otherSide(side), worker.topic)
    const plan = mark?.from ?? before.plan
    if (plan === undefined || plan === own.fingerprint) return undefined
    if (plan !== other.fingerprint) {
      if (own.previousFingerprints.includes(plan)) return undefined
      return `was committed under another key plan (${plan}; the plan in charge is ${own.fingerprint})`
    }
    const recorded = record === undefined ? undefined : switchedAt(record, worker)
    if (recorded === stored!.position) return undefined
    const at = recorded === undefined ? 'the switch record names no offset for it' : `the switch was at ${recorded}`
    return `is ${stored!.position}, committed under the plan of the container that is not in charge, but ${at}`
  }
}

const POLL_MS = 250
const HOLDING_POLL_MS = 100
/** Time for which a replica of the switch record may be behind. */
const BEHIND_MS = 10_000

const SENTENCES: Readonly<Record<SwitchRecord['state'], string>> = {
  requested: 'switch requested: the partitions stop and are drained',
  switched: 'switch done: the partitions go on in the container that is in charge now',
  canceled: 'switch canceled: the partitions go on in the container that was in charge before'
}
