import { MAX_ITEMS } from '../budget/page-sizer.ts'
import { setMaxListeners } from 'node:events'
import { ownerOf, partitionHash } from '@keystamp/core'
import { createClock, type SystemClock } from '@keystamp/core/internal'
import {
  checkPart,
  readThroughput,
  type Share,
  smallShareWarning,
  type Throughput
} from '../budget/throughput-share.ts'
import { type Account, openAccount } from '../client/account.ts'
import { createContainerGuard } from '../client/container-guard.ts'
import { type ContainerDefinition, type ContainerRange } from '../client/container.ts'
import { CosmosError, errorWithoutAnswer } from '../client/cosmos-error.ts'
import { priorityHeaders } from '../client/priority.ts'
import { createSemaphore } from '../client/semaphore.ts'
import { createItemClient, type ItemRequest } from '../reader/retrying-requests.ts'
import {
  changeHeaders,
  type ChangesPage,
  type ChangesRequest,
  checkChangesRequest,
  type FeedRange,
  type RangeSplit,
  toPage
} from './changes.ts'
import { createDocumentReader, type DocumentIdentity, type FeedDocument } from './document-reader.ts'
import { type ChangeFeedOptions, type ChangeFeedSettings, resolveChangeFeedOptions } from './feed-options.ts'
import { FeedPace } from './feed-pace.ts'
import { type FeedCounters, type FeedFailure, FeedRequests, retriableErrorOf } from './feed-requests.ts'
import { type RoutedRange, routeRange } from './route-range.ts'
import { createNewestTokens, type RangeToken } from './newest-tokens.ts'
import { itemRequest } from './item-request.ts'
import { isCurrent } from '../client/session-token.ts'
import { createVersionReader } from './version-reader.ts'

/** Reads the changes and single documents of one container, as bytes. */
export interface ChangeFeed {
  /** `database/container at host`, for messages. */
  readonly name: string
  readonly definition: ContainerDefinition
  /** Feed ranges that cover the whole container, one for each physical partition; not older than a second. */
  readonly feedRanges: () => Promise<readonly FeedRange[]>
  /**
   * Reads one page of changes. Throttled requests are repeated until `signal` aborts, other failures for `retryForMs`.
   * Throws CONTAINER_RECREATED if the container was deleted and created again.
   */
  readonly readChanges: (request: ChangesRequest) => Promise<ChangesPage | RangeSplit>
  /** Reads one document; undefined if there is none. */
  readonly readDocument: (
    identity: DocumentIdentity,
    options?: ReadDocumentOptions
  ) => Promise<FeedDocument | undefined>
  /**
   * Reads session tokens that are at least as new as every write which Cosmos DB has confirmed before the call, one for
   * each physical partition. Undefined if they cannot be known, for example because several regions accept writes, or
   * because this client may not write.
   */
  readonly newestTokens: (signal?: AbortSignal) => Promise<readonly RangeToken[] | undefined>
  /** Uses only this part of its share from now on: a number above 0 and at most 1. No effect without a share. */
  readonly usePart: (part: number) => void
  readonly stats: () => ChangeFeedStats
  /** Warnings about the share, which may have no effect. */
  readonly warnings: readonly string[]
  /** Ends all reads with READER_CLOSED. */
  readonly close: () => void
}

export interface ReadDocumentOptions {
  /** Session token of a page: the answer is then not older than this page. */
  readonly sessionToken?: string | undefined
  readonly signal?: AbortSignal
}

/** Counters of a change feed since it was opened. */
export interface ChangeFeedStats extends Readonly<FeedCounters> {
  /** RU/s that the reads may use; undefined if only throttling limits them. */
  readonly ruPerSecond: number | undefined
  readonly lastFailure: FeedFailure | undefined
  /** `performance.now()` when the oldest request without an answer was sent. */
  readonly unansweredSinceMs: number | undefined
}

