import type { StampedBytes } from '@keystamp/core'
import type { WriteSettings } from '../config/settings.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'
import { namesOf, valueAt } from './json-value.ts'
import { rejectShape } from './reject-shape.ts'

/** How long a document lives, in seconds; undefined where the container decides. */
export type TimeToLive = (stamped: StampedBytes) => number | undefined | SinkRejection

/** Reads a record's time to live; where the field is missing or null, the container decides. */
export function createTimeToLive(ttl: NonNullable<WriteSettings['ttl']>): TimeToLive {
  if (typeof ttl === 'number') return () => ttl
  const { field } = ttl
  const pointer = namesOf(field)
  return (stamped) => {
    const value = valueAt(stamped, pointer) ?? undefined
    return value === undefined || isTimeToLive(value) ? value : rejectShape('TTL_INVALID', field)
  }
}

/** Whether Cosmos DB takes it: -1 for never, or seconds. */
function isTimeToLive(value: unknown): value is number {
  return Number.isInteger(value) && (value === -1 || ((value as number) > 0 && (value as number) < 2 ** 31))
}
