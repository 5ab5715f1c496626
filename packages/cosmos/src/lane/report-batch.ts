import type { BatchEvent } from './batch-event.ts'
import type { Batch } from './dispatcher.ts'

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
