import { type Clock, waitFor } from '@keystamp/core/internal'
import { type DrainedMark, partitionName, readMetadata, type TopicPartition } from '../kafka/consumer-port.ts'
import type { Side } from '../write/targets.ts'
import { sideInCharge, type SwitchRecord } from './switch-record.ts'
import type { StoredSwitch, SwitchRecords } from './switch-records.ts'

/** A consumer group, as the brokers describe it. */
export interface GroupState {
  /** False during a rebalance. */
  readonly isStable: boolean
  /** All partitions of the topics that the members read. */
  readonly partitions: readonly GroupPartition[]
}

export interface GroupPartition extends TopicPartition {
  /** Stored offset and metadata; undefined if the group stores none. */
  readonly position: number | undefined
  readonly metadata: string
  /** The member that owns the partition, for messages. */
  readonly owner: string | undefined
}

export interface SinkSwitchOptions {
  readonly id: string
  readonly group: string
  readonly records: Pick<SwitchRecords, 'create' | 'put' | 'read'>
  readonly readGroup: () => Promise<GroupState>
  readonly clock: Clock
  /** Time for all confirmations, in milliseconds. */
  readonly confirmMs: number
  /** Called with each step, and with what the switch waits for. */
  readonly onStep: (sentence: string) => void
}

/** Whether a step of a switch was done; the reason why not is a sentence. */
export type SwitchStep = { readonly isDone: true } | { readonly isDone: false; readonly reason: string }

/**
 * The side of a switch that is not a sink: it stops the members of a group, and tells them which container is in charge.
 * Each step may be repeated, by another process, too.
 */
export class SinkSwitch {
  readonly #options: SinkSwitchOptions
  /** Round that this process has requested: a record that is older comes from a replica that is behind. */
  #round = 0

  constructor(options: SinkSwitchOptions) {
    this.#options = options
  }

  /** Asks the members to stop, and resolves when each partition has confirmed its offset. `to`: the container that shall be in charge. */
  async request(to: Side, signal?: AbortSignal): Promise<SwitchStep> {
    const { records, group } = this.#options
    await records.create()
    const stored = await this.#change((before) => {
      const record = before?.record
      if (record?.state === 'requested') return record.to === to ? 'done' : refusal('Another switch is in progress.')
      if (sideInCharge(record) === to) return refusal(`The group ${group} writes to this container already.`)
      const { id } = this.#options
      const { plans, offsets } = record ?? {}
      const round = (record?.round ?? 0) + 1
      return { id, group, round, to, state: 'requested', ...(plans && { plans }), ...(offsets && { offsets }) }
    })
    if ('isDone' in stored) return stored
    this.#round = stored.record.round
    const confirmed = await this.#confirmed(stored.record, signal)
    return 'reason' in confirmed ? refusal(confirmed.reason) : DONE
  }

  /** Tells the members to go on in the other container, at the confirmed offsets. */
  async complete(to: Side): Promise<SwitchStep> {
    const asked = (await this.#read())?.record
    if (asked?.to !== to || asked.state === 'canceled') return refusal('The switch was not requested.')
    if (asked.state === 'switched') return DONE
    // partitions may move between two members meanwhile
    const confirmed = await this.#confirmed(asked, undefined)
    if ('reason' in confirmed) return refusal(confirmed.reason)
    const step = await this.#change((before) => {
      const record = before?.record
      if (record?.round !== asked.round || record.state === 'canceled') return refusal('The switch was called off.')
      return record.state === 'switched' ? 'done' : { ...record, state: 'switched', ...confirmed }
    })
    return 'isDone' in step ? step : DONE
  }

  /** Tells the members to go on as before. */
  async cancel(to: Side): Promise<SwitchStep> {
    const step = await this.#change((before) => {
      const record = before?.record
      if (record === undefined || record.to !== to || record.state === 'canceled') return 'done'
      if (record.state === 'switched') return refusal('The sinks write to the other container already.')
      return { ...record, state: 'canceled' }
    })
    return 'isDone' in step && !step.isDone ? step : DONE
  }

  /** Waits until every partition has confirmed this round; returns the reason if that takes too long. */
  async #confirmed(
    record: SwitchRecord,
    signal: AbortSignal | undefined
  ): Promise<Confirmations | { readonly reason: string }> {
    const { readGroup, clock, confirmMs, onStep } = this.#options
    const endMs = clock.now() + confirmMs
    for (;;) {
      const confirmed = confirmationsOf(await this.#retried(readGroup, signal), record)
      if (!('reason' in confirmed)) return confirmed
      if (clock.now() >= endMs)
        return { reason: `Not every partition was confirmed within ${confirmMs / 1000} s. ${confirmed.reason}` }
      onStep(confirmed.reason)
      await waitFor(POLL_MS, clock, signal)
    }
  }

  /** Reads the record, which is not older than the request of this process. */
  async #read(): Promise<StoredSwitch | undefined> {
    for (;;) {
      const stored = await this.#retried(this.#options.records.read)
      if ((stored?.record.round ?? 0) >= this.#round) return stored
      await waitFor(POLL_MS, this.#options.clock)
    }
  }

  /** Replaces the record until no other process has changed it in between. `next` returns 'done' if it can stay. */
  async #change(
    next: (before: StoredSwitch | undefined) => SwitchRecord | SwitchStep | 'done'
  ): Promise<StoredSwitch | SwitchStep> {
    const { records } = this.#options
    for (;;) {
      const before = await this.#read()
      const record = next(before)
      if (record === 'done') return before ?? DONE
      if ('isDone' in record) return record
      // after an unknown outcome, the record is read again
      if (await this.#retried(() => records.put(record, before))) return { record, etag: '' }
      await waitFor(POLL_MS, this.#options.clock)
    }
  }

  /** Repeats until there is an answer: a switch whose outcome is not known can neither go on nor be called off. */
  async #retried<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        this.#options.onStep(`waiting, since a request has failed: ${(error as Error).message}`)
        await waitFor(RETRY_MS, this.#options.clock, signal)
      }
    }
  }
}

