import type { EmulatorOptions, FaultRule } from '@keystamp/emulator'
import type { Action } from './actions.ts'

/** A scenario for sinks: faults and events, and the expected result. One file for each, named after its fault. */
export interface Scenario {
  readonly name: string
  /** A sentence that completes "A sink". */
  readonly title: string
  readonly emulator?: EmulatorOptions
  /** Reason why the scenario is not part of `npm test`. It runs only in `npm run test:soak`. */
  readonly onlyInSoak?: string
  /** Each sink connects to Cosmos DB through a proxy of its own, whose connections actions can hold. */
  readonly gates?: boolean
  /** Additional configuration keys of the sinks. */
  readonly sink?: object
  readonly topic?: TopicShape
  /**
   * The scenario kills brokers, so it starts this number of brokers for itself. Each of them has a replica of every
   * partition. The first one is the controller. If there are more, one of the others is the first coordinator of the
   * sinks' group.
   */
  readonly ownBrokers?: number
  /** Values in Avro with a registry. Default: JSON. */
  readonly registry?: boolean
  /** Default: 1500. */
  readonly records?: number
  /** Fraction of invalid records, which cannot be stored. Default: 0.01. */
  readonly poison?: number
  /** Produces in transactions, some of which are aborted. */
  readonly transactions?: boolean
  /** Faults that are active from the beginning. */
  readonly faults?: readonly FaultRule[]
  readonly events?: readonly ScenarioEvent[]
  readonly expect?: Expectation
  /** Runs the sinks with `write.newerBy`. Set by tests, not by files. */
  readonly isNewest?: boolean
}

export interface TopicShape {
  /** Default: 4. */
  readonly partitions?: number
  readonly config?: Readonly<Record<string, string>>
}

/** Actions that run after this number of produced records, one after the other. */
export interface ScenarioEvent {
  readonly after: number
  /** Produces no records until the actions are done. */
  readonly hold?: boolean
  readonly do: readonly Action[]
}

/** Expectations of a scenario, in addition to the laws. */
export interface Expectation {
  /** Sinks that end by themselves, with this exit code and these words in their output. */
  readonly ends?: Readonly<Record<string, { readonly code: number; readonly prints: string }>>
  /** Words that a sink must have printed, which shows that the scenario took effect. */
  readonly prints?: Readonly<Record<string, string>>
  /** Words that a sink must not have printed. */
  readonly neverPrints?: Readonly<Record<string, string>>
  /** Maximum number of assignments, by sink. */
  readonly maxAssignments?: Readonly<Record<string, number>>
  /** Some records were written a second time, because they had not been committed. */
  readonly isReplayed?: boolean
  /** Minimum number of requests that a fault hit. */
  readonly minStruck?: number
  /** The topic was deleted: only the samples and copies are checked. */
  readonly isTopicGone?: boolean
  /** No record was written a second time. */
  readonly isNeverReplayed?: boolean
  /**
   * Sink that was killed before it could report its late requests: its writes may be applied after its partitions
   * moved.
   */
  readonly lateFrom?: string
  /** Another sink claimed a partition that this sink owned when it was stopped. */
  readonly takenFrom?: string
  /**
   * This sink reported the request in which it was stopped as late. Whether the request is applied depends on the
   * connection.
   */
  readonly namesLate?: string
}
