import {
  type AccountOptions,
  type ChangeFeedStats,
  CosmosError,
  coversToken,
  createWriter,
  openAccount,
  openChangeFeed,
  openXray,
  type PriorityOptions,
  type Share,
  type Writer,
  type WriterStats
} from '@keystamp/cosmos'
import { type Backoff, createClock, retry } from '@keystamp/core/internal'
import { CallWatch, type ContainerWait } from './call-watch.ts'
import type { MoveContainer } from './move-container.ts'
import { naming } from './named-error.ts'
import { submitWrite } from './submit-write.ts'

/** Options of a container that a move reads and writes. */
export interface MoveContainerOptions extends AccountOptions, PriorityOptions {
  /** Share of the provisioned throughput for reads: RU/s, or a percentage. Default: only throttling limits them. */
  readonly readShare?: Share
  /** Share of the provisioned throughput for writes: RU/s, or a percentage. Default: `100%`. */
  readonly writeShare?: Share
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** Time for which a request is retried if it fails. Throttling is not a failure. Default: 120,000 ms. */
  readonly retryForMs?: number
}

/** A container of a move that is open. */
export interface OpenMoveContainer extends MoveContainer {
  readonly stats: () => MoveContainerStats
  /** The wait for an answer of the container, which may have begun just now; undefined if there is none. */
  readonly waiting: () => ContainerWait | undefined
  /** Warnings about shares and, after the first write, about the container. */
  readonly warnings: () => readonly string[]
  /**
   * Uses only this part of both shares from now on, a number above 0 and at most 1, so that the move can make room for
   * other clients. Reads without a share are not limited.
   */
  readonly usePart: (part: number) => void
  /** Ends all reads, and waits for the answers of the writes for some time. */
  readonly close: () => Promise<void>
}

export interface MoveContainerStats {
  readonly reads: ChangeFeedStats
  /** Undefined before the first write. */
  readonly writes: WriterStats | undefined
}

/** Opens both containers of a move, or none. */
export async function openMoveContainers(
  from: MoveContainerOptions,
  to: MoveContainerOptions
): Promise<readonly [OpenMoveContainer, OpenMoveContainer]> {
  const source = await openMoveContainer(from)
  try {
    return [source, await openMoveContainer(to)]
  } catch (error) {
    await source.close()
    throw error
  }
}

/** Opens a container of a move; resolves when it was found. It sends with low priority by default. */
export async function openMoveContainer(options: MoveContainerOptions): Promise<OpenMoveContainer> {
  const { readShare, writeShare, priorityLevel = 'Low', retryForMs = RETRY_FOR_MS, ...rest } = options
  const common = { ...rest, priorityLevel, retryForMs }
  const feed = await openChangeFeed({ ...common, ...(readShare === undefined ? {} : { share: readShare }) })
  let writer: Promise<Writer> | undefined
  let open: Writer | undefined
  let part = 1
  const closing = new AbortController()
  const clock = createClock(globalThis)
  const calls = new CallWatch(clock)

  // opened only when it is needed, because its timers read the account
  async function openWriter(): Promise<Writer> {
    // the caller of a move limits the bytes in flight
    const created = await createWriter({
      ...common,
      ...(writeShare === undefined ? {} : { share: writeShare }),
      maxBytes: Number.POSITIVE_INFINITY,
      missingKeys: true
    })
    // it is opened later than the feed, and would write into a container that was created again since
    await checkSame(options, feed.definition.rid, feed.name).catch(async (error: unknown) => {
      await created.close()
      throw error
    })
    created.usePart(part)
    created.events.on('batchAnswered', (event) => calls.batch(event))
    calls.batch({ rangeId: OPENING, result: 'answered', latencyMs: 0 })
    open = created
    return created
  }

  function writerOf(): Promise<Writer> {
    if (writer !== undefined) return writer
    const startMs = clock.now()
    const opening = retry(openWriter, {
      clock,
      backoff: OPEN_BACKOFF,
      timeoutMs: retryForMs,
      signal: closing.signal,
      isRetriable: (error) => error instanceof CosmosError && error.retriable,
      onRetry: (error) =>
        calls.batch({ rangeId: OPENING, result: (error as Error).message, latencyMs: clock.now() - startMs })
    })
    writer = opening
    // the callers get the failure, and the next write opens it again
    opening.catch(() => {
      if (writer === opening) writer = undefined
    })
    return opening
  }

  return {
    name: feed.name,
    definition: feed.definition,
    feedRanges: feed.feedRanges,
    readChanges: (request) => naming(feed.name, () => calls.read(() => feed.readChanges(request))),
    read: (identity, readOptions) =>
      naming(feed.name, () => calls.read(() => feed.readDocument(identity, readOptions))),
    waiting: () => calls.waiting(feed.stats()),
    freshness: { newestTokens: feed.newestTokens, covers: coversToken },
    write: async (write, fence) => submitWrite(open ?? (await writerOf()), write, feed.name, fence),
    warnings: () => [...feed.warnings, ...(open?.warnings ?? [])],
    stats: () => ({ reads: feed.stats(), writes: open?.stats() }),
    usePart: (used) => {
      feed.usePart(used)
      open?.usePart(used)
      part = used
    },
    close: async () => {
      closing.abort(new Error('The container was closed.'))
      feed.close()
      const opened = await writer?.catch(() => undefined)
      await opened?.close()
    }
  }
}

/** Throws CONTAINER_RECREATED if the container of this name has another resource id. */
async function checkSame(options: MoveContainerOptions, rid: string, name: string): Promise<void> {
  const account = openAccount(accountOf(options))
  try {
    const { rid: found } = await account.definition()
    if (found === rid) return
    throw new CosmosError(
      'CONTAINER_RECREATED',
      `${name} was deleted and created again: all documents from before are gone. Nothing was written.`
    )
  } finally {
    account.close()
  }
}

/** Reads the number of documents of a container; null if Cosmos DB does not tell it. */
export async function countDocuments(options: MoveContainerOptions, signal: AbortSignal): Promise<number | null> {
  const xray = openXray({
    ...accountOf(options),
    maxRuPerSecond: METADATA_RU_PER_SECOND,
    random: Math.random,
    signal
  })
  try {
    return (await xray.facts()).documents
  } catch {
    // only the progress needs it
    return null
  } finally {
    xray.close()
  }
}

/** Throws if several regions of an account accept writes: a marker does not stop a create in another region. */
export async function refuseWriteRegions(...containers: readonly MoveContainerOptions[]): Promise<void> {
  for (const options of containers) {
    const account = openAccount(accountOf(options))
    try {
      if (await account.hasWriteRegions())
        throw new CosmosError(
          'CONTAINER_MISMATCH',
          `The account of ${account.name} has several write regions, where a marker of \`--fence\` does not stop a create in another region. Leave --fence out, or let one region of the account accept writes.`
        )
    } finally {
      account.close()
    }
  }
}

function accountOf({
  readShare: _read,
  writeShare: _write,
  priorityLevel: _level,
  throughputBucket: _bucket,
  requestTimeoutMs: _timeout,
  retryForMs: _retry,
  ...account
}: MoveContainerOptions): AccountOptions {
  return account
}

const METADATA_RU_PER_SECOND = 100
const RETRY_FOR_MS = 120_000
const OPEN_BACKOFF: Backoff = { firstMs: 200, maxMs: 5000 }
/** In the place of a range: the container is not open for writes yet. */
const OPENING = 'opening'
