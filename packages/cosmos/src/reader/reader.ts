import { setTimeout as sleep } from 'node:timers/promises'
import { isKeystampError, type KeysForOptions, type PartitionKey, type Source } from '@keystamp/core'
import { openAccount } from '../account/account.ts'
import { CosmosError } from '../account/cosmos-error.ts'
import { createAsk } from './ask-patiently.ts'
import { checkQuestion } from './check-question.ts'
import { type OrderBy, toDocumentOrder } from './document-order.ts'
import { type Explanation, explainPoint, explainQuery } from './explanation.ts'
import type { KeySource } from './key-source.ts'
import { createPagePrices } from './page-prices.ts'
import { readPoint } from './point-read.ts'
import type { StoredDocument } from './range-pages.ts'
import { createContainerReading } from './read-keys.ts'
import { type ReaderOptions, resolveReaderOptions } from './reader-options.ts'
import { createSender } from './send-request.ts'

/** What is known of one record beside its parts. */
export interface ReadOptions {
  /** The id, where it is known and the parts do not hold it. */
  readonly id?: string
  /** What surrounded the record in Kafka, where the plan reads that. */
  readonly source?: Source
  readonly signal?: AbortSignal
}

/** How all documents of some parts are read. */
export interface ReadAllOptions extends KeysForOptions {
  readonly orderBy?: OrderBy
  readonly signal?: AbortSignal
}

/** What is known, for an explanation. */
export interface ExplainOptions extends KeysForOptions {
  readonly id?: string
}

/** Finds documents again by what is known of them. */
export interface Reader<T = StoredDocument> {
  /**
   * The documents of one record: a point read when the id is known, else a query inside its logical partition. With the id known but not
   * the key, as under random suffixes, each range is asked once. Throws PARTS_MISSING when the parts tell neither.
   */
  readonly read: (parts: object, options?: ReadOptions) => Promise<readonly T[]>
  /** All documents that the parts can mean: each range is asked once for its share of the keys. Throws KEYS_UNBOUNDED. */
  readonly readAll: (parts: object, options?: ReadAllOptions) => AsyncGenerator<T, void, undefined>
  /** What `read`, and where the parts leave the key open `readAll`, would ask, without asking. */
  readonly explain: (parts: object, options?: ExplainOptions) => Promise<Explanation>
  /** Ends what is being read, with READER_CLOSED. */
  readonly close: () => void
}

/** A reader of one container. Nothing is sent before the first question. */
export function createReader<T = StoredDocument>(options: ReaderOptions): Reader<T> {
  const settings = resolveReaderOptions(options)
  const account = openAccount(settings)
  const sender = createSender(account, settings.requestTimeoutMs)
  const prices = createPagePrices()
  const ask = createAsk({
    account,
    sender,
    patienceMs: settings.patienceMs,
    now: () => performance.now(),
    random: Math.random,
    sleep: sleepUntilAborted
  })
  const reading = createContainerReading({ account, ask, settings, prices, now: () => performance.now() })
  const closing = new AbortController()
  const untilClosed = (signal: AbortSignal | undefined): AbortSignal => {
    closing.signal.throwIfAborted()
    return signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal])
  }

  async function read(parts: object, asked: ReadOptions = {}): Promise<readonly StoredDocument[]> {
    checkQuestion(parts, asked, ['id', 'source', 'signal'] satisfies (keyof ReadOptions)[])
    const { id: givenId, source } = asked
    const signal = untilClosed(asked.signal)
    const { keys } = await reading.open()
    const id = givenId ?? keys.idOf(parts, source)
    const exact = exactKeys(keys, parts, source, id)
    if (exact !== undefined && id !== undefined) return readPoint(ask, exact, id, signal)
    const found: StoredDocument[] = []
    const held = exact ?? keys.every(parts, source === undefined ? {} : { source })
    for await (const document of reading.readKeys(held, { id, signal, order: undefined })) found.push(document)
    return found
  }

  async function* readAll(parts: object, asked: ReadAllOptions = {}): AsyncGenerator<StoredDocument, void, undefined> {
    checkQuestion(parts, asked, ['orderBy', 'between', 'source', 'signal'] satisfies (keyof ReadAllOptions)[])
    const { orderBy, signal: given, ...narrowed } = asked
    const signal = untilClosed(given)
    const order = orderBy === undefined ? undefined : toDocumentOrder(orderBy)
    const { keys } = await reading.open()
    yield* reading.readKeys(keys.every(parts, narrowed), { id: undefined, signal, order })
  }

  async function explain(parts: object, asked: ExplainOptions = {}): Promise<Explanation> {
    checkQuestion(parts, asked, ['id', 'between', 'source'] satisfies (keyof ExplainOptions)[])
    const { id: givenId, ...narrowed } = asked
    untilClosed(undefined)
    const { keys } = await reading.open()
    const id = givenId ?? keys.idOf(parts, narrowed.source)
    const exact = exactKeys(keys, parts, narrowed.source, 'any')
    const found = exact ?? keys.every(parts, narrowed)
    const routed = await reading.route(found)
    return exact !== undefined && id !== undefined ? explainPoint(found, routed) : explainQuery(found, routed, prices)
  }

  return {
    // what documents look like is the caller's to say
    read: read as Reader<T>['read'],
    readAll: readAll as Reader<T>['readAll'],
    explain,
    close: () => {
      closing.abort(new CosmosError('READER_CLOSED', 'The reader is closed: create another one.'))
      sender.close()
      account.close()
    }
  }
}

/** Undefined where the parts leave the key open and the id can be asked for instead. */
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

/** Rejects with the reason for which it was ended, and not with one of its own. */
async function sleepUntilAborted(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(ms, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
