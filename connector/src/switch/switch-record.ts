import type { DrainedMark, TopicPartition } from '../kafka/consumer-port.ts'
import type { Side } from '../write/targets.ts'

/**
 * The switch record of a consumer group: a document in the account of the target, which the members of the group read
 * and only the owner of the move writes. It decides which container is in charge.
 */
export interface SwitchRecord {
  readonly id: string
  readonly group: string
  /** Rises with each request. */
  readonly round: number
  /** The container that is in charge if this round succeeds. */
  readonly to: Side
  /**
   * `requested`: the members stop, each partition at an offset, and confirm it. `switched`: they go on in the container
   * `to`, exactly at the offsets of the record. `canceled`: they go on in the container that was in charge before.
   */
  readonly state: 'requested' | 'switched' | 'canceled'
  /** Fingerprints of the plans before and after the last round that succeeded. */
  readonly plans?: { readonly from: string; readonly to: string }
  /** The next offset of each partition at the last round that succeeded, by topic and partition. */
  readonly offsets?: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** Container of the switch records, in the database of the target. Its partition key is the id. */
export const SWITCH_CONTAINER = 'keystamp-moves'

/** Id of the record: a container may be read by several groups, and one move switches each of them. */
export function switchId(name: string, group: string): string {
  // ids must not contain these characters
  return `${name}:${group.replaceAll(/[/\\?#]/g, '_')}`
}

/** The container that is in charge; the source until the first switch. */
export function sideInCharge(record: Pick<SwitchRecord, 'to' | 'state'> | undefined): Side {
  if (record === undefined) return 'source'
  return record.state === 'switched' ? record.to : otherSide(record.to)
}

export function otherSide(side: Side): Side {
  return side === 'source' ? 'target' : 'source'
}

/** The last round whose end is known. */
export function decidedRound(record: SwitchRecord | undefined): number {
  if (record === undefined) return 0
  return isOver(record) ? record.round : record.round - 1
}

/** Whether the first record was written later than the second one. */
export function isNewer(record: SwitchRecord | undefined, than: SwitchRecord | undefined): boolean {
  if (record === undefined || than === undefined) return record !== undefined
  return record.round > than.round || (record.round === than.round && isOver(record) && !isOver(than))
}

function isOver({ state }: SwitchRecord): boolean {
  return state !== 'requested'
}

/** The offset of a partition at the last round that succeeded; undefined if the record has none. */
export function switchedAt({ offsets }: SwitchRecord, { topic, partition }: TopicPartition): number | undefined {
  return offsets?.[topic]?.[partition]
}

/**
 * Text in place of the fingerprint, in the metadata of a drained partition. It is no fingerprint, so that a sink
 * without the switch in its configuration, or of an older version, stops there.
 */
export function drainedPlan({ id, round, from }: DrainedMark): string {
  return `stopped for the switch ${id}, round ${round}, after ${from}`
}

/** Reads a stored record. Undefined if it is none, or belongs to another group. */
export function toSwitchRecord(content: Readonly<Record<string, unknown>>, group: string): SwitchRecord | undefined {
  const record = content as unknown as SwitchRecord
  const isRecord =
    record.group === group &&
    Number.isInteger(record.round) &&
    (record.to === 'source' || record.to === 'target') &&
    ['requested', 'switched', 'canceled'].includes(record.state)
  return isRecord ? record : undefined
}
