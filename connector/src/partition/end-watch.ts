import { type Consumer, partitionName } from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { PartitionFlow } from './partition-flow.ts'

export interface EndWatchOptions {
  readonly consumer: Pick<Consumer, 'ends'>
  readonly clock: Clock
  readonly flows: () => Iterable<PartitionFlow>
}

/** Reads the end offsets of partitions that are paused, or of which nothing was delivered yet, every 5 s: fetches do not report their lag. */
export function watchEnds({ consumer, clock, flows }: EndWatchOptions): { readonly stop: () => void } {
  let isStopped = false
  let cancel = clock.schedule(EVERY_MS, look)

  function look(): void {
    const unknown = [...flows()].filter(({ isPaused, highWatermark }) => isPaused || highWatermark === undefined)
    void (unknown.length === 0 ? Promise.resolve() : ask(unknown)).then(() => {
      if (!isStopped) cancel = clock.schedule(EVERY_MS, look)
      return undefined
    })
  }

  async function ask(unknown: readonly PartitionFlow[]): Promise<void> {
    try {
      const ends = await consumer.ends(unknown)
      for (const flow of unknown) flow.highWatermark = ends.get(partitionName(flow)) ?? flow.highWatermark
    } catch {
      // the lag stays as it was until the next look
    }
  }

  return {
    stop: () => {
      isStopped = true
      cancel()
    }
  }
}

const EVERY_MS = 5000
