import {
  type ContainerDefinition,
  createWriter,
  type Fence,
  type LateRequest,
  type NewestOptions,
  openAccount,
  type Operation,
  type Outcome,
  type Share,
  type TokenCredential,
  type Writer,
  type WriterOptions,
  type WriterStats
} from '@keystamp/cosmos'
import type { CosmosSettings, NewerBySettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { Decoded } from '../decode/decoder.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Log } from '../log.ts'
import type { RecordMapper } from '../map/record-mapper.ts'
import type { SinkRecord } from '../kafka/consumer-port.ts'
import { type ContainerWaits, createContainerWaits } from './container-waits.ts'
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
  /** Undefined: each record replaces the stored document. */
  readonly newerBy: NewerBySettings | undefined
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
  newerBy,
  createRecordMapper,
  maySend,
  onLate,
  log,
  clock,
  auth,
  onStopped
}: TargetOptions): Promise<Target> {
  const { endpoint, database, preferredRegions, priority, requestTimeoutMs, sharedThrough } = cosmos
  const who = cosmos.key === undefined ? { credential: credential! } : { key: cosmos.key.reveal }
  const address = { endpoint, ...who, database, container, preferredRegions }
  const account = openAccount(address)
  const mapper = createRecordMapper(await account.definition().finally(account.close))
  let containerWaits: ContainerWaits | undefined
  const writer = await createWriter({
    ...address,
    ...(mapper.plan === undefined ? {} : { plan: mapper.plan }),
    share,
    ...priority,
    ...(newerBy === undefined ? {} : { newest: toNewest(newerBy) }),
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

function toNewest({ order, ties, markerTtl }: NewerBySettings): NewestOptions {
  return { ties, markerTtl, ...(typeof order === 'string' ? {} : order) }
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
