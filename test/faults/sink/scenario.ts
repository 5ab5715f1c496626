import type { EmulatorOptions, FaultRule } from '@keystamp/emulator'
import type { Action } from './actions.ts'

/** A scenario for sinks: faults and events, and the expected result. One file for each, named after its fault. */
export interface Scenario {
  readonly name: string
  /** A sentence that completes "A sink". */
  readonly title: string
  readonly emulator?: EmulatorOptions
  /** Not part of `npm test`: the reason. Run it with `npm run test:faults`, or for long with `npm run test:soak`. */
  readonly onlyInSoak?: string
  /** Each sink reaches Cosmos DB through a proxy of its own, whose connections actions can hold. */
  readonly gates?: boolean
  /** Additional configuration keys of the sinks. */
  readonly sink?: object
  readonly topic?: TopicShape
  /**
   * Number of brokers of its own, since the scenario kills them; each has a replica of every partition. The first one is
   * the controller. Where there are others, one of them coordinates the group of the sinks at first.
   */
  readonly ownBrokers?: number
  /** Values in the registry's Avro. Default: JSON. */
  readonly registry?: boolean
  /** Default: 1500. */
  readonly records?: number
  /** Share of the records that cannot be stored. Default: 0.01. */
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

/** Actions that run after this number of produced records, one after the other. */
export interface Happening {
  readonly after: number
  /** Nothing is produced until it is done. */
  readonly hold?: boolean
  readonly do: readonly Action[]
}

/** Expectations of a scenario, in addition to the laws. */
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
  /** Minimum number of requests that must have met one of the faults. */
  readonly leastStruck?: number
  /** The topic is gone: only what was committed is compared. */
  readonly isTopicGone?: boolean
  /** Nothing was written a second time. */
  readonly isNeverReplayed?: boolean
  /**
   * Sink that was killed before it could report its late requests: its writes may be applied after its partitions
   * moved.
   */
  readonly lateFrom?: string
  /** Another sink claimed a partition that this one had when it was stopped: it did miss something. */
  readonly takenFrom?: string
  /** This sink named the request in which it was stopped as late. Whether that is applied is up to the connection. */
  readonly namesLate?: string
}
