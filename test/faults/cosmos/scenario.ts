import type { WriterOptions } from '@keystamp/cosmos'
import type { EmulatorOptions, FaultRule } from '@keystamp/emulator'
import type { Deed } from './deeds.ts'

/** What happens to a writer, and what must come of it: one file each, named for what the world does. */
export interface Scenario {
  readonly name: string
  /** A sentence that completes "The writer". */
  readonly title: string
  readonly emulator?: EmulatorOptions
  readonly writer?: Partial<WriterOptions>
  /** Default: 300. */
  readonly writes?: number
  /** Others would meet a container that is another one in the middle. Default: all kinds of operations. */
  readonly onlyUpserts?: boolean
  /** In force from the beginning. */
  readonly faults?: readonly FaultRule[]
  /** Ends all faults after this time, so that the work can go on. */
  readonly calmAfterMs?: number
  readonly happenings?: readonly Happening[]
  readonly expect?: Expectation
}

/** What is done to the world once so many operations were handed in. */
export interface Happening {
  readonly after: number
  readonly do: readonly Deed[]
}

/** What must come of a scenario, beside the laws. */
export interface Expectation {
  /** Codes that records may be rejected for. Default: none. */
  readonly mayReject?: readonly string[]
  /** The code of the error that stops the writer. Default: it does not stop. */
  readonly stops?: string
  /** Statuses, or `lost`, that must have been met. */
  readonly meets?: readonly string[]
  /** At least so many operations must have been told to wait. */
  readonly leastThrottled?: number
}
