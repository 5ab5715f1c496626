import { KeystampError } from '@keystamp/core'
import { idDefinition, type IdDefinition } from '../config/id-definition.ts'
import { hasRandomSuffix } from '../config/rule-conditions.ts'
import { storesDeletes } from '../config/tombstone-keys.ts'
import type { SinkSettings } from '../config/settings.ts'
import type { SinkDependencies } from '../dependencies.ts'
import type { Log } from '../log.ts'
import {
  byPosition,
  createFilter,
  type DeadLetterCounts,
  DeadLetterFinder,
  type ReplayFilter
} from './find-dead-letters.ts'
import { readDeadLetterTopic } from './read-dead-letter-topic.ts'
import { openReplayJournal, readReplayJournal } from './replay-journal.ts'
import { createExpiry, type ReplayResult, ReplayRun } from './replay-run.ts'

export interface ReplayOptions {
  /** One of the `sinks` that `readConfig` returns. */
  readonly settings: SinkSettings
  readonly filter: ReplayFilter
  /** Files of dead letters. Default: the dead-letter topic or file of the sink. */
  readonly files: readonly string[]
  /** Folder with the marks of dead letters that were replayed. */
  readonly journal: string
  /** Only counts: `run` is not possible. */
  readonly isDryRun: boolean
  readonly log: Log
  readonly signal: AbortSignal
  /** Replaces dependencies, for tests. */
  readonly changes?: Partial<SinkDependencies>
}

export interface Replay {
  /** The dead letters that were read. */
  readonly counts: Readonly<DeadLetterCounts>
  /** How nothing newer is replaced. */
  readonly by: ReplayPermission['by']
  /** Writes the dead letters that match. Throws if a service refuses, or the journal cannot be written. */
  readonly run: (onProgress?: (done: number) => void) => Promise<ReplayResult>
  readonly close: () => void
}

/**
 * Reads the dead letters of a sink, and counts those that match. Writes nothing into Cosmos DB before `run`. Throws
 * CONFIG_INVALID if a replay could replace something newer, JOURNAL_INVALID, or an error of Kafka or of a file.
 */
export async function openReplay(options: ReplayOptions): Promise<Replay> {
  const { settings, filter, journal: folder, isDryRun, log, signal, changes } = options
  const permission = permitReplay(settings)
  if (typeof permission === 'string') throw new KeystampError('CONFIG_INVALID', permission)
  const sources = sourcesOf(options)
  const owner = { sink: settings.name, target: targetOf(settings) }
  const journal = isDryRun ? undefined : openReplayJournal(folder, owner)
  const known = isDryRun ? readReplayJournal(folder, owner) : undefined
  const finder = new DeadLetterFinder({
    settings,
    passes: createFilter(filter),
    isReplayed: (mark) => (known ?? journal!).has(mark),
    isExpired: createExpiry(settings),
    folder: isDryRun ? undefined : folder
  })
  const close = (): void => {
    finder.close()
    journal?.close()
  }
  try {
    if ('topic' in sources) {
      const onRecord = finder.takeRecord.bind(finder)
      await readDeadLetterTopic({ kafka: settings.kafka, topic: sources.topic, log, signal, onRecord })
    } else for (const path of sources.files) await finder.readFile(path, signal)
  } catch (error) {
    close()
    throw error
  }
  return {
    counts: finder.counts,
    by: permission.by,
    run: (onProgress) =>
      new ReplayRun({ settings: permission.settings, journal: journal!, log, signal, changes }).run(
        finder.found.toSorted(byPosition),
        onProgress
      ),
    close
  }
}

function sourcesOf({
  files,
  settings: { rejects }
}: ReplayOptions): { readonly topic: string } | { readonly files: readonly string[] } {
  if (files.length > 0) return { files }
  if (rejects.topic !== undefined) return { topic: rejects.topic }
  if (rejects.file !== undefined) return { files: [rejects.file] }
  throw new KeystampError(
    'OPTION_INVALID',
    'The configuration has no dead-letter topic and no file (`rejects.topic`, `rejects.file`). Name files of dead letters.'
  )
}

function targetOf({ cosmos: { endpoint, database, container } }: SinkSettings): string {
  const containers = typeof container === 'string' ? container : [...container].map((pair) => pair.join(':')).join(',')
  return `${endpoint.replace(/\/$/, '')}/${database}/${containers}`
}

/**
 * Settings with which dead letters are written. `newest`: the writer compares with the stored document by
 * `write.newerBy`; `offset`: by the offset that `write.metadata` has stored in it. `create`: a stored document always
 * stays, because only missing documents are created.
 */
export interface ReplayPermission {
  readonly by: 'newest' | 'offset' | 'create'
  readonly settings: SinkSettings
}

/**
 * Decides how the dead letters of a sink can be written without replacing anything newer. Returns a sentence if there is
 * no such way.
 */
export function permitReplay(settings: SinkSettings): ReplayPermission | string {
  const { write, move, plan } = settings
  if (move !== undefined)
    return 'Dead letters cannot be replayed while the configuration has `move`, because the container in charge may change meanwhile. Finish the move, and remove `move`.'
  // repeated after a kill, a record would get another key
  if (plan !== undefined && hasRandomSuffix(plan))
    return 'Dead letters cannot be replayed with a random suffix: the document of a record may be stored under any suffix. Set `suffix.by` to a field in the key plan.'
  if (write.atomic)
    return 'Dead letters cannot be replayed with `write.atomic`: a rejected batch has several records, and a dead letter is one of them.'
  if (write.newerBy !== undefined) return { by: 'newest', settings }
  const isCreated = write.strategy === 'append' || (write.strategy === 'overwrite' && hasIdOfOffset(settings))
  const placeIn = write.strategy === 'overwrite' ? storedPlace(write) : undefined
  if (!isCreated && placeIn === undefined) return `${NOTHING_NEWER} ${OPTIONS}`
  // without a marker, a replay would bring deleted documents back
  if (storesDeletes(settings))
    return `${NOTHING_NEWER} The sink deletes documents, and a deleted document leaves no trace without \`write.newerBy\`. Set \`write.newerBy\`, or no deletes.`
  if (!isCreated && write.rehome !== undefined)
    return `${NOTHING_NEWER} A newer document may be stored under another key (\`write.rehome\`), where an offset is not compared. Set \`write.newerBy\`.`
  if (!isCreated) {
    const newerBy = { order: { placeIn: placeIn! }, ties: 'reject', markerTtl: undefined } as const
    return { by: 'offset', settings: { ...settings, write: { ...write, newerBy } } }
  }
  return {
    by: 'create',
    settings: { ...settings, write: { ...write, strategy: 'append', rehome: undefined } }
  }
}

const NOTHING_NEWER = 'With this configuration, a replayed record could replace something newer.'
const OPTIONS =
  'Dead letters can be replayed with `write.newerBy`, with `write.metadata` that stores topic, partition and offset, with `write.strategy: append`, or with ids made of topic, partition and offset (`id.strategy: metadata`).'

/** Property in which each document has the topic, the partition and the offset of its record. */
function storedPlace({ metadata }: SinkSettings['write']): string | undefined {
  const hasAll = (['topic', 'partition', 'offset'] as const).every((name) => metadata?.fields.includes(name))
  return hasAll ? metadata?.into : undefined
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
