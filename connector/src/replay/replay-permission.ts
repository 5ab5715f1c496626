import type { SinkSettings } from '../config/settings.ts'
import { idDefinition, type IdDefinition } from '../config/id-definition.ts'

/**
 * Settings with which dead letters are written. `newest`: the writer compares with the stored document. `create`: a
 * stored document always stays, because only missing documents are created.
 */
export interface ReplayPermission {
  readonly by: 'newest' | 'create'
  readonly settings: SinkSettings
}

/**
 * Decides how the dead letters of a sink can be written without replacing anything newer. Returns a sentence if there is
 * no such way.
 */
export function permitReplay(settings: SinkSettings): ReplayPermission | string {
  const { write, move } = settings
  if (move !== undefined)
    return 'Dead letters cannot be replayed while the configuration has `move`, because the container in charge may change meanwhile. Finish the move, and remove `move`.'
  if (write.newerBy !== undefined) return { by: 'newest', settings }
  if (write.atomic)
    return 'Dead letters cannot be replayed with `write.atomic`: a rejected batch has several records, and a dead letter is one of them.'
  const isCreated = write.strategy === 'append' || (write.strategy === 'overwrite' && hasIdOfOffset(settings))
  if (!isCreated) return `${NOTHING_NEWER} ${OPTIONS}`
  // without a marker, a replay would bring deleted documents back
  if (storesDeletes(settings))
    return `${NOTHING_NEWER} The sink deletes documents, and a deleted document leaves no trace without \`write.newerBy\`. Set \`write.newerBy\`, or no deletes.`
  return {
    by: 'create',
    settings: { ...settings, write: { ...write, strategy: 'append', rehome: undefined } }
  }
}

const NOTHING_NEWER = 'With this configuration, a replayed record could replace something newer.'
const OPTIONS =
  'Dead letters can be replayed with `write.newerBy`, with `write.strategy: append`, or with ids made of topic, partition and offset (`id.strategy: metadata`).'

function storesDeletes({ write, value }: SinkSettings): boolean {
  const { operation } = write
  return (
    write.tombstones === 'delete' ||
    value.format === 'debezium' ||
    (operation !== undefined && [...operation.values.values(), operation.other, operation.missing].includes('delete'))
  )
}

/** Whether each record has an id of its own, made of its topic, partition and offset. */
function hasIdOfOffset({ plan, id }: Pick<SinkSettings, 'plan' | 'id'>): boolean {
  if (id !== undefined) return isOfOffset(idDefinition(id))
  return plan?.id !== undefined && isOfOffset(plan.id)
}

/** The parts must be separated: otherwise partition 1 and offset 11 would make the same id as partition 11 and offset 1. */
function isOfOffset({ from, separator = '-' }: IdDefinition): boolean {
  const kinds = from.map((part) => ('kafka' in part ? part.kafka : 'literal' in part ? 'literal' : 'other'))
  const hasAll = (['topic', 'partition', 'offset'] as const).every((name) => kinds.includes(name))
  const touches = kinds.some((kind, index) => index > 0 && kind !== 'literal' && kinds[index - 1] !== 'literal')
  return hasAll && (separator !== '' || !touches)
}
