import type { Rejection, StampedBytes } from '@keystamp/core'
import { RECORD_CODES } from '@keystamp/core'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { KeyedRecord } from './mapping.ts'
import { rejectImage } from './previous-image.ts'
import type { Stamper } from './stamper.ts'

interface DeletedRowOptions {
  /** Makes key and id of the Kafka key alone; undefined if the configuration needs more than that. */
  readonly stampKey: ((record: KeyedRecord) => StampedBytes | Rejection) | undefined
  /** Not that of the records: it remembers the layout of the images. */
  readonly stampImage: Stamper['stampBytes']
}

/** Finds key and id of the document that a delete of change data removes. `before`: the deleted row, if it is known. */
export type NameDeleted = (before: Uint8Array | undefined, record: KeyedRecord) => StampedBytes | SinkRejection

/**
 * Creates the finder. The Kafka key comes first: a database may write only a part of a deleted row, with null, 0 or an
 * empty string for the rest, and such a row would give another key.
 */
export function createNameDeleted({ stampKey, stampImage }: DeletedRowOptions): NameDeleted {
  return (before, record) => {
    const byKey = stampKey?.(record)
    if (byKey?.ok === true) return byKey
    if (before === undefined) return rejectDelete(byKey)
    const byImage = stampImage(before, record)
    return byImage.ok ? byImage : rejectImage(byImage, '/before')
  }
}

function rejectDelete(byKey: Rejection | undefined): SinkRejection {
  const { sentence } = RECORD_CODES.BEFORE_MISSING
  const message = byKey === undefined ? sentence : `${sentence} ${byKey.message}`
  return { ok: false, stage: 'map', code: 'BEFORE_MISSING', message, path: '/before' }
}
