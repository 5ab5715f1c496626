import { DELETED } from '../newest/position.ts'
import { type KeyDefinition, KeystampError, type PartitionKey, type PartsFilter } from '@keystamp/core'
import type { Account } from '../client/account.ts'
import { checkContainer, membersOfPath, membersOfPointer } from '../client/container.ts'
import { headerText } from '../client/http-client.ts'
import { createSemaphore } from '../client/semaphore.ts'
import type { PagePrices } from './explanation.ts'
import type { Where } from './key-query.ts'
import { createContainerKeys, createKeySource, type KeySource, toPlan } from './key-source.ts'
import { mergeAsTheyCome, mergeInOrder, readAhead, type SortOrder } from './merge-pages.ts'
import { type PageRead, readRange, type StoredDocument } from './range-pages.ts'
import type { ReaderSettings } from './reader-options.ts'
import type { RequestItem } from './retrying-requests.ts'
import { divideKeys, type RangeKeys, routeKeys } from './route-keys.ts'

/** Options for reading from one container. */
interface ContainerReaderOptions {
  readonly account: Account
  readonly requestItem: RequestItem
  readonly settings: ReaderSettings
  readonly prices: PagePrices
  readonly now: () => number
}

/** Options for reading the documents of some keys. */
interface ReadKeysOptions {
  /** Only the documents with this id. */
  readonly id: string | undefined
  /** Only matching documents are returned. */
  readonly filter: PartsFilter
  readonly where?: Where | undefined
  /** Fields to return. Default: all. */
  readonly select?: readonly string[] | undefined
  /** Maximum number of documents. */
  readonly limit?: number | undefined
  readonly order: SortOrder | undefined
  readonly signal: AbortSignal | undefined
}

/** Keys and definition of an open container. */
interface OpenContainer {
  readonly keys: KeySource
  readonly definition: Required<KeyDefinition>
}

/** Reads documents by their keys. */
interface ContainerReader {
  /** Reads the container's definition once, and checks that the plan matches it. */
  readonly open: () => Promise<OpenContainer>
  /** Whether a key has all levels, and so is the key of one logical partition. */
  readonly isComplete: (key: PartitionKey) => Promise<boolean>
  readonly route: (keys: readonly PartitionKey[]) => Promise<readonly RangeKeys[]>
  readonly readKeys: (
    keys: readonly PartitionKey[],
    options: ReadKeysOptions
  ) => AsyncGenerator<StoredDocument, void, undefined>
}

/** Creates a reader that queries each range once for its keys, at most `parallel` ranges at a time. */
export function createContainerReader({
  account,
  requestItem,
  settings,
  prices,
  now
}: ContainerReaderOptions): ContainerReader {
  const { parallel, pageItems, retryForMs } = settings
  const semaphore = createSemaphore(parallel)
  const given = settings.plan === undefined ? undefined : toPlan(settings.plan)
  let opened: Promise<OpenContainer> | undefined

  function open(): Promise<OpenContainer> {
    if (opened === undefined) {
      opened = openOnce()
      // the next call tries again
      opened.catch(() => {
        opened = undefined
      })
    }
    return opened
  }

  async function openOnce(): Promise<OpenContainer> {
    const container = await account.definition()
    if (given !== undefined) checkContainer(container, given)
    return {
      keys: given === undefined ? createContainerKeys(container.partitionKey.paths) : createKeySource(given),
      definition: container.partitionKey
    }
  }

  async function isComplete({ values }: PartitionKey): Promise<boolean> {
    const { definition } = await open()
    return values.length === definition.paths.length
  }

  async function route(keys: readonly PartitionKey[]): Promise<readonly RangeKeys[]> {
    const { definition } = await open()
    return routeKeys(keys, await account.ranges(), definition).flatMap(divideKeys)
  }

  function onPage(page: PageRead): void {
    if (page.isFirst) prices.learn(page.chargeRu)
    settings.onPage(page)
  }

  async function* readKeys(
    keys: readonly PartitionKey[],
    { id, filter, where, select, limit = Number.POSITIVE_INFINITY, order, signal }: ReadKeysOptions
  ): AsyncGenerator<StoredDocument, void, undefined> {
    const { definition } = await open()
    const ending = new AbortController()
    const ended = signal === undefined ? ending.signal : AbortSignal.any([signal, ending.signal])
    const levels = definition.paths.map(membersOfPath)
    // `_rid` distinguishes documents with equal values
    const projection = toProjection(select, [
      `/${DELETED}`,
      ...filter.fields,
      ...(order === undefined ? [] : [order.field, '/_rid'])
    ])
    const { conditions } = filter
    const { columns } = projection ?? {}
    const items = Math.min(pageItems, limit)
    const asked = { levels, id, conditions, where, columns, order }
    const shared = {
      account,
      requestItem,
      semaphore,
      definition,
      ...asked,
      pageItems: items,
      retryForMs,
      now,
      signal: ended,
      onPage
    }
    const streams = (await route(keys)).map((held) => readAhead(readRange(held, shared)))
    const pages = order === undefined ? mergeAsTheyCome(streams, parallel) : mergeInOrder(streams, order)
    let count = 0
    try {
      for (;;) {
        const next = await pages.next()
        if (next.done === true) return
        for (const document of next.value) {
          if (isDeleted(document) || !filter.matches(document)) continue
          yield projection === undefined ? document : projection.apply(document)
          if (++count >= limit) return
        }
      }
    } finally {
      // aborts first, so that a caller that stops early does not wait for a request in flight
      ending.abort()
      await pages.return(undefined)
    }
  }

  return { open, isComplete, route, readKeys }
}

