import { type Consumer, partitionName } from '../consume/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { PartitionFlow } from './partition-flow.ts'

export interface EndWatchOptions {
  readonly consumer: Pick<Consumer, 'ends'>
  readonly clock: Clock
  readonly flows: () => Iterable<PartitionFlow>
}

/** Asks now and then where the partitions end that are held back: their lag grows, and no fetch tells of it. */
export function watchEnds({ consumer, clock, flows }: EndWatchOptions): { readonly stop: () => void } {
  let isStopped = false
  let cancel = clock.schedule(EVERY_MS, look)

  function look(): void {
    const paused = [...flows()].filter(({ isPaused }) => isPaused)
    void (paused.length === 0 ? Promise.resolve() : ask(paused)).then(() => {
      if (!isStopped) cancel = clock.schedule(EVERY_MS, look)
      return undefined
    })
  }

  async function ask(paused: readonly PartitionFlow[]): Promise<void> {
    try {
      const ends = await consumer.ends(paused)
      for (const flow of paused) flow.highWatermark = ends.get(partitionName(flow)) ?? flow.highWatermark
    } catch {
      // the numbers are a little older then
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
