import { createItemReader } from '../engine/item-reader.ts'
import { Scan, type ScanPosition, type ScanScope } from '../engine/scan.ts'
import {
  finishNow,
  joinNeeds,
  type PackedRows,
  type Query,
  QueryMemory,
  type QueryRun,
  returnsDocuments
} from '../query/index.ts'
import type { Container } from '../store/container.ts'
import { documentText, type StoredItem } from '../store/item.ts'
import { propertiesOf } from './container-queries.ts'
import type { Continuation, ItemsContinuation, RowsContinuation } from './continuation.ts'
import type { PageSize } from './feed-page.ts'
import { PageRows } from './page-rows.ts'
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

/** A page of a query, and where the next page begins. */
export interface QueryPage {
  readonly rows: PageRows
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
  const rows = new PageRows(container)
  if (limit <= 0) return { rows, next: undefined }
  const rowLimit = limit < top ? limit + 1 : limit
  const run = service.querier.start({ ...query, top: rowLimit }, parameters, propertiesOf(container.definition))
  const { feed, found, write } = collectRows(asked, run, rows, limit)
  const wantsMore = (): boolean => run.wantsMore() && found() < rowLimit
  // compiling a query takes as long as a step
  yield
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
  const count = found()
  if (count > limit) {
    tally.items -= 1
    tally.bytes -= lastBytes ?? 0
  }
  // items between the last row of the page and the extra row gave no rows
  const position =
    count > limit
      ? scan.formerPosition()
      : isAtEnd || lastBytes === undefined || count === top
        ? undefined
        : positionOfRest(scan)
  yield* write()
  return { rows, next: position && { kind: 'items', position, returned: returned + rows.count } }
}

/** The position of a scan; undefined if no item follows. */
function positionOfRest(scan: Scan): ScanPosition | undefined {
  const position = scan.position()
  return scan.next() === undefined ? undefined : position
}

/**
 * A page of a query whose rows are computed together: sorted, distinct or aggregated. The rows are kept for the next
 * pages. Each `yield` is a point at which other requests may run.
 */
export function* readWhole(asked: ScopedQuery, from: RowsContinuation | undefined): Generator<undefined, QueryPage> {
  const { service, size } = asked
  const known = from === undefined ? undefined : service.results.get(from.result)
  const all = known ?? (yield* computeWith(asked, new QueryMemory()))
  const offset = from?.offset ?? 0
  const rows = new PageRows(asked.container)
  const last = Math.min(size.items, all.length - offset)
  while (rows.count < last && rows.length < size.bytes) {
    rows.addRun(all.runFrom(offset + rows.count, last - rows.count, size.bytes - rows.length))
    yield
  }
  const end = offset + rows.count
  if (end >= all.length) return { rows, next: undefined }
  const result = known === undefined ? service.results.keep(all) : from!.result
  return { rows, next: { kind: 'rows', offset: end, result } }
}

function* computeWith(asked: ScopedQuery, memory: QueryMemory): Generator<undefined, PackedRows> {
  try {
    return yield* computeRows(asked, memory)
  } finally {
    memory.release()
  }
}

function* computeRows(
  { service, container, scope, query, parameters, tally }: ScopedQuery,
  memory: QueryMemory
): Generator<undefined, PackedRows> {
  const run = service.querier.startPacked(query, parameters, propertiesOf(container.definition), memory)
  const feed = feedInSteps(container, run)
  yield
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

/**
 * Writes the first of some rows to a page, until it is full: at least one. Each `yield` is a point at which other
 * requests may run.
 */
export function* writePage(
  page: PageRows,
  size: PageSize,
  count: number,
  write: (at: number) => void
): Generator<undefined, void> {
  const end = Math.min(size.items, count)
  while (page.count < end && page.length < size.bytes) {
    write(page.count)
    if (page.count % STEP_ITEMS === 0) yield
  }
}

/** Collects the rows of a query, each of which comes from one item. */
interface RowCollector {
  readonly feed: (item: StoredItem) => Generator<undefined, void> | undefined
  /** The number of rows so far, of which only some are on the page. */
  readonly found: () => number
  /** Writes rows to the page that are not there yet. */
  readonly write: () => Generator<undefined, void>
}

function collectRows({ container, query }: ScopedQuery, run: QueryRun, rows: PageRows, limit: number): RowCollector {
  if (returnsDocuments(query)) return collectDocuments(container, run, rows, limit)
  return {
    feed: feedInSteps(container, run),
    found: run.rowCount,
    *write() {
      const found = finishNow(run)
      const all = { items: limit, bytes: Number.POSITIVE_INFINITY }
      yield* writePage(rows, all, found.length, (at) => rows.addText(JSON.stringify(found[at])))
    }
  }
}

// the stored JSON is what parsing and printing it would give
function collectDocuments(container: Container, { filter }: QueryRun, rows: PageRows, limit: number): RowCollector {
  const read = filter === undefined ? undefined : createItemReader(container, filter.needs)
  const accepts = filter?.acceptsInSteps
  let count = 0
  const feed = (item: StoredItem): undefined => {
    if ((read === undefined || filter!.accepts(read(item))) && count++ < limit) rows.addItem(item)
  }
  const feedLong = function* (item: StoredItem): Generator<undefined, void> {
    const document = read!(item)
    // the item can change while the query pauses
    const text = documentText(container, item)
    if ((yield* accepts!(document)) && count++ < limit) rows.addText(text)
  }
  return { feed: accepts === undefined ? feed : feedLong, found: () => count, *write() {} }
}