/**
 * Reads the document with this id under the first key that has it. Usually one request suffices, because the newest key
 * comes first.
 */
export async function readPoint(
  requestItem: RequestItem,
  keys: readonly PartitionKey[],
  id: string,
  signal: AbortSignal | undefined
): Promise<readonly StoredDocument[]> {
  for (const { values } of keys) {
    const headers = { 'x-ms-documentdb-partitionkey': headerText(JSON.stringify(values)) }
    const { status, body } = await requestItem('reading a document', { verb: 'GET', id, headers }, signal)
    if (status === 200) return isDeleted(body as StoredDocument) ? [] : [body as StoredDocument]
  }
  return []
}

/** Whether this is the marker of a deleted document, which a writer with `newest` stores. */
function isDeleted(document: StoredDocument): boolean {
  return document[DELETED] === true
}

/** The selected fields of documents. */
interface Projection {
  /** Top-level properties for the query: those of the selected fields, and those that filters need. */
  readonly columns: readonly string[]
  /** Returns a document with only the selected fields. */
  readonly apply: (document: StoredDocument) => StoredDocument
}

/** Creates a projection; returns undefined for whole documents. Throws OPTION_INVALID for an invalid `select`. */
export function toProjection(select: readonly string[] | undefined, needed: readonly string[]): Projection | undefined {
  if (select === undefined) return undefined
  if (!Array.isArray(select) || select.length === 0 || !select.every(isPointer)) {
    throw new KeystampError(
      'OPTION_INVALID',
      '`select` must be a list of JSON pointers to the fields to return, such as ["/km", "/driver/name"].'
    )
  }
  const wanted = (select as readonly string[]).map(membersOfPointer)
  const columns = [...new Set([...wanted, ...needed.map(membersOfPointer)].map(([name]) => name))]
  const tree = new Map<string, Branch>()
  for (const members of wanted) addToTree(tree, members)
  return { columns, apply: (document) => prune(document, tree) as StoredDocument }
}

function isPointer(field: unknown): boolean {
  return typeof field === 'string' && /^(?:\/[^/]+)+$/.test(field)
}

/** Selected properties; undefined selects the whole value. */
type Branch = Map<string, Branch> | undefined

function addToTree(tree: Map<string, Branch>, [name, ...rest]: readonly string[]): void {
  if (rest.length === 0) return void tree.set(name, undefined)
  if (tree.has(name) && tree.get(name) === undefined) return
  const below = tree.get(name) ?? new Map<string, Branch>()
  tree.set(name, below)
  addToTree(below, rest)
}

// an array is returned as a whole, because an element would have another index without the other elements
function prune(value: unknown, tree: Branch): unknown {
  if (tree === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const pruned: Record<string, unknown> = {}
  for (const [name, below] of tree) {
    if (!Object.hasOwn(value, name)) continue
    const member = (value as Record<string, unknown>)[name]
    // a scalar instead of an object has no such field
    if (below !== undefined && (typeof member !== 'object' || member === null)) continue
    define(pruned, name, prune(member, below))
  }
  return pruned
}

// not an assignment, because assigning to `__proto__` would set the prototype
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}
