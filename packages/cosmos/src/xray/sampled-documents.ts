import { PageSizer } from '../budget/page-sizer.ts'
import { stringIn } from '../client/http-client.ts'
import {
  drawDocuments,
  type DrawnDocuments,
  type Extent,
  isTooDense,
  type RangeQueries,
  readExtent,
  withoutSystemProperties
} from '../reader/draw-documents.ts'
import type { StoredDocument } from '../reader/range-pages.ts'
import type { RangeFacts } from './container-facts.ts'
import { isMoved, type RangeRoutes } from './range-routes.ts'
import type { Allowance } from './ru-limiter.ts'
import type { XrayAnswer, XrayRequest, XrayRequests } from './xray-requests.ts'

/** Documents of a container. */
export interface SampledDocuments {
  /** `moments`: the first documents from random seconds on, because too many documents were written in one second. */
  readonly method: DrawnDocuments['method'] | 'moments'
  readonly sample: readonly StoredDocument[]
  /** Documents of the container. */
  readonly documents: number
}

interface SampledDocumentsOptions {
  readonly requests: XrayRequests
  readonly ranges: readonly RangeFacts[]
  readonly routes: Pick<RangeRoutes, 'leavesOf' | 'follow'>
  readonly count: number
  /** Whether the documents keep the properties that Cosmos DB adds. */
  readonly keepsSystemProperties: boolean
  /** RU that a request should cost at most. */
  readonly requestRu: number
  /** RU and time after which no further documents are read. */
  readonly allowance: Allowance
  readonly random: () => number
}

/** Splits and merges during one run after which the sampling begins again. */
const MAX_MOVES = 20

/**
 * Draws documents at random, each with the same probability if the times of their writes allow it. Begins again after a
 * split or merge, because windows of different physical partitions are drawn together.
 */
export async function readSampledDocuments(options: SampledDocumentsOptions): Promise<SampledDocuments> {
  for (let moves = 0; ; moves++) {
    const queries = new LimitedQueries(options)
    try {
      const drawn = await drawFrom(queries, options)
      return options.keepsSystemProperties ? drawn : { ...drawn, sample: drawn.sample.map(withoutSystemProperties) }
    } catch (error) {
      if (!queries.hasMoved || moves === MAX_MOVES) throw error
    }
  }
}

async function drawFrom(
  queries: LimitedQueries,
  { ranges, routes, count, random }: SampledDocumentsOptions
): Promise<SampledDocuments> {
  const extents: Extent[] = []
  const known = new Map(ranges.map(({ id, statistics }) => [id, statistics?.documents]))
  // a merged range comes from several ranges; its documents are counted, since there are no statistics of it
  const ids = new Set(ranges.flatMap(({ id }) => routes.leavesOf(id)).map(({ id }) => id))
  for (const id of ids) extents.push(await readExtent(queries, { id }, known.get(id)))
  const documents = extents.reduce((sum, extent) => sum + extent.documents, 0)
  if (documents > 2 * count && isTooDense(extents))
    return { method: 'moments', sample: await drawMoments(queries, extents, count, random), documents }
  const { method, sample } = await drawDocuments(queries, extents, count, random)
  return { method, sample, documents }
}

/** Documents of one page at a random second: few, so that the sample has many of such pages. */
const MAX_OF_MOMENT = 100
const MOMENTS = 100

/** Reads single pages that begin at random seconds, as many from each range as it has documents. */
async function drawMoments(
  queries: LimitedQueries,
  extents: readonly Extent[],
  count: number,
  random: () => number
): Promise<readonly StoredDocument[]> {
  const total = extents.reduce((sum, { documents }) => sum + documents, 0)
  const items = Math.max(1, Math.min(MAX_OF_MOMENT, Math.ceil(count / MOMENTS)))
  const found: StoredDocument[] = []
  while (found.length < count && queries.mayContinue()) {
    let number = random() * total
    const { range, from, to } = extents.find(({ documents }) => (number -= documents) < 0) ?? extents[0]
    const second = from + Math.floor(random() * (to - from))
    found.push(...(await queries.firstPage(range.id, second, items)))
  }
  return found.slice(0, count)
}

/** Queries of single ranges whose pages fit the limit. */
class LimitedQueries implements RangeQueries {
  readonly #requests: XrayRequests
  readonly #routes: SampledDocumentsOptions['routes']
  readonly #allowance: Allowance
  readonly #sizer: PageSizer
  /** True after a split or merge: a query of the former physical partition cannot go on. */
  hasMoved = false

  constructor({ requests, routes, requestRu, allowance }: SampledDocumentsOptions) {
    this.#requests = requests
    this.#routes = routes
    this.#allowance = allowance
    this.#sizer = new PageSizer(requestRu)
  }

  readonly mayContinue = (): boolean => this.#allowance.isLeft && !this.hasMoved

  async *pages(
    rangeId: string,
    query: string,
    parameters: Readonly<Record<string, number>> = {}
  ): AsyncGenerator<readonly unknown[]> {
    let continuation: string | undefined
    do {
      const page = await this.#page(rangeId, query, parameters, this.#sizer.items, continuation)
      yield page.found
      continuation = page.continuation
    } while (continuation !== undefined)
  }

  /** The first documents that were written from a second on. */
  async firstPage(rangeId: string, second: number, items: number): Promise<readonly StoredDocument[]> {
    const query = 'SELECT * FROM c WHERE c._ts >= @from'
    const asked = Math.min(items, this.#sizer.items)
    const { found } = await this.#page(rangeId, query, { from: second }, asked, undefined)
    return found as readonly StoredDocument[]
  }

  async #page(
    rangeId: string,
    query: string,
    parameters: Readonly<Record<string, number>>,
    items: number,
    continuation: string | undefined
  ): Promise<{ readonly found: readonly unknown[]; readonly continuation: string | undefined }> {
    const answer = await this.#send(rangeId, {
      what: `sampling documents of range ${rangeId}`,
      kind: 'query',
      headers: {
        'content-type': 'application/query+json',
        'x-ms-documentdb-isquery': 'true',
        'x-ms-max-item-count': String(items),
        'x-ms-documentdb-partitionkeyrangeid': rangeId,
        'x-ms-documentdb-query-enablecrosspartition': 'true',
        ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
      },
      body: JSON.stringify({
        query,
        parameters: Object.entries(parameters).map(([name, value]) => ({ name: `@${name}`, value }))
      }),
      expectedRu: this.#sizer.expectedRu
    })
    const { Documents: found = [] } = answer.json as { readonly Documents?: readonly unknown[] }
    this.#sizer.learn(found.length, answer.chargeRu)
    return { found, continuation: stringIn(answer.headers['x-ms-continuation']) }
  }

  async #send(rangeId: string, request: XrayRequest): Promise<XrayAnswer> {
    for (;;) {
      try {
        return await this.#requests.send(request)
      } catch (error) {
        if (!isMoved(error)) throw error
        const [first] = await this.#routes.follow({ id: rangeId, part: undefined }, error)
        if (first.id === rangeId) continue
        this.hasMoved = true
        throw error
      }
    }
  }
}
