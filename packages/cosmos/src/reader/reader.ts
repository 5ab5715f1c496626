import { isKeystampError, type KeysForOptions, KeystampError, type PartitionKey, type Source } from '@keystamp/core'
import { checkOptionNames, createClock } from '@keystamp/core/internal'
import { openAccount } from '../client/account.ts'
import { CosmosError } from '../client/cosmos-error.ts'
import { isAddressable } from '../client/address.ts'
import { createItemClient, createRetryingRequests } from './retrying-requests.ts'
import { type OrderBy, toSortOrder } from './merge-pages.ts'
import { createPagePrices, explainPoint, explainQuery, type Explanation } from './explanation.ts'
import type { KeySource } from './key-source.ts'
import { createContainerReader, readPoint, toProjection } from './container-reading.ts'
import type { StoredDocument } from './range-pages.ts'
import { type ReaderOptions, resolveReaderOptions } from './reader-options.ts'
import { toWhere, type WhereParameters } from './key-query.ts'

/** Options for reading one record. */
export interface ReadOptions {
  /** The id, if the parts do not contain it. */
  readonly id?: string
  /** Key, headers and metadata of the Kafka record, if the plan reads them. */
  readonly source?: Source
  readonly signal?: AbortSignal
}

/** Options for reading all documents with some parts. */
export interface ReadAllOptions extends KeysForOptions {
  /** Field to sort by, as a JSON pointer. */
  readonly orderBy?: OrderBy
  /** SQL condition on the document `c`, such as `c.km > @min`. Only documents that meet it are returned. */
  readonly where?: string
  /** Values of the parameters in `where`, by name: `{ min: 5 }`. */
  readonly parameters?: WhereParameters
  /** Fields to return, as JSON pointers. Default: whole documents. */
  readonly select?: readonly string[]
  /** Maximum number of documents. Default: all. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Options for an explanation. */
export interface ExplainOptions extends KeysForOptions {
  readonly id?: string
}

/** Finds documents by parts of their records. */
export interface Reader<T = StoredDocument> {
  /**
   * Reads the documents of one record. If key and id are known, this is a point read; if only the key is known, a query
   * of its logical partition. If only the id is known, as with random suffixes, each range is queried once. Throws
   * PARTS_MISSING if the parts determine neither.
   */
  readonly read: (parts: object, options?: ReadOptions) => Promise<readonly T[]>
  /**
   * Reads all documents with these parts and a time in `between`. Each range is queried once for its share of the keys.
   * Throws KEYS_UNBOUNDED if the parts allow more keys than can be listed, and OPTION_INVALID for a part that is not a
   * field of the key or of the id.
   */
  readonly readAll: (parts: object, options?: ReadAllOptions) => AsyncGenerator<T, void, undefined>
  /**
   * Describes the requests of `read`, or of `readAll` if the parts do not determine the key. Does not send these
   * requests.
   */
  readonly explain: (parts: object, options?: ExplainOptions) => Promise<Explanation>
  /** Ends all reads with READER_CLOSED. */
  readonly close: () => void
}

/** Creates a reader of one container. Sends nothing before the first read. */
export function createReader<T = StoredDocument>(options: ReaderOptions): Reader<T> {
  const settings = resolveReaderOptions(options)
  const account = openAccount(settings)
  const client = createItemClient(account, settings.requestTimeoutMs)
  const prices = createPagePrices()
  const requestItem = createRetryingRequests({
    account,
    client,
    retryForMs: settings.retryForMs,
    clock: createClock(globalThis),
    random: Math.random
  })
  const reading = createContainerReader({ account, requestItem, settings, prices, now: () => performance.now() })
  const closing = new AbortController()
  const untilClosed = (signal: AbortSignal | undefined): AbortSignal => {
    closing.signal.throwIfAborted()
    return signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
  }

  async function read(parts: object, asked: ReadOptions = {}): Promise<readonly StoredDocument[]> {
    checkReadArguments(parts, asked, ['id', 'source', 'signal'] satisfies (keyof ReadOptions)[])
    const { id: givenId, source } = asked
    const signal = untilClosed(asked.signal)
    const { keys } = await reading.open()
    const given = source === undefined ? {} : { source }
    const filter = keys.filter(parts, given)
    const id = givenId ?? keys.idOf(parts, source)
    const exact = exactKeys(keys, parts, source, id)
    if (exact !== undefined && id !== undefined && isAddressable(id))
      return (await readPoint(requestItem, exact, id, signal)).filter(filter.matches)
    const found: StoredDocument[] = []
    const asks = exact ?? everyKey(keys, parts, given)
    for await (const document of reading.readKeys(asks, { id, filter, signal, order: undefined })) found.push(document)
    return found
  }

  async function* readAll(parts: object, asked: ReadAllOptions = {}): AsyncGenerator<StoredDocument, void, undefined> {
    checkReadArguments(parts, asked, READ_ALL_OPTIONS)
    const { orderBy, where: condition, parameters, select, limit, signal: given, ...narrowed } = asked
    const signal = untilClosed(given)
    const order = orderBy === undefined ? undefined : toSortOrder(orderBy)
    const where = toWhere(condition, parameters)
    checkLimit(limit)
    const { keys } = await reading.open()
    const filter = keys.filter(parts, narrowed)
    const projection = toProjection(select, [])
    const held = keys.every(parts, narrowed)
    const { id } = filter
    if (
      id !== undefined &&
      isAddressable(id) &&
      where === undefined &&
      held.length === 1 &&
      (await reading.isComplete(held[0]))
    ) {
      const found = (await readPoint(requestItem, held, id, signal)).filter(filter.matches)
      yield* projection === undefined ? found : found.map(projection.apply)
    } else yield* reading.readKeys(held, { id, filter, where, select, limit, signal, order })
  }

  async function explain(parts: object, asked: ExplainOptions = {}): Promise<Explanation> {
    checkReadArguments(parts, asked, ['id', 'between', 'source'] satisfies (keyof ExplainOptions)[])
    const { id: givenId, ...narrowed } = asked
    untilClosed(undefined)
    const { keys } = await reading.open()
    keys.filter(parts, narrowed)
    const id = givenId ?? keys.idOf(parts, narrowed.source)
    const exact = exactKeys(keys, parts, narrowed.source, 'any')
    const found = exact ?? keys.every(parts, narrowed)
    const routed = await reading.route(found)
    return exact !== undefined && id !== undefined && isAddressable(id)
      ? explainPoint(found, routed)
      : explainQuery(found, routed, prices)
  }

  return {
    // the caller decides on the type of documents
    read: read as Reader<T>['read'],
    readAll: readAll as Reader<T>['readAll'],
    explain,
    close: () => {
      closing.abort(new CosmosError('READER_CLOSED', 'The reader is closed: create another one.'))
      client.close()
      account.close()
    }
  }
}

const READ_ALL_OPTIONS = [
  'orderBy',
  'between',
  'source',
  'where',
  'parameters',
  'select',
  'limit',
  'signal'
] satisfies (keyof ReadAllOptions)[]

function checkLimit(limit: number | undefined): void {
  if (limit !== undefined && (!Number.isSafeInteger(limit) || limit < 1)) {
    throw new KeystampError('OPTION_INVALID', '`limit` must be a whole number from 1 on.')
  }
}

/** Returns the exact keys; undefined if the parts do not determine the key, but an id is known for a query. */
function exactKeys(
  keys: KeySource,
  parts: object,
  source: Source | undefined,
  id: string | undefined
): readonly PartitionKey[] | undefined {
  try {
    return keys.exact(parts, source)
  } catch (error) {
    if (id !== undefined && isKeystampError(error) && error.code === 'PARTS_MISSING') return undefined
    throw error
  }
}

/** Returns every key of one record. Replaces KEYS_UNBOUNDED by PARTS_MISSING, because one record has one key. */
function everyKey(keys: KeySource, parts: object, options: KeysForOptions): readonly PartitionKey[] {
  try {
    return keys.every(parts, options)
  } catch (error) {
    if (isKeystampError(error) && error.code === 'KEYS_UNBOUNDED')
      throw new KeystampError('PARTS_MISSING', error.message)
    throw error
  }
}

/**
 * Throws OPTION_INVALID for an unknown option or an invalid id, because ignoring it would return other documents than
 * the requested ones.
 */
function checkReadArguments(parts: object, options: object, known: readonly string[]): void {
  if (typeof parts !== 'object' || parts === null || Array.isArray(parts)) {
    throw invalid(
      'The first argument must be an object with the known parts of a record, such as { date: "2018-08-09" }.'
    )
  }
  checkOptionNames(options, known)
  for (const id of [(options as { id?: unknown }).id, (parts as { id?: unknown }).id]) {
    if (id !== undefined && (typeof id !== 'string' || id === '')) throw invalid('`id` must be a non-empty string.')
  }
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
