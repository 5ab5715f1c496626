import { Scan, type ScanPosition } from '../engine/scan.ts'
import { LOWEST } from '../partition/boundaries.ts'
import { finishNow } from '../query/index.ts'
import { propertiesOf } from './container-queries.ts'
import type { ItemsContinuation } from './continuation.ts'
import { PageRows } from './page-rows.ts'
import { feedInSteps, Pace, type QueryPage, type ScopedQuery, SCANNED_ITEMS, writePage } from './query-page.ts'

/** An item that gave rows: the index of its first row, and the position of a scan before the item. */
interface RowSource {
  readonly ordinal: number
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
  const inside = from?.inside
  // one more row shows whether the page ends inside of an item
  const run = service.querier.start(
    { ...query, top: limit + 1 + (inside?.rows ?? 0) },
    parameters,
    propertiesOf(container.definition)
  )
  const feed = feedInSteps(container, run)
  const scan = new Scan(container, scope, from?.position, service.now())
  const sources: RowSource[] = []
  let position = from?.position ?? START
  let [dropped, bytes, isAtEnd] = [0, 0, false]
  const pace = new Pace()
  for (let count = 0; run.wantsMore() && count < SCANNED_ITEMS && bytes < size.bytes; count++) {
    const item = scan.next()
    isAtEnd = item === undefined
    if (item === undefined) break
    const first = run.rowCount()
    const steps = feed(item)
    if (steps !== undefined) yield* steps
    if (run.rowCount() > first) sources.push({ ordinal: item.ordinal, first, before: position })
    if (count === 0 && inside?.ordinal === item.ordinal) dropped = Math.min(inside.rows, run.rowCount())
    position = scan.position()
    bytes += item.length
    tally.items += 1
    if (pace.isPause(item)) yield
  }
  tally.bytes += bytes
  const found = finishNow(run)
  const isLast = isAtEnd || scan.next() === undefined
  yield* writePage(rows, { ...size, items: limit }, found.length - dropped, (at) =>
    rows.addText(JSON.stringify(found[dropped + at]))
  )
  const end = dropped + rows.count
  const nextAt = (before: ScanPosition): ItemsContinuation => ({
    kind: 'items',
    position: before,
    returned: returned + rows.count
  })
  if (rows.count === top) return { rows, next: undefined }
  const source = end < found.length ? sources.findLast(({ first }) => first <= end) : undefined
  if (source !== undefined) {
    const next = nextAt(source.before)
    return { rows, next: end === source.first ? next : { ...next, inside: toInside(source, end) } }
  }
  return isLast ? { rows, next: undefined } : { rows, next: nextAt(position) }
}

const START: ScanPosition = { min: LOWEST, intervals: [] }

function toInside({ ordinal, first }: RowSource, end: number): { ordinal: number; rows: number } {
  return { ordinal, rows: end - first }
}
