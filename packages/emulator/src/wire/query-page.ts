import { createItemReader } from '../engine/item-reader.ts'
import { Scan, type ScanPosition, type ScanScope } from '../engine/scan.ts'
import { finishNow, joinNeeds, type PackedRows, type Query, type QueryRun, returnsDocuments } from '../query/index.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import { propertiesOf } from './container-queries.ts'
import type { Continuation, ItemsContinuation, RowsContinuation } from './continuation.ts'
import type { PageSize } from './feed-page.ts'
import type { Service } from './service.ts'

/** A query over the items of a scope. */
export interface ScopedQuery {
  readonly service: Service
  readonly container: Container
  readonly scope: ScanScope
  readonly query: Query
  readonly parameters: ReadonlyMap<string, unknown>
  readonly size: PageSize
  /** Items and bytes read so far. */
  readonly tally: { items: number; bytes: number }
}

/** Rows of a query as JSON, and where the next page begins. */
export interface QueryPage {
  readonly rows: readonly string[]
  readonly next: Continuation | undefined
}

// a page ends after this number of items, even without rows, so that a long scan does not block other requests
export const SCANNED_ITEMS: number = 20_000

/**
 * A page of a query whose rows come from one item each: it ends with the item of its last row. One more row is read, so
 * that a full last page is not followed by an empty one. Each `yield` is a point at which other requests may run.
 */
export function* readRowByRow(
  asked: ScopedQuery,
  from: ItemsContinuation | undefined
): Generator<undefined, QueryPage> {
  const { service, container, scope, query, parameters, size, tally } = asked
  const returned = from?.returned ?? 0
  const top = typeof query.top === 'number' ? query.top - returned : Number.POSITIVE_INFINITY
  const limit = Math.min(size.items, top)
  if (limit <= 0) return { rows: [], next: undefined }
  const rowLimit = limit < top ? limit + 1 : limit
  const run = service.querier.start({ ...query, top: rowLimit }, parameters, propertiesOf(container.definition))
  const { feed, wantsMore, finish } = collectRows(asked, run, rowLimit)
  const scan = new Scan(container, scope, from?.position, service.now())
  // of the last item, which can change between two steps
  let lastBytes: number | undefined
  let isAtEnd = false
  let bytes = 0
  const pace = new Pace()
  for (let count = 0; wantsMore() && count < SCANNED_ITEMS && bytes < size.bytes; count++) {
    const item = scan.next()
    isAtEnd = item === undefined
    if (item === undefined) break
    lastBytes = item.length
    bytes += lastBytes
    tally.items += 1
    const steps = feed(item)
    if (steps !== undefined) yield* steps
    if (pace.isPause(item)) yield
  }
  tally.bytes += bytes
  const rows = finish()
  const toNext = (position: ScanPosition, kept: readonly string[]): QueryPage => ({
    rows: kept,
    next: { kind: 'items', position, returned: returned + kept.length }
  })
  if (rows.length > limit) {
    tally.items -= 1
    tally.bytes -= lastBytes ?? 0
    // items between the last row of the page and the extra row gave no rows
    return toNext(scan.formerPosition(), rows.slice(0, limit))
  }
  if (isAtEnd || lastBytes === undefined || rows.length === top) return { rows, next: undefined }
  const position = scan.position()
  return scan.next() === undefined ? { rows, next: undefined } : toNext(position, rows)
}

/**
 * A page of a query whose rows are computed together: sorted, distinct or aggregated. The rows are kept for the next
 * pages. Each `yield` is a point at which other requests may run.
 */
export function* readWhole(asked: ScopedQuery, from: RowsContinuation | undefined): Generator<undefined, QueryPage> {
  const { service, size } = asked
  const known = from === undefined ? undefined : service.results.get(from.result)
  const rows = known ?? (yield* computeRows(asked))
  const offset = from?.offset ?? 0
  const page = pageOf(rows, offset, size)
  const end = offset + page.length
  if (end >= rows.length) return { rows: page, next: undefined }
  const result = known === undefined ? service.results.keep(rows) : from!.result
  return { rows: page, next: { kind: 'rows', offset: end, result } }
}

function pageOf(rows: PackedRows, offset: number, size: PageSize): string[] {
  return cutPage((at) => (offset + at < rows.length ? rows.textAt(offset + at) : undefined), size)
}

