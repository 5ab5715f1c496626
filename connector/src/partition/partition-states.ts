import { KeystampError } from '@keystamp/core'

/** State of a partition on this member. */
export type PartitionState =
  /** Gained; its first offset is not known yet. */
  | 'new'
  /** Takes records, but processes none: the group has not stored the claim of the partition. */
  | 'unclaimed'
  /** Processes its records. */
  | 'working'
  /** The first record of the inbox waits for its schema. */
  | 'decoding'
  /** The first record of the inbox waits until the records in process take less memory. */
  | 'full'
  /** Another member owns the partition: the open records must not be sent, and get no outcome. */
  | 'lost'

export type PartitionEvent =
  /** The first offset of the partition became known. */
  | 'begin'
  /** The partition begins again at another offset. */
  | 'restart'
  /** A fetch delivered records of the partition. */
  | 'take'
  /** The group has stored the claim of the partition. */
  | 'claim'
  /** The schema of a record has to be fetched first. */
  | 'defer'
  /** The record with that schema was decoded. */
  | 'decoded'
  /** The records in process use up the memory share of the partition. */
  | 'fill'
  /** The records in process take less memory than the share again. */
  | 'drain'
  /** The outcome of a write, or the acknowledgment of a copy, arrived. */
  | 'answer'
  /** The group assigned the partition to another member, or this member gives it up. */
  | 'lose'

/** Next state for each state and event; an event that is not listed is a defect. The last state is final. */
const NEXT_STATE: Readonly<Record<PartitionState, Readonly<Partial<Record<PartitionEvent, PartitionState>>>>> = {
  new: { begin: 'unclaimed', restart: 'unclaimed', lose: 'lost' },
  unclaimed: { restart: 'unclaimed', take: 'unclaimed', claim: 'working', lose: 'lost' },
  working: { take: 'working', defer: 'decoding', fill: 'full', answer: 'working', lose: 'lost' },
  decoding: { take: 'decoding', decoded: 'working', answer: 'decoding', lose: 'lost' },
  full: { take: 'full', drain: 'working', answer: 'full', lose: 'lost' },
  lost: { decoded: 'lost', answer: 'lost', lose: 'lost' }
}

export function nextState(state: PartitionState, event: PartitionEvent): PartitionState {
  return NEXT_STATE[state][event] ?? impossible(state, event)
}

/** Delivery of a partition: `stopped` from the beginning of a shutdown or a switch on. */
export type DeliveryState = 'flowing' | 'paused' | 'stopped'

export type DeliveryEvent = 'pause' | 'resume' | 'stop'

/** Next state for each state and event; an event that is not listed is a defect. The last state is final. */
const NEXT_DELIVERY: Readonly<Record<DeliveryState, Readonly<Partial<Record<DeliveryEvent, DeliveryState>>>>> = {
  flowing: { pause: 'paused', resume: 'flowing', stop: 'stopped' },
  paused: { resume: 'flowing', stop: 'stopped' },
  stopped: { resume: 'stopped', stop: 'stopped' }
}

/** Fraction of the memory share at which a paused partition resumes: these records last until the next fetch. */
export const RESUME_SHARE = 0.7

export function nextDelivery(state: DeliveryState, event: DeliveryEvent): DeliveryState {
  return NEXT_DELIVERY[state][event] ?? impossible(state, event)
}

function impossible(state: string, event: string): never {
  throw new KeystampError('INVARIANT_BROKEN', `A partition cannot have the event "${event}" in the state "${state}".`)
}
