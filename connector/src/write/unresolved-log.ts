import { partitionName, type TopicPartition } from '../consume/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'

/** Request that may be applied after its retry: without an answer, or answered with 408 or 5xx. */
export interface Unresolved {
  readonly stage: 'unanswered' | 'unknown'
  readonly activityId: string
  readonly lateMs: number
}

interface Window extends TopicPartition {
  readonly stage: Unresolved['stage']
  /** Requests that are logged when the window ends. */
  held: Unresolved[]
  /** Those and the ones that are too many to be named. */
  count: number
  cancel: () => void
}

/**
 * Logs unresolved requests, one line for each partition, stage and minute: while Cosmos DB is away for minutes there are many. The first
 * one is logged at once, the others of its minute in one line when it ends.
 */
export class UnresolvedLog {
  readonly #log: Pick<Log, 'warn'>
  readonly #clock: Pick<Clock, 'schedule'>
  readonly #windows: Map<string, Window> = new Map()
  #isClosed = false

  constructor(log: Pick<Log, 'warn'>, clock: Pick<Clock, 'schedule'>) {
    this.#log = log
    this.#clock = clock
  }

  add({ topic, partition }: TopicPartition, request: Unresolved): void {
    const { stage, activityId, lateMs } = request
    const name = `${stage} ${partitionName({ topic, partition })}`
    const window = this.#windows.get(name)
    if (window !== undefined) {
      if (window.held.length < MAX_NAMED) window.held.push(request)
      window.count++
      return
    }
    if (!this.#isClosed) this.#begin(name, { topic, partition, stage })
    this.#log.warn({ topic, partition, activityId, lateMs: Math.round(lateMs), stage }, SENTENCES[stage])
  }

  /** Logs the requests that wait for the end of their minute: their partitions may move now. */
  flush(): void {
    for (const window of this.#windows.values()) this.#tell(window)
  }

  /** Logs what waits, and from now on everything at once. */
  close(): void {
    this.#isClosed = true
    this.flush()
    for (const { cancel } of this.#windows.values()) cancel()
    this.#windows.clear()
  }

  #begin(name: string, kind: Pick<Window, 'topic' | 'partition' | 'stage'>): void {
    const window: Window = { ...kind, held: [], count: 0, cancel: this.#clock.schedule(WINDOW_MS, end) }
    this.#windows.set(name, window)
    const windows = this.#windows
    const begin = (): void => this.#begin(name, kind)
    const tell = (): void => this.#tell(window)

    function end(): void {
      windows.delete(name)
      if (window.count === 0) return
      tell()
      begin()
    }
  }

  #tell(window: Window): void {
    const { topic, partition, stage, held, count } = window
    if (count === 0) return
    window.held = []
    window.count = 0
    const lateMs = Math.round(Math.max(...held.map((one) => one.lateMs)))
    const activityIds = held.map(({ activityId }) => activityId)
    this.#log.warn({ topic, partition, activityIds, count, lateMs, stage }, SENTENCES[stage])
  }
}

const WINDOW_MS = 60_000
/** Activity ids in one line; a line must not grow with the length of an outage. */
const MAX_NAMED = 100

const SENTENCES: Readonly<Record<Unresolved['stage'], string>> = {
  unanswered:
    'late request: no answer came in time, and the network may still hold the request. If Cosmos DB applies it after its retry, it may replace ' +
    'newer documents of this partition.',
  unknown:
    'late request: Cosmos DB answered with 408 or 5xx, which does not say whether the request was applied. If Cosmos DB applies it after its ' +
    'retry, it may replace newer documents of this partition.'
}
