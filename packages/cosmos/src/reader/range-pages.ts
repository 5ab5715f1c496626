import type { FieldCondition, KeyDefinition } from '@keystamp/core'
import type { Account } from '../client/account.ts'
import { errorOfAnswer } from '../client/cosmos-error.ts'
import { headerText } from '../client/http-client.ts'
import type { Semaphore } from '../client/semaphore.ts'
import { createKeyQuery, type Where } from './key-query.ts'
import { mergeAsTheyCome, mergeInOrder, type Page, type SortOrder } from './merge-pages.ts'
import type { RequestItem, RetriedAnswer } from './retrying-requests.ts'
import { divideKeys, type RangeKeys, routeKeys } from './route-keys.ts'

/** Reported for each page that was read. */
export interface PageRead {
  readonly rangeId: string
  readonly documents: number
  /** RU of the page, including refused attempts. */
  readonly chargeRu: number
  /** Number of requests for the page: more than one if a request was throttled or lost. */
  readonly requests: number
  readonly isFirst: boolean
}

/** Options for reading pages. */
interface RangePagesOptions {
  readonly account: Pick<Account, 'refresh' | 'refreshRanges'>
  readonly requestItem: RequestItem
  readonly semaphore: Semaphore
  readonly definition: Required<KeyDefinition>
  readonly levels: readonly (readonly string[])[]
  readonly id: string | undefined
  readonly conditions?: readonly FieldCondition[]
  readonly where?: Where | undefined
  readonly columns?: readonly string[] | undefined
  readonly order: SortOrder | undefined
  readonly pageItems: number
  readonly retryForMs: number
  readonly now: () => number
  readonly signal: AbortSignal | undefined
  readonly onPage: (page: PageRead) => void
}

/** A document as stored in Cosmos DB. */
export type StoredDocument = Readonly<Record<string, unknown>>

/** Position at which reading resumes if the range is split or merged. */
interface Progress {
  readonly continuation: string | undefined
  readonly delivered: Delivered | undefined
  /** Time of the last page. */
  readonly sinceMs: number
}

/** With an order: the last delivered value, and the delivered documents with this value. */
interface Delivered {
  readonly value: unknown
  readonly rids: ReadonlySet<unknown>
}

/**
 * Reads the documents under the keys of one range, page by page. Resumes in other ranges if the range is split or
 * merged.
 */
export function readRange(held: RangeKeys, options: RangePagesOptions): AsyncGenerator<Page<StoredDocument>> {
  return readFrom(held, { continuation: undefined, delivered: undefined, sinceMs: options.now() }, options)
}

async function* readFrom(
  held: RangeKeys,
  start: Progress,
  options: RangePagesOptions
): AsyncGenerator<Page<StoredDocument>> {
  const { requestItem, semaphore, order, now, signal, onPage } = options
  let progress = start
  let isFirst = true
  const what = `reading documents of range ${held.range.id}`
  for (;;) {
    const answer = await semaphore.run(() =>
      requestItem(what, pageRequest(held, progress.continuation, options), signal)
    )
    if (answer.status === 410) {
      yield* readMoved(held, progress, answer, options)
      return
    }
    const documents = documentsIn(answer)
    onPage({
      rangeId: held.range.id,
      documents: documents.length,
      chargeRu: answer.chargeRu,
      requests: answer.requests,
      isFirst
    })
    isFirst = false
    const fresh = order === undefined ? documents : notDelivered(documents, progress.delivered, order)
    progress = {
      continuation: answer.continuation,
      delivered: lastOf(fresh, progress.delivered, order),
      sinceMs: now()
    }
    yield fresh
    if (answer.continuation === undefined) return
  }
}

function pageRequest(
  { range, keys }: RangeKeys,
  continuation: string | undefined,
  options: RangePagesOptions
): Parameters<RequestItem>[1] {
  const { levels, pageItems, where } = options
  const [{ values }] = keys
  const isOneKey = keys.length === 1 && values.length === levels.length
  return {
    verb: 'POST',
    headers: {
      'content-type': 'application/query+json',
      'x-ms-documentdb-isquery': 'true',
      'x-ms-max-item-count': String(pageItems),
      ...(isOneKey
        ? { 'x-ms-documentdb-partitionkey': headerText(JSON.stringify(values)) }
        : { 'x-ms-documentdb-partitionkeyrangeid': range.id, 'x-ms-documentdb-query-enablecrosspartition': 'true' }),
      ...(continuation === undefined ? {} : { 'x-ms-continuation': continuation })
    },
    body: JSON.stringify(createKeyQuery(keys, options)),
    ...(where === undefined ? {} : { blames: '`where`' })
  }
}

function documentsIn({ body }: RetriedAnswer): readonly StoredDocument[] {
  const documents = typeof body === 'object' && body !== null && 'Documents' in body ? body.Documents : undefined
  return Array.isArray(documents) ? (documents as StoredDocument[]) : []
}

/**
 * Routes the keys again after the range has moved, or while it is moving. Without an order, the continuation is valid
 * for the new ranges, too. With an order, the new ranges are read from the beginning, without the documents that were
 * already delivered.
 */
async function* readMoved(
  held: RangeKeys,
  progress: Progress,
  refused: RetriedAnswer,
  options: RangePagesOptions
): AsyncGenerator<Page<StoredDocument>> {
  const { account, definition, order, retryForMs, now } = options
  if (now() - progress.sinceMs > retryForMs) throw errorOfAnswer(`reading documents of range ${held.range.id}`, refused)
  if (refused.subStatus === CREATED_AGAIN) await account.refresh()
  const routed = routeKeys(held.keys, await account.refreshRanges(), definition).flatMap(divideKeys)
  const from = order === undefined ? progress : { ...progress, continuation: undefined }
  const streams = routed.map((part) => readFrom(part, from, options))
  yield* order === undefined ? mergeAsTheyCome(streams, 1) : mergeInOrder(streams, order)
}

const CREATED_AGAIN = 1000

function notDelivered(
  documents: readonly StoredDocument[],
  delivered: Delivered | undefined,
  order: SortOrder
): readonly StoredDocument[] {
  if (delivered === undefined) return documents
  return documents.filter((document) => {
    const difference = order.compare(order.valueOf(document), delivered.value)
    return difference > 0 || (difference === 0 && !delivered.rids.has(document['_rid']))
  })
}

function lastOf(
  documents: readonly StoredDocument[],
  before: Delivered | undefined,
  order: SortOrder | undefined
): Delivered | undefined {
  const last = documents.at(-1)
  if (order === undefined || last === undefined) return before
  const value = order.valueOf(last)
  const rids = new Set<unknown>(before !== undefined && order.compare(before.value, value) === 0 ? before.rids : [])
  for (
    let index = documents.length - 1;
    index >= 0 && order.compare(order.valueOf(documents[index]), value) === 0;
    index--
  ) {
    rids.add(documents[index]['_rid'])
  }
  return { value, rids }
}
