import type { StampedBytes } from '@keystamp/core'
import type { ChangePosition, PatchOperation } from '@keystamp/cosmos'
import type { NewerBySettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import { type KeyedRecord, namesOf, rejectMapping, type ToOperation, valueAt } from './mapping.ts'

/** Adds the position of the record, by which the writer finds the newest change of a document. */
export function withPosition(store: ToOperation, newerBy: Pick<NewerBySettings, 'order'>): ToOperation {
  const positionOf = positions(newerBy)
  const field = typeof newerBy.order === 'object' && 'field' in newerBy.order ? namesOf(newerBy.order.field) : undefined

  /** The sink recognizes its own patch by the place. A patch need not contain the field that orders it. */
  function toOrderedPatch(patch: PatchOperation, stamped: StampedBytes, position: ChangePosition): ToOrdered {
    if (position.place === undefined) return rejectMapping('TOPIC_ID_MISSING')
    if (field === undefined) return { ...patch, position }
    return { ...patch, position: { ...position, value: valueAt(stamped, field) as number } }
  }

  return (stamped, record) => {
    const position = positionOf(record)
    if ('ok' in position) return position
    const operation = store(stamped, record)
    if (!('kind' in operation)) return operation
    if (operation.kind === 'upsert') return { ...operation, position }
    if (operation.kind === 'patch') return toOrderedPatch(operation, stamped, position)
    // a missing document needs a marker, too: older records of it may follow
    return { kind: 'delete', stamped, position }
  }
}

type ToOrdered = PatchOperation | SinkRejection

/** The function that finds the position of a record; the writer itself reads a field of the document. */
function positions({ order }: Pick<NewerBySettings, 'order'>): (record: KeyedRecord) => ChangePosition | SinkRejection {
  if (order === 'offset') return (record) => withPlace(record) ?? rejectMapping('TOPIC_ID_MISSING')
  if (typeof order === 'object' && 'placeIn' in order) return (record) => ({ place: placeOf(record) })
  if (order !== 'timestamp') return (record) => withPlace(record) ?? {}
  return (record) => {
    const value = Number(record.timestamp)
    // Kafka has -1 for no timestamp
    return value >= 0 ? { value, ...withPlace(record) } : rejectMapping('TIMESTAMP_MISSING')
  }
}

/** The place that `write.metadata` stores. */
function placeOf({ topic, partition, offset, timestamp }: KeyedRecord): NonNullable<ChangePosition['place']> {
  const ms = Number(timestamp)
  return { topic, partition, offset, ...(ms >= 0 ? { timestamp: ms } : {}) }
}

function withPlace({ topicId, partition, offset }: KeyedRecord): Pick<ChangePosition, 'place'> | undefined {
  return topicId === undefined ? undefined : { place: { topic: topicId, partition, offset } }
}
