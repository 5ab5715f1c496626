import { KeystampError } from '@keystamp/core'
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
import { openJournal, readJournal } from './replay-journal.ts'
import { permitReplay, type ReplayPermission } from './replay-permission.ts'
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
  const journal = isDryRun ? undefined : openJournal(folder, owner)
  const known = isDryRun ? readJournal(folder, owner) : undefined
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
