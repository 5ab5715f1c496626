import type { Position } from '@keystamp/core'
import { type Consumer, partitionName } from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { KafkaSettings } from '../config/settings.ts'
import type { Log } from '../log.ts'
import type { PartitionWorker } from './partition-worker.ts'
import type { Partitions } from './partitions.ts'

interface UntilEndOptions {
  readonly kafka: Pick<KafkaSettings, 'until'>
  readonly consumer: Pick<Consumer, 'ends'>
  readonly clock: Pick<Clock, 'schedule'>
  readonly log: Pick<Log, 'info'>
  readonly partitions: Pick<Partitions, 'workers'>
  /** Whether this member knows which partitions it owns. */
  readonly isSteady: () => boolean
  /** Drains the sink. */
  readonly stop: () => Promise<void>
}

/**
 * With `until: end`, stops the sink when all records have an outcome that the owned partitions had when this member first
 * got them. Records that arrive later do not count, so a producer that never stops does not keep the sink running.
 */
export function watchUntilEnd({
  kafka,
  consumer,
  clock,
  log,
  partitions,
  isSteady,
  stop
}: UntilEndOptions): { readonly stop: () => void } | undefined {
  if (kafka.until === undefined) return undefined
  const ends = new Map<string, Position>()
  let isOver = false
  let cancel = clock.schedule(EVERY_MS, () => void look())

  async function look(): Promise<void> {
    const isEnd = await isAtEnd()
    if (isOver) return
    isOver = isEnd
    if (isEnd) finish()
    else cancel = clock.schedule(EVERY_MS, () => void look())
  }

  async function isAtEnd(): Promise<boolean> {
    const unknown = [...partitions.workers].filter((worker) => !ends.has(partitionName(worker)))
    if (unknown.length > 0) {
      const found = await consumer.ends(unknown).catch(() => new Map<string, Position>())
      for (const [name, end] of found) ends.set(name, end)
    }
    // partitions may have moved during the request
    return isSteady() && [...partitions.workers].every((worker) => isRead(worker))
  }

  function isRead(worker: PartitionWorker): boolean {
    const end = ends.get(partitionName(worker))
    // a partition without records to read has no delivery
    const position = worker.records.committable ?? worker.stored.position
    return end !== undefined && position !== undefined && position >= end
  }

  function finish(): void {
    log.info({}, 'all records up to the end of the partitions have an outcome: the sink stops')
    void stop()
  }

  return {
    stop: () => {
      isOver = true
      cancel()
    }
  }
}

const EVERY_MS = 200
