import { checkOptionNames, type Clock, createClock, waitFor } from '@keystamp/core/internal'
import { KeystampError } from '@keystamp/core'
import { type Account, openAccount } from '../client/account.ts'
import { ACCOUNT_OPTION_NAMES, type AccountOptions } from '../client/account-options.ts'
import type { ContainerDefinition, ContainerRange } from '../client/container.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import type { Offer } from '../client/offer.ts'
import { drawDocuments, type RangeQueries, readExtent, withoutSystemProperties } from './draw-documents.ts'
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

const REQUEST_TIMEOUT_MS = 30_000
const RETRY_FOR_MS = 60_000

/**
 * Reads a random part of a container, and writes nothing. Each physical partition is divided into windows of `_ts`, and
 * all documents of randomly chosen windows are read, so that each document has the same probability. Reads all
 * documents instead if they are few, or if most were written at the same time. Begins again after a split or merge.
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
  const spent: Spent = { startMs: performance.now(), chargeRu: 0 }
  try {
    const definition = await account.definition()
    const offer = await readOffer(account)
    let ranges = await account.ranges()
    for (let moves = 0; ; moves++) {
      const queries = new PacedQueries(requestItem, { ruPerSecond, spent, signal, onProgress })
      try {
        const extents = await Promise.all(ranges.map((range) => readExtent(queries, range)))
        const documents = extents.reduce((sum, extent) => sum + extent.documents, 0)
        const { method, sample } = await drawDocuments(queries, extents, count, random)
        return {
          definition,
          offer,
          partitions: ranges.length,
          documents,
          method,
          sample: sample.map(withoutSystemProperties),
          chargeRu: spent.chargeRu
        }
      } catch (error) {
        if (error !== queries.moved || moves === MAX_MOVES) throw error
        ranges = await rangesWithout(queries.movedId, account, { clock, signal, error })
      }
    }
  } finally {
    client.close()
    account.close()
  }
}

/** Splits and merges during one run after which the sampling begins again. */
const MAX_MOVES = 20
/** Time between two reads of the list of ranges while a split or merge is not complete. */
const WAIT_MS = 500
/** A minute in all. */
const MAX_WAITS = 120

/** The ranges after a split or merge of one of them. Throws the error if it does not end. */
async function rangesWithout(
  id: string,
  account: Account,
  { clock, signal, error }: { readonly clock: Clock; readonly signal: AbortSignal | undefined; readonly error: unknown }
): Promise<readonly ContainerRange[]> {
  for (let waits = 0; waits < MAX_WAITS; waits++) {
    signal?.throwIfAborted()
    try {
      const ranges = await account.refreshRanges()
      if (!ranges.some((range) => range.id === id)) return ranges
    } catch (failure) {
      // the list has a gap for a moment
      if (!(failure instanceof CosmosError && failure.retriable)) throw failure
    }
    await waitFor(WAIT_MS, clock, signal)
  }
  throw error
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

/** RU of all requests of a run, since its beginning. */
interface Spent {
  readonly startMs: number
  chargeRu: number
}

interface PacedQueriesOptions {
  readonly ruPerSecond: number
  readonly spent: Spent
  readonly signal: AbortSignal | undefined
  readonly onProgress: (documents: number, chargeRu: number) => void
}

/** Runs queries of single ranges, and waits so that their mean rate stays below a limit. */
class PacedQueries implements RangeQueries {
  readonly #requestItem: RequestItem
  readonly #options: PacedQueriesOptions
  #documents = 0
  /** Id of a range that was split or merged: from then on, all queries throw `moved`. */
  movedId = ''
  moved: CosmosError | undefined = undefined

  constructor(requestItem: RequestItem, options: PacedQueriesOptions) {
    this.#requestItem = requestItem
    this.#options = options
  }

  async *pages(
    id: string,
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
      const answer = await this.#requestItem(what, { verb: 'POST', headers, body }, this.#options.signal)
      this.#options.spent.chargeRu += answer.chargeRu
      if (answer.status === 410) {
        this.movedId = id
        this.moved ??= new CosmosError('COSMOS_UNAVAILABLE', MOVED, { retriable: true })
        throw this.moved
      }
      const { Documents: found = [] } = answer.body as { readonly Documents?: readonly unknown[] }
      this.#documents += found.length
      this.#options.onProgress(this.#documents, this.#options.spent.chargeRu)
      yield found
      continuation = answer.continuation
    } while (continuation !== undefined)
  }

  /** Waits until the RU spent so far fit the limit. */
  async #wait(): Promise<void> {
    const { spent, ruPerSecond, signal } = this.#options
    const readyMs = spent.startMs + (spent.chargeRu / ruPerSecond) * 1000
    for (let left = readyMs - performance.now(); left > 0; left = readyMs - performance.now()) {
      signal?.throwIfAborted()
      await new Promise((resolve) => {
        setTimeout(resolve, Math.min(left, 200))
      })
    }
    signal?.throwIfAborted()
    if (this.moved !== undefined) throw this.moved
  }
}

const MOVED =
  'A physical partition was split or merged during the sampling, and this did not end within a minute. Run it again.'