const POLL_MS = 50
const RETRY_MS = 500
const DONE: SwitchStep = { isDone: true }

function refusal(reason: string): SwitchStep {
  return { isDone: false, reason }
}

type Confirmations = Required<Pick<SwitchRecord, 'offsets' | 'plans'>>

/** Offsets and fingerprints that the group has confirmed for the round; a reason if something is missing. */
function confirmationsOf(
  { isStable, partitions }: GroupState,
  { id, round }: SwitchRecord
): Confirmations | { readonly reason: string } {
  if (!isStable) return { reason: 'The group is in a rebalance.' }
  if (partitions.length === 0) return { reason: 'No member of the group runs.' }
  const offsets: Record<string, Record<string, number>> = {}
  const missing: GroupPartition[] = []
  const marks = new Map<string, DrainedMark>()
  for (const each of partitions) {
    const mark = readMetadata(each.metadata)?.drained
    if (each.position === undefined || mark?.id !== id || mark.round !== round) missing.push(each)
    else {
      marks.set(`${mark.from} ${mark.to}`, mark)
      offsets[each.topic] = { ...offsets[each.topic], [each.partition]: each.position }
    }
  }
  if (missing.length > 0) return { reason: missingText(missing, partitions.length) }
  if (marks.size > 1)
    return { reason: 'The members of the group have different plans: give all of them the same configuration.' }
  const [{ from, to }] = marks.values()
  return { offsets, plans: { from, to } }
}

function missingText(missing: readonly GroupPartition[], all: number): string {
  const named = missing
    .slice(0, MAX_NAMES)
    .map((each) => `${partitionName(each)} (${each.owner ?? 'no member owns it'})`)
    .join(', ')
  const more = missing.length > MAX_NAMES ? ` and ${missing.length - MAX_NAMES} more` : ''
  return `${all - missing.length} of ${all} partitions are confirmed; missing: ${named}${more}.`
}

const MAX_NAMES = 3
