import { whyOldKeyUnknown } from './old-keys.ts'
import { keyMembers, type Rule } from './rule-conditions.ts'
import type { PatchSettings } from './settings.ts'
import type { ShapeStep } from './shape-settings.ts'

function increments({ operation, members }: PatchSettings): boolean {
  return operation === 'increment' || [...members.values()].some((member) => member.operation === 'increment')
}

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
    and: ['write.strategy'],
    demands:
      'can be given only with write.strategy "overwrite", "delete" or "patch": the other strategies have conditions of their own, which a newer record may not meet',
    holds: ({ write: { newerBy, strategy } }) => newerBy === undefined || /^(overwrite|delete|patch)$/.test(strategy)
  },
  {
    at: 'write.newerBy',
    and: ['move'],
    demands:
      'cannot be given with move: a move does not copy the markers of deleted documents, so an older record could store such a document again',
    holds: ({ write: { newerBy }, move }) => newerBy === undefined || move === undefined
  },
  {
    at: 'write.patch.condition',
    and: ['write.newerBy'],
    demands: 'cannot be given with write.newerBy: whether it is met would depend on the order of arrival',
    holds: ({ write: { newerBy, patch } }) => newerBy === undefined || patch?.condition === undefined
  },
  {
    at: 'write.newerBy.order',
    and: ['write.patch'],
    demands: 'must be offset if a patch increments: an increment that arrives after a newer one is left out of the sum',
    holds: ({ write: { newerBy, patch } }) =>
      newerBy === undefined || newerBy.order === 'offset' || patch === undefined || !increments(patch)
  },
  {
    at: 'write.newerBy.order',
    and: ['write.tombstones', 'value'],
    demands: 'must not be a field if deletes are stored (tombstones, change data): they do not have its new value',
    holds: ({ write: { newerBy, tombstones }, value }) =>
      typeof newerBy?.order !== 'object' || (tombstones !== 'delete' && value.format !== 'debezium')
  }
]

/** Rules about `shape`. */
export const SHAPE_RULES: readonly Rule[] = [
  {
    at: 'shape',
    and: ['write.tombstones'],
    demands: 'must not make the key from the value (`key`) if write.tombstones is "delete": a tombstone has no value',
    holds: ({ shape = [], write }) => write.tombstones !== 'delete' || !shape.some(makesKey)
  },
  {
    at: 'shape',
    and: ['write.rehome', 'value'],
    demands:
      'can be given with write.rehome only for change data (`before: envelope`), whose rows before a change get the same shape, and without `key` and inserted offsets and timestamps',
    holds: ({ shape = [], write: { rehome } }) =>
      shape.length === 0 ||
      rehome === undefined ||
      (rehome.before === 'envelope' && !shape.some((step) => makesKey(step) || insertsPosition(step)))
  }
]

function makesKey({ kind }: ShapeStep): boolean {
  return kind === 'key'
}

function insertsPosition(step: ShapeStep): boolean {
  return (
    step.kind === 'insert' &&
    [...step.fields.values()].some((given) => 'kafka' in given && /^(?:offset|timestamp)$/.test(given.kafka))
  )
}
