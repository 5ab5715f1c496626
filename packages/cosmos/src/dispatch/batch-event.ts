import type { Batch } from './dispatcher.ts'

/** What those who listen learn of each batch. */
export interface BatchEvent {
  readonly rangeId: string
  readonly operations: number
  readonly bytes: number
  readonly isAtomic: boolean
  readonly latencyMs: number
  readonly chargedRu: number
  /** RU that were expected. */
  readonly expectedRu: number
  readonly throttledOperations: number
  /** `answered`; the status of a request of which every operation failed and is tried again; or why there is no answer. */
  readonly result: string
}

/** Tells those who listen what became of a batch. */
export function reportBatch(
  onBatch: ((event: BatchEvent) => void) | undefined,
  { lane, elements, bytes, payment, operations }: Batch,
  seen: Pick<BatchEvent, 'latencyMs' | 'chargedRu' | 'throttledOperations' | 'result'>
): void {
  onBatch?.({
    rangeId: lane.range.id,
    operations: elements.length,
    bytes,
    isAtomic: operations[0].group !== undefined,
    expectedRu: payment.ru,
    ...seen
  })
}