/** Opens the change feed of a container; resolves when the container was found. */
export async function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed> {
  const settings = resolveChangeFeedOptions(options)
  const { priorityLevel: _level, throughputBucket: _bucket, share: _share, retryForMs: _retry, ...rest } = settings
  const { requestTimeoutMs: _timeout, followOfferMs: _follow, ...accountOptions } = rest
  const account = openAccount(accountOptions)
  const clock = createClock(globalThis)
  try {
    const definition = await account.definition()
    await account.ranges()
    const throughput = await throughputOf(account, settings, clock)
    return createChangeFeed(account, definition, throughput, settings, clock)
  } catch (error) {
    account.close()
    throw error
  }
}

// without a share, the offer is not needed, and many roles may not read it
function throughputOf(
  account: Account,
  { share, followOfferMs: everyMs }: ChangeFeedSettings,
  clock: SystemClock
): Promise<Throughput | undefined> {
  return share === undefined ? Promise.resolve(undefined) : readThroughput({ account, share, everyMs, clock })
}

function createChangeFeed(
  account: Account,
  definition: ContainerDefinition,
  throughput: Throughput | undefined,
  settings: ChangeFeedSettings,
  clock: SystemClock
): ChangeFeed {
  const { partitionKey, rid } = definition
  const closing = new AbortController()
  // each read that runs has a listener
  setMaxListeners(0, closing.signal)
  const client = createItemClient(account, settings.requestTimeoutMs)
  const documents = createDocumentReader(partitionKey.paths)
  const readVersions = createVersionReader(partitionKey.paths, documents)
  const priority = priorityHeaders(settings)
  const pace = new FeedPace(throughput, clock)
  const documentReads = createSemaphore(MAX_DOCUMENT_READS)
  const guard = createContainerGuard({
    account,
    definition,
    everyMs: settings.followOfferMs,
    clock,
    remedy: 'Nothing more is read.',
    onStop: close
  })
  const { retryForMs } = settings
  const requests = new FeedRequests({ account, client, guard, rid, retryForMs, clock, random: Math.random })
  throughput?.follow(() => undefined)

  function untilClosed(signal: AbortSignal | undefined): AbortSignal {
    closing.signal.throwIfAborted()
    signal?.throwIfAborted()
    return signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
  }

  async function readChanges(request: ChangesRequest): Promise<ChangesPage | RangeSplit> {
    checkChangesRequest(request)
    const signal = untilClosed(request.signal)
    return requests.untilFound(async () => {
      const ranges = await retriableErrorOf(account.ranges())
      if (ranges instanceof CosmosError) return ranges
      const routed = routeRange(request.range, ranges)
      if (!('range' in routed)) return { kind: 'split', ranges: routed }
      const answer = await sendChanges(request, routed, ranges.length, signal)
      // the range has moved
      if (answer instanceof CosmosError) await refreshRanges()
      return answer
    }, signal)
  }

  async function sendChanges(
    { mode, from, maxItems = MAX_ITEMS, sessionToken, buffer, reader }: ChangesRequest,
    { range, part }: RoutedRange,
    count: number,
    signal: AbortSignal
  ): Promise<ChangesPage | CosmosError> {
    const what = `reading the change feed of range ${range.id}`
    const own = pace.of(range, count)
    const sizer = own.sizers[mode]
    const items = Math.min(maxItems, sizer.items)
    const request: ItemRequest = {
      verb: 'GET',
      ...requestFor(sessionToken, changeHeaders({ mode, from, rangeId: range.id, part, maxItems: items })),
      read: mode === 'latest' ? documents.pageFor(reader) : readVersions,
      blames: BLAMES[mode],
      buffer
    }
    const answer = await requests.send({
      what,
      request,
      pace: own,
      expectedRu: sizer.expectedRu * (items / sizer.items),
      signal
    })
    if (answer instanceof CosmosError) return answer
    const page = toPage(answer, mode)
    const read = typeof answer.body === 'number' ? answer.body : page.documents.length + page.versions.length
    sizer.learn(read, answer.lastChargeRu)
    // without a position, the page could not be followed by another one
    return page.position === '' ? errorWithoutAnswer(what, { code: 'an answer without an ETag' }) : page
  }

  /** Headers of a request, and whether an answer is current enough for its session token. */
  function requestFor(
    sessionToken: string | undefined,
    headers: Readonly<Record<string, string>>
  ): Pick<ItemRequest, 'headers' | 'isCurrent'> {
    if (sessionToken === undefined) return { headers: { ...priority, ...headers } }
    return {
      headers: { ...priority, ...headers, 'x-ms-session-token': sessionToken },
      isCurrent: (answer) => isCurrent(answer, sessionToken)
    }
  }

  async function refreshRanges(
    read: Account['refreshRanges'] = account.refreshRanges
  ): Promise<readonly ContainerRange[] | CosmosError> {
    const ranges = await retriableErrorOf(read())
    if (!(ranges instanceof CosmosError)) pace.keep(ranges)
    return ranges
  }

  async function readDocument(
    { key, id }: DocumentIdentity,
    { sessionToken, signal: given }: ReadDocumentOptions = {}
  ): Promise<FeedDocument | undefined> {
    const signal = untilClosed(given)
    const item = itemRequest({ key, id }, documents)
    const request: ItemRequest = { ...item, ...requestFor(sessionToken, item.headers) }
    const answer = await requests.untilFound(async () => {
      const ranges = await retriableErrorOf(account.ranges())
      if (ranges instanceof CosmosError) return ranges
      const range = ownerOf(ranges, partitionHash(key, partitionKey))!
      const own = pace.of(range, ranges.length)
      return documentReads.run(() =>
        requests.send({ what: 'reading a document', request, pace: own, expectedRu: READ_RU, signal })
      )
    }, signal)
    if (answer.status === 404 || answer.body === null) return undefined
    const { bytes, start, end, identity, etag, timestamp } = answer.body as FeedDocument
    // a property `_lsn` belongs to the document
    return { bytes, start, end, identity, etag, timestamp, lsn: undefined }
  }

  const newestTokens = createNewestTokens({ account, partitionKey, requests, pace, headers: priority, refreshRanges })

  function close(reason?: Error): void {
    closing.abort(reason ?? new CosmosError('READER_CLOSED', 'The change feed is closed: open it again.'))
    throughput?.stop()
    guard.stop()
    client.close()
    account.close()
  }

  return {
    name: account.name,
    definition,
    feedRanges: async () => {
      const ranges = await requests.untilFound(() => refreshRanges(account.recentRanges), untilClosed(undefined))
      return ranges.map(({ min, max }) => ({ min, max }))
    },
    readChanges,
    readDocument,
    newestTokens: async (signal) => newestTokens(untilClosed(signal)),
    usePart: (part) => {
      checkPart(part)
      throughput?.usePart(part)
    },
    stats: () => ({
      ...requests.counters,
      ruPerSecond: throughput?.ruPerSecond,
      lastFailure: requests.lastFailure,
      unansweredSinceMs: requests.unansweredSinceMs
    }),
    warnings: warningsOf(settings.share, throughput),
    close: () => close()
  }
}

function warningsOf(share: Share | undefined, throughput: Throughput | undefined): readonly string[] {
  const small = share === undefined ? undefined : smallShareWarning(share)
  const unknown = throughput?.unknown
  return [
    ...(small === undefined ? [] : [small]),
    ...(unknown === undefined ? [] : [`${unknown} Without a number for \`share\`, only throttling limits the reads.`])
  ]
}

/**
 * Reads of single documents at the same time. Each needs a connection, and those beyond the number that is kept alive
 * would be opened and closed for each read.
 */
const MAX_DOCUMENT_READS = 100

/** RU of a point read of a document of 1 KB. */
const READ_RU = 1

/** Causes of an answer 400, since the rest of a request is always the same. */
const BLAMES = {
  latest: 'that the position is of this feed',
  versions: 'that the container keeps all versions and deletes, and that the position is within their retention'
} as const
