import type { Rule } from './rule-conditions.ts'

/** Rules about change data: records that say whether a document is stored or deleted. */
export const CHANGE_DATA_RULES: readonly Rule[] = [
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
