import { checkOptionNames, createClock } from '@keystamp/core/internal'
import { KeystampError } from '@keystamp/core'
import { type Account, openAccount } from '../client/account.ts'
import { ACCOUNT_OPTION_NAMES, type AccountOptions } from '../client/account-options.ts'
import type { ContainerDefinition, ContainerRange } from '../client/container.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import type { Offer } from '../client/offer.ts'
import type { StoredDocument } from './range-pages.ts'
import { createItemClient, createRetryingRequests, type RequestItem } from './retrying-requests.ts'

export interface ContainerSampleOptions extends AccountOptions {
  /** Documents to draw. */
  readonly count: number
  /** Mean RU per second that all requests together may take. */
  readonly ruPerSecond: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly signal?: AbortSignal
  /** Called after each request with the documents read and the RU spent so far. */
  readonly onProgress?: (documents: number, chargeRu: number) => void
}

/** Documents of a container that were drawn at random, and facts about the container. */
export interface ContainerSample {
  readonly definition: ContainerDefinition
  readonly offer: Offer
  readonly partitions: number
  /** Number of documents in the container. */
  readonly documents: number
  /** `uniform`: read in random windows of time; `reservoir`: all were read, and some kept; `whole`: all are here. */
  readonly method: 'whole' | 'reservoir' | 'uniform'
  /** In random order, without the properties that Cosmos DB adds. */
  readonly sample: readonly StoredDocument[]
  readonly chargeRu: number
}

/** Concurrent requests. */
const PARALLEL = 4
/** Mean number of documents in a window. */
const PER_WINDOW = 2
/** A window with more documents than this share of the sample would make it one of few moments. */
const MAX_WINDOW_SHARE = 0.01
const MIN_WINDOW_LIMIT = 50
/** Documents in a second of writing above which windows, which have at least a second, are too large. */
const MAX_PER_SECOND = 16
const REQUEST_TIMEOUT_MS = 30_000
const RETRY_FOR_MS = 60_000

/**
 * Reads a random part of a container, and writes nothing. Each physical partition is divided into windows of `_ts`, and
 * all documents of randomly chosen windows are read, so that each document has the same probability. Reads all
 * documents instead if they are few, or if most were written at the same time.
 */
export async function sampleContainer(given: ContainerSampleOptions): Promise<ContainerSample> {
  const { count, ruPerSecond, random, signal, onProgress = () => {}, ...accountOptions } = given
  checkOptionNames(accountOptions, ACCOUNT_OPTION_NAMES)
  for (const [name, value] of Object.entries({ count, ruPerSecond }))
    if (!(value >= 1)) throw new KeystampError('OPTION_INVALID', `\`${name}\` must be a number from 1 on.`)
  const account = openAccount(accountOptions)
  const client = createItemClient(account, REQUEST_TIMEOUT_MS)
  const clock = createClock(globalThis)
  const requestItem = createRetryingRequests({ account, client, retryForMs: RETRY_FOR_MS, clock, random: Math.random })
  const queries = new PacedQueries(requestItem, ruPerSecond, signal, onProgress)
  try {
    const definition = await account.definition()
    const offer = await readOffer(account)
    const ranges = await account.ranges()
    const extents = await Promise.all(ranges.map((range) => readExtent(queries, range)))
    const documents = extents.reduce((sum, extent) => sum + extent.documents, 0)
    const drawn =
      (await drawWindows(queries, extents, count, random)) ?? (await keepSome(queries, ranges, count, random))
    const method = drawn.isUniform ? 'uniform' : drawn.documents.length < documents ? 'reservoir' : 'whole'
    const sample = shuffled(drawn.documents, random).map(withoutSystemProperties)
    return { definition, offer, partitions: ranges.length, documents, method, sample, chargeRu: queries.chargeRu }
  } finally {
    client.close()
    account.close()
  }
}

/** Offers are not needed: a role that may read documents may be refused here. */
async function readOffer(account: Account): Promise<Offer> {
  try {
    return await account.offer()
  } catch (error) {
    if (error instanceof CosmosError) return { unknown: error.message }
    throw error
  }
}

/** Runs queries of single ranges, and waits so that their mean rate stays below a limit. */
class PacedQueries {
  readonly #requestItem: RequestItem
  readonly #ruPerSecond: number
  readonly #signal: AbortSignal | undefined
  readonly #onProgress: (documents: number, chargeRu: number) => void
  readonly #startMs = performance.now()
  #documents = 0
  chargeRu = 0

  constructor(
    requestItem: RequestItem,
    ruPerSecond: number,
    signal: AbortSignal | undefined,
    onProgress: (documents: number, chargeRu: number) => void
  ) {
    this.#requestItem = requestItem
    this.#ruPerSecond = ruPerSecond
    this.#signal = signal
    this.#onProgress = onProgress
  }

  async *pages(
    { id }: Pick<ContainerRange, 'id'>,
    query: string,
    parameters: Readonly<Record<string, number>> = {}
  ): AsyncGenerator<readonly unknown[]> {
    const what = `sampling documents of range ${id}`
    const body = JSON.stringify({
      query,
      parameters: Object.entries(parameters).map(([name, value]) => ({ name: `@${name}`, value }))
    })
    let continuation: string | undefined
    do {
      await this.#wait()
      const headers = {
        'content-type': 'application/query+json',
        'x-ms-documentdb-isquery': 'true',
        'x-ms-max-item-count': '1000',
        'x-ms-documentdb-partitionkeyrangeid': id,
        'x-ms-documentdb-query-enablecrosspartition': 'true',
        ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
      }
      const answer = await this.#requestItem(what, { verb: 'POST', headers, body }, this.#signal)
      this.chargeRu += answer.chargeRu
      if (answer.status === 410)
        throw new CosmosError(
          'COSMOS_UNAVAILABLE',
          'A physical partition was split or merged during the sampling. Run it again.',
          { retriable: true }
        )
      const { Documents: found = [] } = answer.body as { readonly Documents?: readonly unknown[] }
      this.#documents += found.length
      this.#onProgress(this.#documents, this.chargeRu)
      yield found
      continuation = answer.continuation
    } while (continuation !== undefined)
  }

