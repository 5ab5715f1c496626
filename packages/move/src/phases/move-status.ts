import type { CopyStatus } from '../copy/move-copy.ts'
import type { JournalState, Phase } from '../journal/journal.ts'
import type { Gate } from './gates.ts'

/** The state of a move at one moment. */
export interface MoveStatus {
  readonly phase: Phase
  readonly phaseAt: string | undefined
  readonly step: string
  /** When the step began. */
  readonly stepAt: string
  readonly copy: CopyStatus | undefined
  readonly lagSeconds: number | undefined
  readonly rejected: number
  readonly compared: JournalState['compared']
  /** Conditions of the switch, or of the way back. */
  readonly gates: readonly Gate[]
  /** Changes of others in the container that is not in charge any more. */
  readonly stragglers: number
}
