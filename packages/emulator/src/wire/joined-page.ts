import { Scan, type ScanPosition } from '../engine/scan.ts'
import { LOWEST } from '../partition/boundaries.ts'
import { finishNow } from '../query/index.ts'
import { propertiesOf } from './container-queries.ts'
import type { ItemsContinuation } from './continuation.ts'
import { PageRows } from './page-rows.ts'
import { feedInSteps, Pace, type QueryPage, type ScopedQuery, SCANNED_ITEMS, writePage } from './query-page.ts'

/** An item that gave rows, and the position of a scan before the item. */
interface RowSource {
  readonly ordinal: number
  /** Index of its first row. */
  readonly first: number
  readonly before: ScanPosition
}

/**
 * A page of a query with JOIN, whose rows come from one item each. A page can end between two rows of an item: the next
 * page reads the item again and leaves out the rows that were returned. Each `yield` is a point at which other requests
 * may run.
 */
export function* readJoined(asked: ScopedQuery, from: ItemsContinuation | undefined): Generator<undefined, QueryPage> {
  const { service, container, scope, query, parameters, size, tally } = asked
  const returned = from?.returned ?? 0
  const top = typeof query.top === 'number' ? query.top - returned : Number.POSITIVE_INFINITY
  const limit = Math.min(size.items, top)
  const rows = new PageRows(container)
  if (limit <= 0) return { rows, next: undefined }
  const inside = from?.inside ?? NONE
  // one more row shows whether the page ends inside of an item
  const run = service.querier.start(
    { ...query, top: limit + 1 + sumOf(inside.values()) },
    parameters,
    propertiesOf(container.definition)
  )
  const feed = feedInSteps(container, run)
  const scan = new Scan(container, scope, from?.position, service.now())
  const sources: RowSource[] = []
  let position = from?.position ?? START
  let [bytes, isAtEnd] = [0, false]
  const pace = new Pace()
  for (let count = 0; run.wantsMore() && count < SCANNED_ITEMS && bytes < size.bytes; count++) {
    const item = scan.next()
    isAtEnd = item === undefined
    if (item === undefined) break
    const first = run.rowCount()
    const steps = feed(item)
    if (steps !== undefined) yield* steps
    if (run.rowCount() > first) sources.push({ ordinal: item.ordinal, first, before: position })
    position = scan.position()
    bytes += item.length
    tally.items += 1
    if (pace.isPause(item)) yield
  }
  tally.bytes += bytes
  const { found, kept } = withoutReturned(finishNow(run), sources, inside)
  const isLast = isAtEnd || scan.next() === undefined
  yield* writePage(rows, { ...size, items: limit }, found.length, (at) => rows.addText(JSON.stringify(found[at])))
  const end = rows.count
  const total = returned + end
  if (end === top) return { rows, next: undefined }
  const last = end < found.length ? kept.findLastIndex(({ first }) => first <= end) : kept.length
  const passed = new Set(kept.slice(0, last).map(({ ordinal }) => ordinal))
  const rest = new Map([...inside].filter(([ordinal]) => !passed.has(ordinal)))
  if (last === kept.length) {
    return { rows, next: isLast ? undefined : { kind: 'items', position, returned: total, inside: rest } }
  }
  const { ordinal, first, before } = kept[last]
  if (end > first) rest.set(ordinal, end - first + (inside.get(ordinal) ?? 0))
  return { rows, next: { kind: 'items', position: before, returned: total, inside: rest } }
}

/**
 * The rows that no former page has, and their sources. Items of which a page has some rows need not be the first of the
 * next page: there can be new items before them, and items of another range after a split.
 */
function withoutReturned(
  all: readonly unknown[],
  sources: readonly RowSource[],
  inside: ReadonlyMap<number, number>
): { readonly found: readonly unknown[]; readonly kept: readonly RowSource[] } {
  if (inside.size === 0) return { found: all, kept: sources }
  const found: unknown[] = []
  const kept = sources.map((source, index) => {
    const first = found.length
    const end = sources[index + 1]?.first ?? all.length
    for (let at = source.first + (inside.get(source.ordinal) ?? 0); at < end; at++) found.push(all[at])
    return { ...source, first }
  })
  return { found, kept }
}

function sumOf(numbers: Iterable<number>): number {
  let sum = 0
  for (const number of numbers) sum += number
  return sum
}

const NONE: ReadonlyMap<number, number> = new Map()
const START: ScanPosition = { min: LOWEST, intervals: [] }
