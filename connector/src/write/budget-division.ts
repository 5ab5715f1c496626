import type { Consumer } from '../consume/consumer-port.ts'
import type { Target } from './target.ts'

export interface BudgetDivisionOptions {
  readonly consumer: Pick<Consumer, 'countPartitions'>
  /** How many partitions are ours. */
  readonly owned: () => number
  readonly targets: () => Iterable<Pick<Target, 'usePart'>>
  /** The budget stays divided as it was. */
  readonly onTrouble: (error: Error) => void
}

/** Divides what is bought as the partitions are: called whenever they move, or a container was opened. */
export function divideBudget({ consumer, owned, targets, onTrouble }: BudgetDivisionOptions): () => void {
  let isAsking = false
  return () => {
    // who asks meanwhile is answered by the same count: what is owned, and by how many, is looked at when it is there
    if (isAsking) return
    isAsking = true
    void divide().finally(() => {
      isAsking = false
    })
  }

  async function divide(): Promise<void> {
    try {
      const count = await consumer.countPartitions()
      const part = Math.min(1, owned() / count)
      if (part > 0) for (const target of targets()) target.usePart(part)
    } catch (error) {
      onTrouble(error as Error)
    }
  }
}
