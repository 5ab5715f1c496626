import type { ScanPosition } from '../engine/scan.ts'
import type { PackedRows } from '../query/index.ts'
import { isObject, refuseUnless, ServiceError } from '../service-error.ts'
import { headerOf, type WireRequest } from './wire-request.ts'

/** Position at which a feed or query resumes: in the items, or in rows that were computed as a whole. */
export type Continuation = ItemsContinuation | RowsContinuation

/** A position in the items, and the number of rows before it. */
export interface ItemsContinuation {
  readonly kind: 'items'
  readonly position: ScanPosition
  readonly returned: number
  /** Items after the position of which some rows were returned, by their ordinals, and the numbers of these rows. */
  readonly inside?: ReadonlyMap<number, number>
}

/** An offset in the rows of a kept result. */
export interface RowsContinuation {
  readonly kind: 'rows'
  readonly offset: number
  readonly result: number
}

/** A continuation as the opaque string of its header. */
export function printContinuation(continuation: Continuation): string {
  if (continuation.kind === 'rows') return encode({ r: continuation.offset, s: continuation.result })
  const { position, returned, inside } = continuation
  const intervals = position.intervals.map(({ max, after }) => [max, after])
  const part = inside === undefined || inside.size === 0 ? {} : { i: [...inside] }
  return encode({ m: position.min, p: intervals, n: returned, ...part })
}

/** Reads the continuation of a request that resumes in items. */
export function itemsContinuationOf(request: WireRequest): ItemsContinuation | undefined {
  const continuation = parseContinuation(headerOf(request, 'x-ms-continuation'))
  if (continuation?.kind === 'rows') throw new ServiceError(400, OTHER_QUERY)
  return continuation
}

/** Reads the continuation of a request that resumes in rows. */
export function rowsContinuationOf(request: WireRequest): RowsContinuation | undefined {
  const continuation = parseContinuation(headerOf(request, 'x-ms-continuation'))
  if (continuation?.kind === 'items') throw new ServiceError(400, OTHER_QUERY)
  return continuation
}

const OTHER_QUERY = 'The continuation token belongs to another query.'

function parseContinuation(text: string | undefined): Continuation | undefined {
  if (text === undefined || text === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    value = undefined
  }
  refuseUnless(isObject(value), INVALID)
  const { r, s, m, p, n, i } = value
  if (isWhole(r) && isWhole(s)) return { kind: 'rows', offset: r, result: s }
  refuseUnless(typeof m === 'string' && Array.isArray(p) && isWhole(n), INVALID)
  const position = { min: m, intervals: p.map(toInterval) }
  return { kind: 'items', position, returned: n, ...(i === undefined ? {} : { inside: toInside(i) }) }
}

function toInside(entries: unknown): ReadonlyMap<number, number> {
  refuseUnless(Array.isArray(entries), INVALID)
  return new Map(
    entries.map((entry: unknown) => {
      const [ordinal, rows] = Array.isArray(entry) ? (entry as unknown[]) : []
      refuseUnless(isWhole(ordinal) && isWhole(rows), INVALID)
      return [ordinal, rows]
    })
  )
}

const INVALID = 'Invalid Continuation Token: it must be one that this emulator has returned.'

function toInterval(entry: unknown): { max: string; after: number } {
  const [max, after] = Array.isArray(entry) ? (entry as unknown[]) : []
  refuseUnless(typeof max === 'string' && isWhole(after), INVALID)
  return { max, after }
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Rows of queries whose pages are still being read. Evicted rows are computed again for the next page. */
export class KeptResults {
  readonly #results: Map<number, PackedRows> = new Map()
  #rows = 0
  #last = 0

  keep(rows: PackedRows): number {
    this.#last += 1
    this.#results.set(this.#last, rows)
    this.#rows += rows.length
    this.#evictOldest()
    return this.#last
  }

  get(result: number): PackedRows | undefined {
    return this.#results.get(result)
  }

  #evictOldest(): void {
    for (const [result, rows] of this.#results) {
      const isWithin = this.#results.size <= MAX_RESULTS && this.#rows <= MAX_ROWS
      if (isWithin || result === this.#last) return
      this.#results.delete(result)
      this.#rows -= rows.length
    }
  }
}

// clients do not report when they abandon a query
const MAX_RESULTS = 50
const MAX_ROWS = 200_000
