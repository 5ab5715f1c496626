import type { AppliedWrite } from '@keystamp/emulator'
import type { SinkNotes } from './sink-process.ts'

/** An applied write, with the sink's own note about its request. */
export interface Applied {
  readonly document: string
  /** Partition of the topic, which is part of the document id. */
  readonly partition: number
  /** Name of the sink. */
  readonly by: string
  /** Mark of the record; null for a delete. */
  readonly mark: number | null
  readonly activity: string
  /** When the sink called `end()`, in milliseconds since 1970. */
  readonly endMs: number
  readonly appliedMs: number
}

/** Notes of a sink, and how it ended. */
export interface NotesOfSink extends SinkNotes {
  /** Whether the scenario killed the sink. */
  readonly wasKilled: boolean
}

/** Joins the writes that the emulator applied with the notes of the sinks about their requests, by activity id. */
export function toApplied(
  writes: readonly Pick<AppliedWrite, 'activityId' | 'id' | 'atMs'>[],
  notes: ReadonlyMap<string, NotesOfSink>
): readonly Applied[] {
  return writes.map(({ activityId, id, atMs }) => {
    const write = { document: id, partition: Number(/^p(\d+)-/.exec(id)?.[1]), activity: activityId, appliedMs: atMs }
    for (const [by, { requests }] of notes) {
      const request = requests.get(activityId)
      if (request !== undefined)
        return { ...write, by, mark: new Map(request.writes).get(id) ?? null, endMs: request.endMs }
    }
    return { ...write, by: killedSender(activityId, id, notes), mark: null, endMs: atMs }
  })
}

/**
 * Accepts a write without a note if the scenario killed its sink, perhaps between the write and the note. The write
 * then has no mark, like a delete. A sink that was not killed has noted every request.
 */
function killedSender(activityId: string, id: string, notes: ReadonlyMap<string, NotesOfSink>): string {
  for (const [name, { requests, wasKilled }] of notes) {
    if (wasKilled && [...requests.keys()].some((noted) => transportOf(noted) === transportOf(activityId))) return name
  }
  throw new Error(`No sink has noted the write of "${id}" (activity ${activityId}).`)
}

/** The activity id without its last part, which counts the requests of one transport. */
function transportOf(activityId: string): string {
  return activityId.slice(0, -COUNT_DIGITS)
}

const COUNT_DIGITS = 12
