import type { Control, EmulatorOptions, FaultRule } from '@keystamp/emulator'
import type { WriterOptions } from '@keystamp/cosmos'

/** What happens to a writer, and what must come of it. */
export interface Scenario {
  /** A sentence that completes "The writer". */
  readonly title: string
  readonly emulator?: EmulatorOptions
  readonly writer?: Partial<WriterOptions>
  /** In force from the beginning. */
  readonly faults?: readonly FaultRule[]
  readonly writes?: number
  /** Done once so many operations were handed in. */
  readonly happenings?: readonly Happening[]
  /** How many operations may end as OUTCOME_UNKNOWN, and how many may be rejected for another reason. Default: none. */
  readonly mayEndUnknown?: boolean
  readonly mayBeRejected?: boolean
  /** The code of the error that stops the writer. Default: it does not stop. */
  readonly stops?: string
  /** Statuses, or `lost`, that must have been met. */
  readonly meets?: readonly string[]
  /** At least so many operations must have been told to wait. */
  readonly leastThrottled?: number
  /** Ends all faults after this time, so that the work can go on. */
  readonly calmAfterMs?: number
  /** Only upserts are written: the container is new in the middle, for instance. */
  readonly onlyUpserts?: boolean
  /** What is stored is not compared: part of it was deleted by others. */
  readonly isStoreLost?: boolean
}

export interface Happening {
  readonly after: number
  readonly happens: (world: World) => unknown
}

/** What a happening can lay hands on. */
export interface World {
  readonly emulator: Control
  readonly database: string
  readonly container: string
  readonly deleteContainer: () => Promise<void>
  readonly createContainer: () => Promise<void>
}
