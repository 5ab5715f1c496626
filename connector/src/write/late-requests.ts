import type { LateRequest } from '@keystamp/cosmos'
import { partitionName, type TopicPartition } from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Log } from '../log.ts'

/** Late requests of one partition. */
export interface LateCount extends TopicPartition {
  readonly stage: LateRequest['stage']
  readonly count: number
}

interface LateRequestsOptions {
  readonly log: Pick<Log, 'warn'>
  readonly clock: Clock
  readonly handoverMs: number
  readonly requestTimeoutMs: number
}

/**
 * Counts and logs requests that Cosmos DB may apply late. Some may have been applied after their partition had moved.
 * Others had no answer or an unknown outcome, and may be applied after their retry: these count as unresolved for a
 * while, and a new owner of their partition has to wait for that time.
 */
export class LateRequests {
  readonly #log: Pick<Log, 'warn'>
  readonly #clock: Clock
  readonly #handoverMs: number
  readonly #unresolvedMs: number
  readonly #unresolved: UnresolvedLog
  readonly #counts: Map<string, TopicPartition & { stage: LateRequest['stage']; count: number }> = new Map()
  /** Time until which a partition has an unresolved request, by `partitionName`. */
  readonly #unresolvedUntilMs: Map<string, number> = new Map()

  constructor({ log, clock, handoverMs, requestTimeoutMs }: LateRequestsOptions) {
    this.#log = log
    this.#clock = clock
    this.#handoverMs = handoverMs
    this.#unresolvedMs = Math.max(requestTimeoutMs * UNRESOLVED_TIMEOUTS, handoverMs)
    this.#unresolved = new UnresolvedLog(log, clock)
  }

  /** By partition and stage; only partitions that had a late request. */
  get counts(): readonly LateCount[] {
    return [...this.#counts.values()]
  }

  /** Takes an event of a writer. The fences of the request are the partitions of its records. */
  add(late: LateRequest): void {
    // a request that was sent in time may be applied until the end of the handover period
    if (late.stage === 'answered' && late.lateMs <= this.#handoverMs) return
    for (const fence of late.fences) if (isPartition(fence)) this.#count(late, fence)
  }

  /**
   * Whether a request of this partition was given up, or answered with an unknown outcome, so recently that it may
   * still be applied.
   */
  isUnresolved(partition: TopicPartition): boolean {
    return this.#clock.now() < (this.#unresolvedUntilMs.get(partitionName(partition)) ?? Number.NEGATIVE_INFINITY)
  }

  /** Logs at once the requests that are held until the end of their minute: partitions may move now. */
  flush(): void {
    this.#unresolved.flush()
  }

  /** Logs the requests that are held until the end of their minute. */
  close(): void {
    this.#unresolved.close()
  }

  #count(
    { stage, activityId, lateMs }: LateRequest,
    { topic, partition, isLost }: TopicPartition & { readonly isLost: boolean }
  ): void {
    const name = partitionName({ topic, partition })
    const counted = this.#counts.get(`${stage} ${name}`)
    if (counted === undefined) this.#counts.set(`${stage} ${name}`, { topic, partition, stage, count: 1 })
    else counted.count++
    const isUnresolved = stage === 'unanswered' || stage === 'unknown'
    if (isUnresolved) this.#unresolvedUntilMs.set(name, this.#clock.now() + this.#unresolvedMs)
    // requests of a partition that has moved are few: each one is logged
    if (isUnresolved && !isLost) return this.#unresolved.add({ topic, partition }, { stage, activityId, lateMs })
    this.#log.warn({ topic, partition, activityId, lateMs: Math.round(lateMs), stage }, SENTENCES[stage])
  }
}

/**
 * Multiple of `cosmos.requestTimeout` for which a request counts as unresolved after it was given up or answered with
 * 408 or 5xx. There is no bound for how long a network delays a request. Usually the cause is a connection that was
 * lost without notice to the other end, or a congested proxy. Both deliver or drop the request within about the time
 * that the sink waited for the answer.
 */
const UNRESOLVED_TIMEOUTS = 1

const SENTENCES: Readonly<Record<LateRequest['stage'], string>> = {
  written:
    'late request: the process was suspended while it sent the request, and its write permit had ended before it was known that the bytes were sent. ' +
    'The request may have replaced newer documents of this partition.',
  answered:
    'late request: the request was sent in time, but its answer took longer than `kafka.handoverPeriod`, and the partition has moved or may have moved ' +
    'meanwhile. The request may have replaced newer documents of this partition.',
  unanswered:
    'late request: no answer came in time, and its partition has moved. If Cosmos DB applies it later, it may replace newer documents of this ' +
    'partition.',
  unknown:
    'late request: Cosmos DB answered with 408 or 5xx, which does not say whether the request was applied, and its partition has moved. If ' +
    'Cosmos DB applies it later, it may replace newer documents of this partition.'
}

function isPartition(fence: LateRequest['fences'][number]): fence is LateRequest['fences'][number] & TopicPartition {
  return 'topic' in fence && 'partition' in fence
}

/** Request that may be applied after its retry: without an answer, or answered with 408 or 5xx. */
interface Unresolved {
  readonly stage: 'unanswered' | 'unknown'
  readonly activityId: string
  readonly lateMs: number
}

interface Window extends TopicPartition {
  readonly stage: Unresolved['stage']
  /** Requests that are logged when the window ends. */
  held: Unresolved[]
  /** Number of requests in the window, including those beyond `MAX_NAMED`. */
  count: number
  cancel: () => void
}

/**
 * Logs unresolved requests, one line for each partition, stage and minute, since there are many while Cosmos DB is not
 * available. The first one is logged at once, the others at the end of that minute in one line.
 */
class UnresolvedLog {
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
    this.#log.warn({ topic, partition, activityId, lateMs: Math.round(lateMs), stage }, UNRESOLVED_SENTENCES[stage])
  }

  /** Logs at once the requests that are held until the end of their minute: their partitions may move now. */
  flush(): void {
    for (const window of this.#windows.values()) this.#logWindow(window)
  }

  /** Logs the requests that are held until the end of their minute; from now on, logs every request at once. */
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
    const logNow = (): void => this.#logWindow(window)

    function end(): void {
      windows.delete(name)
      if (window.count === 0) return
      logNow()
      begin()
    }
  }

  #logWindow(window: Window): void {
    const { topic, partition, stage, held, count } = window
    if (count === 0) return
    window.held = []
    window.count = 0
    const lateMs = Math.round(Math.max(...held.map((one) => one.lateMs)))
    const activityIds = held.map(({ activityId }) => activityId)
    this.#log.warn({ topic, partition, activityIds, count, lateMs, stage }, UNRESOLVED_SENTENCES[stage])
  }
}

const WINDOW_MS = 60_000
/** Activity ids in one line; a line must not grow with the length of an outage. */
const MAX_NAMED = 100

const UNRESOLVED_SENTENCES: Readonly<Record<Unresolved['stage'], string>> = {
  unanswered:
    'late request: no answer came in time, and the network may still hold the request. If Cosmos DB applies it after its retry, it may replace ' +
    'newer documents of this partition.',
  unknown:
    'late request: Cosmos DB answered with 408 or 5xx, which does not say whether the request was applied. If Cosmos DB applies it after its ' +
    'retry, it may replace newer documents of this partition.'
}
