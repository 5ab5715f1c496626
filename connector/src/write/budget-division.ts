import type { Consumer } from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Target } from './target.ts'

export interface BudgetDivisionOptions {
  readonly consumer: Pick<Consumer, 'countPartitions'>
  readonly clock: Pick<Clock, 'schedule'>
  /** Number of owned partitions. */
  readonly owned: () => number
  readonly targets: () => Iterable<Pick<Target, 'usePart'>>
  /** The partitions could not be counted several times in a row; the budget stays divided as it was until they are. */
  readonly onCountFailed: (error: Error) => void
}

/** Uses the part of the provisioned throughput that corresponds to the owned topic partitions. */
export interface BudgetDivision {
  /** Divides again. Called when partitions move and when a container was opened. */
  readonly divide: () => void
  readonly stop: () => void
}

export function divideBudget({ consumer, clock, owned, targets, onCountFailed }: BudgetDivisionOptions): BudgetDivision {
  let isAsking = false
  let isStopped = false
  let failures = 0
  let cancel: (() => void) | undefined

  function divide(): void {
    // a call during the request has no effect: `owned` is read when the answer is there
    if (isAsking || isStopped || owned() === 0) return
    cancel?.()
    isAsking = true
    void count().finally(() => {
      isAsking = false
      if (failures > 0 && !isStopped) cancel = clock.schedule(AGAIN_MS, divide)
    })
  }

  async function count(): Promise<void> {
    try {
      const all = await consumer.countPartitions()
      failures = 0
      const part = Math.min(1, owned() / all)
      if (part > 0) for (const target of targets()) target.usePart(part)
    } catch (error) {
      // one failure is normal while this member rejoins the group
      if (++failures >= MIN_FAILURES && !isStopped) onCountFailed(error as Error)
    }
  }

  return {
    divide,
    stop: () => {
      isStopped = true
      cancel?.()
    }
  }
}

const AGAIN_MS = 2000
const MIN_FAILURES = 3
