import type { Rule } from './rule-conditions.ts'
import { whyUnresolved } from './tombstone-keys.ts'

/** Rules about change data, and other records that delete documents. */
export const CHANGE_DATA_RULES: readonly Rule[] = [
  {
    at: 'write.tombstones',
    and: ['plan', 'id'],
    demands:
      'must not be "delete" unless the partition key and the id come only from the Kafka key, the topic and the partition',
    holds: ({ write, plan, id }) => {
      const why = write.tombstones === 'delete' ? whyUnresolved({ plan, id }) : undefined
      return (
        why === undefined || `cannot be "delete", since a record without a value does not identify its document: ${why}`
      )
    }
  },
  {
    at: 'write.rehome.before',
    and: ['value'],
    demands:
      'can be "envelope" only if value is debezium; `after` alone is the record then, so nothing else has the image but a header',
    holds: ({ write: { rehome }, value }) =>
      rehome === undefined ||
      (value.format === 'debezium'
        ? rehome.before === 'envelope' || 'header' in rehome.before
        : rehome.before !== 'envelope')
  },
  {
    at: 'write.operation',
    and: ['value'],
    demands: 'must not be given for change data of Debezium, whose records have an `op`',
    holds: ({ write, value }) => write.operation === undefined || value.format !== 'debezium'
  }
]
