import type { EventEmitter } from 'node:events'
import {
  type BatchEvent,
  type ContainerDefinition,
  createWriter,
  type Fence,
  type LateRequest,
  openAccount,
  type Operation,
  type Outcome,
  type RangeStats,
  type Share,
  type ThrottledRange,
  type TokenCredential,
  type Writer,
  type WriterEvents,
  type WriterOptions,
  type WriterStats
} from '@keystamp/cosmos'
import type { CosmosSettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { Decoded } from '../decode/decoder.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Log } from '../log.ts'
import type { RecordMapper } from '../map/record-mapper.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import { createKeptTwinsLog } from './kept-twins.ts'
import { createThrottleLog } from './throttle-log.ts'

/** Outcome of an operation; an error if the writer has stopped. */
export type Answer = Outcome | Error

/** A container that records are written to. */
export interface Target {
  readonly container: string
  /** Fingerprint of the settings that decide keys and ids. */
  readonly fingerprint: string
  /** Fingerprints of older plans whose documents this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** Warnings about settings that do not work as their names suggest. */
  readonly warnings: readonly string[]
  /** Maps a record to its operation; `ignore` if there is nothing to do. */
  readonly map: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
  /** Calls `settle` exactly once. An operation whose fence is lost before it is sent is not sent any more. */
  readonly submit: (operation: Operation, fence: Fence, settle: (answer: Answer) => void) => void
  /** Like `submit`, for operations on one key that are applied atomically: all or none. */
  readonly submitAtomic: (
    operations: readonly Operation[],
    fence: Fence,
    settle: (answers: readonly Answer[]) => void
  ) => void
  /** From now on, limits the target to this fraction of its share. */
  readonly usePart: (part: number) => void
  /** Current waits of its writes. */
  readonly waits: readonly Wait[]
  readonly stats: () => TargetStats
  /** Sends the queued operations, and gives up after `deadlineMs`. */
  readonly close: (deadlineMs: number) => Promise<void>
}

/** Statistics of the writer of a container, and of the mapping of its records. */
export interface TargetStats extends WriterStats {
  /** Records without a previous image; 0 without `write.rehome`. */
  readonly withoutImage: number
}

interface TargetOptions {
  readonly cosmos: CosmosSettings
  readonly container: string
  /** Credential, if the settings contain no account key. */
  readonly credential: TokenCredential | undefined
  readonly share: Share
  /** Created for the definition of the container. */
  readonly createRecordMapper: (definition: ContainerDefinition) => RecordMapper
  /** Nothing is sent while it returns false. */
  readonly maySend: () => boolean
  /**
   * Called for each request that Cosmos DB may apply late: after one of its partitions has moved to another member, or
   * after its retry.
   */
  readonly onLate: (late: LateRequest) => void
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly clock: Pick<Clock, 'now'>
  /** Default: refused credentials stop the writer. */
  readonly auth?: AuthGrace | undefined
  /** Called when the writer has stopped and cannot write any more, even if no writes are queued. */
  readonly onStopped: (error: Error) => void
}

/** Opens a container for writing, and checks that it fits the mapping of the records. */
export async function openTarget({
  cosmos,
  container,
  credential,
  share,
  createRecordMapper,
  maySend,
  onLate,
  log,
  clock,
  auth,
  onStopped
}: TargetOptions): Promise<Target> {
  const { endpoint, database, preferredRegions, requestTimeoutMs, sharedThrough } = cosmos
  const who = cosmos.key === undefined ? { credential: credential! } : { key: cosmos.key.reveal }
  const address = { endpoint, ...who, database, container, preferredRegions }
  const account = openAccount(address)
  const mapper = createRecordMapper(await account.definition().finally(account.close))
  let containerWaits: ContainerWaits | undefined
  const writer = await createWriter({
    ...address,
    ...(mapper.plan === undefined ? {} : { plan: mapper.plan }),
    share,
    // ranges of different containers may have the same names
    ...(sharedThrough === undefined
      ? {}
      : { sharedThrough: { redis: sharedThrough.redis, name: `${sharedThrough.name}/${container}` } }),
    onSharedBudgetError: ({ message }) => containerWaits?.budgetLost(message),
    maySend,
    ...(auth === undefined ? {} : waitingOn(auth)),
    // the flow control of the sink limits the bytes in flight
    maxBytes: Number.POSITIVE_INFINITY,
    requestTimeoutMs,
    // a sink retries without a limit, and pauses its partitions meanwhile
    retryForMs: Number.MAX_SAFE_INTEGER
  })
  auth?.accepted('Cosmos DB')
  writer.events.once('stopped', onStopped)
  writer.events.on('lateRequest', onLate)
  writer.events.on('throttled', createThrottleLog({ container, log, clock }))
  containerWaits = createContainerWaits({
    container,
    events: writer.events,
    clock,
    stats: () => writer.stats()
  })
  const target = toTarget(container, mapper, writer, containerWaits)
  return mapper.oldNames === undefined
    ? target
    : loggingKeptTwins(target, createKeptTwinsLog({ container, log, clock }))
}

function loggingKeptTwins(target: Target, see: (answer: Answer) => void): Target {
  return {
    ...target,
    get waits() {
      return target.waits
    },
    submit: (operation, fence, settle) =>
      target.submit(operation, fence, (answer) => {
        see(answer)
        settle(answer)
      })
  }
}

function waitingOn(auth: AuthGrace): Pick<WriterOptions, 'onUnauthorized' | 'onAuthorized'> {
  return { onUnauthorized: () => auth.refused('Cosmos DB'), onAuthorized: () => auth.accepted('Cosmos DB') }
}

function toTarget(container: string, mapper: RecordMapper, writer: Writer, containerWaits: ContainerWaits): Target {
  return {
    container,
    fingerprint: mapper.fingerprint,
    previousFingerprints: mapper.previousFingerprints,
    warnings: writer.warnings,
    map: mapper.map,
    submit: (operation, fence, settle) => writer.submit(operation, settle, fence),
    submitAtomic: (operations, fence, settle) => {
      void writer
        .writeAtomic(operations, fence)
        .then(settle, (error: unknown) => settle(operations.map((): Answer => error as Error)))
    },
    usePart: writer.usePart,
    get waits() {
      return containerWaits.waits
    },
    stats: () => ({ ...writer.stats(), withoutImage: mapper.oldNames?.withoutImage ?? 0 }),
    close: writer.close
  }
}

/** Waits of the writes of one container. */
interface ContainerWaits {
  readonly waits: readonly Wait[]
  /** The Redis that shares the budget does not answer. */
  readonly budgetLost: (reason: string) => void
}

interface ContainerWaitsOptions {
  readonly container: string
  readonly events: EventEmitter<WriterEvents>
  readonly clock: Pick<Clock, 'now'>
  /** Current ranges of the container, and those that are throttled. */
  readonly stats: () => {
    readonly ranges: readonly Pick<RangeStats, 'id' | 'pending'>[]
    readonly throttledRanges: readonly Pick<ThrottledRange, 'range' | 'explanation'>[]
  }
}

interface RangeWait {
  readonly kind: 'cosmos' | 'throttled'
  readonly result: string
  readonly sinceMs: number
}

/**
 * Derives waits from the last answer of each range. A wait ends with a successful answer, when the range is no longer
 * listed (split, merge), and when nothing of the range is queued or in flight.
 */
export function createContainerWaits({ container, events, clock, stats }: ContainerWaitsOptions): ContainerWaits {
  const byRange = new Map<string, RangeWait>()
  let lost: { readonly reason: string; readonly sinceMs: number } | undefined

  events.on('batchAnswered', (event) => {
    lost = undefined
    const kind = kindOf(event)
    if (kind === undefined) return void byRange.delete(event.rangeId)
    const before = byRange.get(event.rangeId)
    const sinceMs = before?.kind === kind ? before.sinceMs : clock.now()
    byRange.set(event.rangeId, { kind, result: event.result, sinceMs })
  })

  function forgetIdle(): void {
    if (byRange.size === 0 && lost === undefined) return
    const busy = new Set<string>()
    for (const { id, pending } of stats().ranges) if (pending > 0) busy.add(id)
    for (const id of byRange.keys()) if (!busy.has(id)) byRange.delete(id)
    if (busy.size === 0) lost = undefined
  }

  function waitFor(kind: RangeWait['kind'], minMs: number): readonly Wait[] {
    const nowMs = clock.now()
    const waiting = [...byRange].filter(([, wait]) => wait.kind === kind && nowMs - wait.sinceMs >= minMs)
    if (waiting.length === 0) return []
    const sinceMs = Math.min(...waiting.map(([, wait]) => wait.sinceMs))
    const partitions = list(waiting.map(([id]) => id).toSorted((one, other) => Number(one) - Number(other)))
    const results = list([...new Set(waiting.map(([, { result }]) => result))])
    const what =
      kind === 'cosmos'
        ? `the last answer was ${results}`
        : ['every operation was throttled', ...explanationsOf(waiting.map(([id]) => id))].join('; ')
    return [
      {
        reason: kind,
        subject: container,
        detail: `container "${container}", physical partition ${partitions}: ${what}`,
        sinceMs
      }
    ]
  }

  function explanationsOf(ids: readonly string[]): readonly string[] {
    return stats()
      .throttledRanges.filter(({ range }) => ids.includes(range))
      .slice(0, MAX_NAMES)
      .map(({ explanation }) => explanation)
  }

  return {
    get waits() {
      forgetIdle()
      const waits = [...waitFor('cosmos', 0), ...waitFor('throttled', THROTTLED_MS)]
      if (lost !== undefined)
        waits.push({ reason: 'redis', subject: container, detail: lost.reason, sinceMs: lost.sinceMs })
      return waits
    },
    budgetLost: (reason) => {
      lost = { reason, sinceMs: lost?.sinceMs ?? clock.now() }
    }
  }
}

/** Throttling is normal, and counts as a wait only if no operation has succeeded in a range for this long. */
const THROTTLED_MS = 5000

function kindOf({ result, operations, throttledOperations, isAtomic }: BatchEvent): RangeWait['kind'] | undefined {
  if (throttledOperations > 0 && (isAtomic || throttledOperations >= operations)) return 'throttled'
  return result === 'answered' ? undefined : 'cosmos'
}

function list(names: readonly string[]): string {
  const more = names.length - MAX_NAMES
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ')
}

const MAX_NAMES = 5
