import type { WriterOptions } from '@keystamp/cosmos'
import type { EmulatorOptions, FaultRule } from '@keystamp/emulator'
import type { Action } from './actions.ts'

/** A scenario for a writer: its faults, and the expected result. One file for each, named after its fault. */
export interface Scenario {
  readonly name: string
  /** A sentence that completes "The writer". */
  readonly title: string
  readonly emulator?: EmulatorOptions
  readonly writer?: Partial<WriterOptions>
  /** Default: 300. */
  readonly writes?: number
  /**
   * Uses only upserts: other operations may be rejected if the container is replaced meanwhile. Default: all kinds of
   * operations.
   */
  readonly onlyUpserts?: boolean
  /** Faults that are active from the beginning. */
  readonly faults?: readonly FaultRule[]
  /** Ends all faults after this time, so that the writer can continue. */
  readonly calmAfterMs?: number
  readonly events?: readonly ScenarioEvent[]
  readonly expect?: Expectation
}

/** Actions that run after this number of submitted operations. */
export interface ScenarioEvent {
  readonly after: number
  readonly do: readonly Action[]
}

/** Expectations of a scenario, in addition to the laws. */
export interface Expectation {
  /** Codes that records may be rejected for. Default: none. */
  readonly mayReject?: readonly string[]
  /** The code of the error that stops the writer. Default: it does not stop. */
  readonly stops?: string
  /** Statuses, or `lost`, that must have occurred. */
  readonly meets?: readonly string[]
  /** Minimum number of operations that must have been throttled. */
  readonly minThrottled?: number
}
