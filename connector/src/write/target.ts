import type { Fence, Operation, Outcome, WriterStats } from '@keystamp/cosmos'
import type { Decoded } from '../decode/decoder.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'

/** What became of an operation; an error where the work behind it has stopped. */
export type Answer = Outcome | Error

/** A container that records are written to. */
export interface Target {
  readonly container: string
  /** Names what decides keys and ids. */
  readonly fingerprint: string
  /** Fingerprints whose keys this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** What works, but not as somebody may expect. */
  readonly warnings: readonly string[]
  /** What is to be done with a record; `ignore` where nothing is. */
  readonly map: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
  /** Answers exactly once. What was not sent yet when its fence went up is not sent any more. */
  readonly submit: (operation: Operation, fence: Fence, settle: (answer: Answer) => void) => void
  /** The same for operations on one key that are applied all or none. */
  readonly submitAtomic: (operations: readonly Operation[], fence: Fence, settle: (answers: readonly Answer[]) => void) => void
  /** Uses only this part of its share from now on. */
  readonly usePart: (part: number) => void
  /** Every wait of its writes at this moment. */
  readonly waits: readonly Wait[]
  readonly stats: () => WriterStats
  /** Sends what it holds, and gives up after so long. */
  readonly close: (deadlineMs: number) => Promise<void>
}
