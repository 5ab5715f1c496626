import type { StampedBytes } from '@keystamp/core'
import type { WriteSettings } from '../config/settings.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'
import type { KeyedRecord } from './keyed-record.ts'
import { createMemberEdit } from './member-edit.ts'
import { createMetadata } from './record-metadata.ts'
import { createTimeToLive } from './time-to-live.ts'

/** Adds and leaves out what the settings say beside key and id; undefined where they say nothing. */
export function createExtras({
  ttl,
  metadata,
  drop
}: WriteSettings): ((stamped: StampedBytes, record: KeyedRecord) => StampedBytes | SinkRejection) | undefined {
  if (ttl === undefined && metadata === undefined && drop.length === 0) return undefined
  const edit = createMemberEdit(drop, metadata === undefined ? ['ttl'] : ['ttl', metadata.into])
  const timeToLive = ttl === undefined ? undefined : createTimeToLive(ttl)
  const describe = metadata === undefined ? undefined : createMetadata(metadata)

  return (stamped, record) => {
    const seconds = timeToLive?.(stamped)
    if (typeof seconds === 'object') return seconds
    return edit(stamped, [seconds === undefined ? undefined : String(seconds), describe && JSON.stringify(describe(record))])
  }
}