  /** Waits until the RU spent so far fit the limit. */
  async #wait(): Promise<void> {
    const readyMs = this.#startMs + (this.chargeRu / this.#ruPerSecond) * 1000
    for (let left = readyMs - performance.now(); left > 0; left = readyMs - performance.now()) {
      this.#signal?.throwIfAborted()
      await new Promise((resolve) => {
        setTimeout(resolve, Math.min(left, 200))
      })
    }
    this.#signal?.throwIfAborted()
  }
}

/** Number of documents of a range, and the seconds in which they were written. */
interface Extent {
  readonly range: ContainerRange
  readonly documents: number
  readonly from: number
  /** After the last one. */
  readonly to: number
}

async function readExtent(queries: PacedQueries, range: ContainerRange): Promise<Extent> {
  const values = async (aggregate: string): Promise<readonly number[]> => {
    const found: unknown[] = []
    for await (const page of queries.pages(range, `SELECT VALUE ${aggregate} FROM c`)) found.push(...page)
    return found.filter((value) => typeof value === 'number')
  }
  // an aggregate over several pages is one value a page
  const documents = (await values('COUNT(1)')).reduce((sum, each) => sum + each, 0)
  if (documents === 0) return { range, documents, from: 0, to: 0 }
  const from = Math.min(...(await values('MIN(c._ts)')))
  const to = Math.max(...(await values('MAX(c._ts)'))) + 1
  return { range, documents, from, to }
}

interface Drawn {
  readonly documents: readonly StoredDocument[]
  readonly isUniform: boolean
}

interface Window {
  readonly range: ContainerRange
  readonly from: number
  readonly to: number
}

/** Reads random windows; undefined if reading all documents is cheaper, or windows are too large. */
async function drawWindows(
  queries: PacedQueries,
  extents: readonly Extent[],
  count: number,
  random: () => number
): Promise<Drawn | undefined> {
  const total = extents.reduce((sum, { documents }) => sum + documents, 0)
  const isDense = extents.some(({ documents, from, to }) => documents > MAX_PER_SECOND * (to - from))
  if (total <= 2 * count || isDense) return undefined
  const windows = drawing(extents, random)
  const maxDocuments = Math.max(MIN_WINDOW_LIMIT, count * MAX_WINDOW_SHARE)
  const found: StoredDocument[] = []
  let isUneven = false
  const work = async (): Promise<void> => {
    while (found.length < count && !isUneven) {
      const window = windows.next()
      if (window.done === true) return
      const documents: StoredDocument[] = []
      for await (const page of readWindow(queries, window.value)) {
        documents.push(...page)
        isUneven ||= documents.length > maxDocuments
        if (isUneven) return
      }
      found.push(...documents)
    }
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return isUneven ? undefined : { documents: shuffled(found, random).slice(0, count), isUniform: true }
}

function readWindow(queries: PacedQueries, { range, from, to }: Window): AsyncGenerator<readonly StoredDocument[]> {
  const query = 'SELECT * FROM c WHERE c._ts >= @from AND c._ts < @to'
  return queries.pages(range, query, { from, to }) as AsyncGenerator<readonly StoredDocument[]>
}

/** Yields all windows of all ranges in random order. */
function* drawing(extents: readonly Extent[], random: () => number): Generator<Window, void> {
  const counts = extents.map(({ documents, from, to }) => Math.min(to - from, Math.ceil(documents / PER_WINDOW)))
  const total = counts.reduce((sum, each) => sum + each, 0)
  const seen = new Set<number>()
  while (seen.size < total) {
    const drawn = Math.floor(random() * total)
    if (seen.has(drawn)) continue
    seen.add(drawn)
    let [extent, number] = [0, drawn]
    for (; number >= counts[extent]; extent++) number -= counts[extent]
    const { range, from, to } = extents[extent]
    const edge = (window: number): number => from + Math.floor((window * (to - from)) / counts[extent])
    yield { range, from: edge(number), to: edge(number + 1) }
  }
}

/** Reads all documents, and keeps some: each has the same probability. */
async function keepSome(
  queries: PacedQueries,
  ranges: readonly ContainerRange[],
  count: number,
  random: () => number
): Promise<Drawn> {
  const documents: StoredDocument[] = []
  let seen = 0
  for (const range of ranges) {
    for await (const page of queries.pages(range, 'SELECT * FROM c')) {
      for (const document of page as readonly StoredDocument[]) {
        seen++
        const slot = documents.length < count ? documents.length : Math.floor(random() * seen)
        if (slot < count) documents[slot] = document
      }
    }
  }
  return { documents, isUniform: false }
}

function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const result = [...list]
  for (let left = result.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1))
    const moved = result[left]
    result[left] = result[other]
    result[other] = moved
  }
  return result
}

const SYSTEM_PROPERTIES: ReadonlySet<string> = new Set(['_rid', '_self', '_etag', '_attachments', '_ts'])

function withoutSystemProperties(document: StoredDocument): StoredDocument {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !SYSTEM_PROPERTIES.has(name)))
}
