import {
  type ContainerDefinition,
  createWriter,
  type Fence,
  type LateRequest,
  openAccount,
  type Operation,
  type Outcome,
  type Share,
  type TokenCredential,
  type Writer,
  type WriterOptions,
  type WriterStats
} from '@keystamp/cosmos'
import type { CosmosSettings } from '../config/settings.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'
import type { Decoded } from '../decode/decoder.ts'
import type { AuthGrace } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { RecordMapper } from '../map/record-mapper.ts'
import type { SinkRecord } from '../record.ts'
import { createContainerWaits, type ContainerWaits } from './container-waits.ts'

/** Outcome of an operation; an error where the writer has stopped. */
export type Answer = Outcome | Error

/** A container that records are written to. */
export interface Target {
  readonly container: string
  /** Fingerprint of the settings that decide keys and ids. */
  readonly fingerprint: string
  /** Fingerprints of plans whose documents this plan still finds. */
  readonly previousFingerprints: readonly string[]
  /** Settings that work otherwise than their names suggest. */
  readonly warnings: readonly string[]
  /** Maps a record to its operation; `ignore` where there is nothing to do. */
  readonly map: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
  /** Calls `settle` exactly once. An operation whose fence is lost before it is sent is not sent any more. */
  readonly submit: (operation: Operation, fence: Fence, settle: (answer: Answer) => void) => void
  /** The same for operations on one key that are applied all or none. */
  readonly submitAtomic: (operations: readonly Operation[], fence: Fence, settle: (answers: readonly Answer[]) => void) => void
  /** Limits the target to this part of its share from now on. */
  readonly usePart: (part: number) => void
  /** Current waits of its writes. */
  readonly waits: readonly Wait[]
  readonly stats: () => WriterStats
  /** Sends the operations that are queued, and gives up after `deadlineMs`. */
  readonly close: (deadlineMs: number) => Promise<void>
}

interface TargetOptions {
  readonly cosmos: CosmosSettings
  readonly container: string
  /** Credential where the settings contain no account key. */
  readonly credential: TokenCredential | undefined
  readonly share: Share
  /** Created for the definition of the container. */
  readonly createRecordMapper: (definition: ContainerDefinition) => RecordMapper
  readonly maxBytes: number
  /** Nothing is sent while it returns false. */
  readonly maySend: () => boolean
  /** Called when a request may have been applied after a partition of it had moved, or may be applied after its retry. */
  readonly onLate: (late: LateRequest) => void
  readonly clock: Pick<Clock, 'now'>
  /** Default: refused credentials end the work. */
  readonly auth?: AuthGrace | undefined
  /** Called when the container cannot be written to any more, whether or not writes are queued. */
  readonly onStopped: (error: Error) => void
}

/** Opens a container for writing, and checks that it fits the mapping of the records. */
export async function openTarget({
  cosmos,
  container,
  credential,
  share,
  createRecordMapper,
  maxBytes,
  maySend,
  onLate,
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
    ...(sharedThrough === undefined ? {} : { sharedThrough: { redis: sharedThrough.redis, name: `${sharedThrough.name}/${container}` } }),
    onSharedBudgetError: ({ message }) => containerWaits?.budgetLost(message),
    maySend,
    ...(auth === undefined ? {} : waitingOn(auth)),
    maxBytes,
    requestTimeoutMs,
    // a sink retries without a limit, and pauses its partitions meanwhile
    retryForMs: Number.MAX_SAFE_INTEGER
  })
  auth?.accepted('Cosmos DB')
  writer.events.once('stopped', onStopped)
  writer.events.on('lateRequest', onLate)
  containerWaits = createContainerWaits({ container, events: writer.events, clock, ranges: () => writer.stats().ranges })
  return toTarget(container, mapper, writer, containerWaits)
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
      void writer.writeAtomic(operations, fence).then(settle, (error: unknown) => settle(operations.map((): Answer => error as Error)))
    },
    usePart: writer.usePart,
    get waits() {
      return containerWaits.waits
    },
    stats: writer.stats,
    close: writer.close
  }
}
