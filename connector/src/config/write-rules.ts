import { whyOldKeyUnknown } from './old-keys.ts'
import { keyMembers, type Rule } from './rule-conditions.ts'

/** The rules of the keys under `write`. */
export const WRITE_RULES: readonly Rule[] = [
  {
    at: 'write.patch',
    and: ['write.strategy'],
    demands: 'can be given only with write.strategy "patch"',
    holds: ({ write }, written) => !written('write.patch') || write.strategy === 'patch'
  },
  {
    at: 'write.ttl',
    and: ['write.strategy'],
    demands:
      'can be given only with a strategy that stores whole documents: overwrite, append or overwriteIfNotModified',
    holds: ({ write }) =>
      write.ttl === undefined || ['overwrite', 'append', 'overwriteIfNotModified'].includes(write.strategy)
  },
  {
    at: 'write.dropProperties',
    and: ['plan'],
    demands: 'must not name properties of the key or the id',
    holds: ({ write, plan }) => {
      const kept = new Set(['id', ...keyMembers(plan)])
      const found = write.drop.find((member) => kept.has(member))
      return found === undefined || `must not name ${found}: the key or the id is stored there`
    }
  },
  {
    at: 'write.metadata.into',
    and: ['plan', 'write.dropProperties'],
    demands: 'must be a property that has no other use',
    holds: ({ write, plan }) =>
      write.metadata === undefined ||
      !['id', 'ttl', '_etag', ...keyMembers(plan), ...write.drop].includes(write.metadata.into)
  },
  {
    at: 'write.rehome',
    and: ['write.strategy', 'write.atomic'],
    demands: 'can be given only with write.strategy "overwrite", and without write.atomic: an atomic batch has one key',
    holds: ({ write: { rehome, strategy, atomic } }) => rehome === undefined || (strategy === 'overwrite' && !atomic)
  },
  {
    at: 'write.rehome',
    and: ['plan', 'id'],
    demands:
      'can be given only with a plan whose keys and ids are made of the document, the Kafka key, the topic and the partition',
    holds: ({ write, plan, id }) => {
      const why = write.rehome === undefined ? undefined : whyOldKeyUnknown({ plan, id })
      return why === undefined || `cannot be given, since the old key of a document would not be known: ${why}`
    }
  },
  {
    at: 'write.newerBy',
    and: ['write.strategy', 'write.atomic', 'move'],
    demands: 'can be given only with write.strategy "overwrite" or "delete", without write.atomic, move',
    holds: ({ write: { newerBy, strategy, atomic }, move }) =>
      newerBy === undefined || (/^(overwrite|delete)$/.test(strategy) && !atomic && move === undefined)
  },
  {
    at: 'write.newerBy.order',
    and: ['write.tombstones', 'value'],
    demands: 'must not be a field if deletes are stored (tombstones, change data): they do not have its new value',
    holds: ({ write: { newerBy, tombstones }, value }) =>
      typeof newerBy?.order !== 'object' || (tombstones !== 'delete' && value.format !== 'debezium')
  }
]