function* computeRows({ service, container, scope, query, parameters, tally }: ScopedQuery) {
  const run = service.querier.startPacked(query, parameters, propertiesOf(container.definition))
  const feed = feedInSteps(container, run)
  const scan = new Scan(container, scope, undefined, service.now())
  const pace = new Pace()
  while (run.wantsMore()) {
    const item = scan.next()
    if (item === undefined) break
    tally.items += 1
    tally.bytes += item.length
    const steps = feed(item)
    if (steps !== undefined) yield* steps
    if (pace.isPause(item)) yield
  }
  return yield* run.finish()
}

/** Ends a step of a scan after some items or bytes, which take a few microseconds. */
export class Pace {
  #items = 0
  #bytes = 0

  /** Counts an item; true when a step ends. */
  isPause({ length }: StoredItem): boolean {
    this.#items += 1
    this.#bytes += length
    if (this.#items < STEP_ITEMS && this.#bytes < STEP_BYTES) return false
    this.#items = 0
    this.#bytes = 0
    return true
  }
}

const STEP_ITEMS = 16
const STEP_BYTES = 32_768

type Feeding = Pick<QueryRun, 'filter' | 'needs' | 'add' | 'addInSteps'>

/** Creates a function that gives an item to a query, and reads only the properties that the query needs. */
function feedItems(container: Container, run: Feeding): (item: StoredItem) => void {
  const { filter, needs, add } = run
  if (filter === undefined) {
    const read = createItemReader(container, needs)
    return (item) => add(read(item))
  }
  const together = joinNeeds(filter.needs, needs)
  const readFiltered = createItemReader(container, together ?? filter.needs)
  // most items are not accepted, so that whole documents are read after the test
  const read = together === undefined && filter.needs !== undefined ? createItemReader(container, undefined) : undefined
  return (item) => {
    const document = readFiltered(item)
    if (filter.accepts(document)) add(read === undefined ? document : read(item))
  }
}

/**
 * Creates a function that gives an item to a query. An item can have many rows: then the query takes it in the steps of
 * the returned generator.
 */
export function feedInSteps(
  container: Container,
  run: Feeding
): (item: StoredItem) => Generator<undefined, void> | undefined {
  const { addInSteps, filter, needs } = run
  if (addInSteps === undefined) {
    const feed = feedItems(container, run)
    return (item) => {
      feed(item)
      return undefined
    }
  }
  // an item can change while the query pauses, so all that is needed is read before
  const read = createItemReader(container, filter === undefined ? needs : joinNeeds(filter.needs, needs))
  const accepts = filter?.acceptsInSteps
  if (accepts === undefined) return (item) => addInSteps(read(item))
  return function* (item) {
    const document = read(item)
    if (yield* accepts(document)) yield* addInSteps(document)
  }
}

/** The rows from an offset that fit into a page, as JSON: at least one. */
export function printPage(rows: readonly unknown[], offset: number, size: PageSize): string[] {
  return cutPage((at) => (offset + at < rows.length ? JSON.stringify(rows[offset + at]) : undefined), size)
}

function cutPage(textAt: (at: number) => string | undefined, size: PageSize): string[] {
  const page: string[] = []
  let bytes = 0
  while (page.length < size.items && bytes < size.bytes) {
    const row = textAt(page.length)
    if (row === undefined) break
    bytes += row.length
    page.push(row)
  }
  return page
}

/** Collects the rows of a query, each of which comes from one item. */
interface RowCollector {
  readonly wantsMore: () => boolean
  readonly feed: (item: StoredItem) => Generator<undefined, void> | undefined
  readonly finish: () => string[]
}

function collectRows({ container, query }: ScopedQuery, run: QueryRun, limit: number): RowCollector {
  if (!returnsDocuments(query)) {
    const finish = (): string[] => finishNow(run).map((row) => JSON.stringify(row))
    return { wantsMore: run.wantsMore, feed: feedInSteps(container, run), finish }
  }
  const rows: string[] = []
  return { wantsMore: () => rows.length < limit, feed: collectDocuments(container, run, rows), finish: () => rows }
}

// the stored JSON is what parsing and printing it would give
function collectDocuments(container: Container, { filter }: QueryRun, rows: string[]): RowCollector['feed'] {
  const read = filter === undefined ? undefined : createItemReader(container, filter.needs)
  const accepts = filter?.acceptsInSteps
  if (accepts === undefined) {
    return (item) => {
      if (read === undefined || filter!.accepts(read(item))) rows.push(documentText(container, item))
      return undefined
    }
  }
  return function* (item) {
    const document = read!(item)
    const text = documentText(container, item)
    if (yield* accepts(document)) rows.push(text)
  }
}
