import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from './sink-codes.ts'

/** Where rejected records are copied whole, with the reason. */
export interface RejectSink {
  /** Resolves when the copy is acknowledged. Waits, and tries again, for as long as the place cannot be reached; rejects when it never will take it. */
  readonly send: (record: SinkRecord, rejection: SinkRejection) => Promise<void>
  /** Throws what stands in the way of writing there: `Unreachable`, with a whole sentence, where that passes. */
  readonly check: () => Promise<void>
  /** Why copies wait, when they do. */
  readonly waitingFor: string | undefined
  readonly close: () => Promise<void>
}
