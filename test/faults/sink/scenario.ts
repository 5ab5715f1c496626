import type { EmulatorOptions, FaultRule } from '@keystamp/emulator'
import type { Deed } from './deeds.ts'

/** What happens to sinks and to the world around them, and what must come of it: one file each, named for what the world does. */
export interface Scenario {
  readonly name: string
  /** A sentence that completes "A sink". */
  readonly title: string
  readonly emulator?: EmulatorOptions
  /** Not part of `npm test`: the reason. Run it with `npm run test:faults`, or for long with `npm run test:soak`. */
  readonly onlyInSoak?: string
  /** Each sink reaches Cosmos DB through a proxy of its own, whose connections deeds can hold. */
  readonly gates?: boolean
  /** Keys of the sinks' configuration beside ours. */
  readonly sink?: object
  readonly topic?: TopicShape
  /** So many brokers that nobody else uses, because they are killed; each has a copy of everything. */
  readonly ownBrokers?: number
  /** Values in the registry's Avro. Default: JSON. */
  readonly registry?: boolean
  /** Default: 1500. */
  readonly records?: number
  /** Of all, about so many cannot be stored. Default: 0.01. */
  readonly poison?: number
  /** In transactions, of which some are aborted. */
  readonly transactions?: boolean
  /** In force from the beginning. */
  readonly faults?: readonly FaultRule[]
  readonly happenings?: readonly Happening[]
  readonly expect?: Expectation
}

export interface TopicShape {
  /** Default: 4. */
  readonly partitions?: number
  readonly config?: Readonly<Record<string, string>>
}

/** What is done to the world once so many records were produced, one deed after the other. */
export interface Happening {
  readonly after: number
  /** Nothing is produced until it is done. */
  readonly hold?: boolean
  readonly do: readonly Deed[]
}

/** What must come of a scenario, beside the laws. */
export interface Expectation {
  /** Sinks that end by themselves, with this exit code and these words among their last. */
  readonly ends?: Readonly<Record<string, { readonly code: number; readonly says: string }>>
  /** Words that a sink must have said: the scenario did happen to it. */
  readonly says?: Readonly<Record<string, string>>
  /** Words that a sink must not have said. */
  readonly saysNot?: Readonly<Record<string, string>>
  /** How often this sink is told its partitions, at most. */
  readonly mostAssignments?: Readonly<Record<string, number>>
  /** Something was written a second time, because it had not been committed. */
  readonly isReplayed?: boolean
  /** So many requests at least met one of the faults. */
  readonly leastStruck?: number
  /** The topic is gone: only what was committed is compared. */
  readonly isTopicGone?: boolean
  /** Nothing was written a second time. */
  readonly isNeverReplayed?: boolean
  /** What this sink sent before its partitions moved is applied after that, and it was killed before it could report it: forgiven. */
  readonly lateFrom?: string
  /** Another sink claimed a partition that this one had when it was stopped: it did miss something. */
  readonly takenFrom?: string
  /** This sink named the request in which it was stopped as late. Whether that is applied is up to the connection. */
  readonly namesLate?: string
}
