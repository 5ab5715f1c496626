import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery, planQuery, type QueryInfo } from '../../src/query/index.ts'
import { compareValues } from '../../src/query/values.ts'
import { arbitraryDocument } from './arbitrary-expression.ts'
import { rowsOf } from './query-of.ts'

const arbitraryRanges = fc.array(fc.array(arbitraryDocument, { maxLength: 5 }), { minLength: 1, maxLength: 4 })

const planOf = (text: string): QueryInfo => planQuery(parseQuery(text), '').queryInfo

/** The answer of each range to the rewritten query that a client would send. */
const answersOf = (info: QueryInfo, ranges: readonly (readonly unknown[])[]): unknown[][] => {
  const text = info.rewrittenQuery.replace('{documentdb-formattableorderbyquery-filter}', 'true')
  return ranges.map((documents) => rowsOf(text, documents))
}

describe('the rewritten query', () => {
  it.each(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'])(
    'lets a client compute %s of all items from the results of the ranges',
    (aggregate) => {
      fc.assert(
        fc.property(
          arbitraryRanges,
          fc.constantFrom('', ' WHERE IS_NUMBER(c.a)', ' WHERE NOT IS_ARRAY(c.a) AND NOT IS_OBJECT(c.a)'),
          (ranges, where) => {
            const text = `SELECT VALUE ${aggregate}(c.a) FROM c${where}`
            const partials = answersOf(planOf(text), ranges).flat() as [Partial][]
            const merged = MERGE[aggregate]?.(partials.map(([partial]) => partial))

            expect(merged === undefined ? [] : [merged]).toEqual(rowsOf(text, ranges.flat()))
          }
        ),
        { numRuns: 300 }
      )
    }
  )

  it.each([
    'SELECT * FROM c ORDER BY c.a',
    'SELECT c.b, c.d FROM c WHERE c.a != 1 ORDER BY c.a DESC, c.b',
    'SELECT VALUE c.b FROM c ORDER BY c.a',
    'SELECT TOP 2 * FROM c ORDER BY c.a DESC',
    'SELECT VALUE c.a FROM c ORDER BY c.a, c.b DESC OFFSET 1 LIMIT 3'
  ])('lets a client merge the rows of all ranges in order: %s', (text) => {
    fc.assert(
      fc.property(arbitraryRanges, (ranges) => {
        const info = planOf(text)
        const rows = answersOf(info, ranges).flat() as OrderedRow[]
        const offset = info.offset ?? 0
        const limit = info.limit ?? info.top ?? rows.length
        const merged = rows.toSorted((left, right) => compareRows(left, right, info)).slice(offset, offset + limit)

        expect(merged.map(({ payload }) => payload)).toEqual(rowsOf(text, ranges.flat()))
      }),
      { numRuns: 200 }
    )
  })
})

interface OrderedRow {
  readonly orderByItems: readonly { readonly item?: unknown }[]
  readonly payload: unknown
}

const compareRows = (left: OrderedRow, right: OrderedRow, { orderBy }: QueryInfo): number => {
  const orders = orderBy.map((direction, key) => {
    const order = compareValues(left.orderByItems[key]?.item, right.orderByItems[key]?.item)
    return direction === 'Descending' ? -order : order
  })
  return orders.find((order) => order !== 0) ?? 0
}

interface Partial {
  readonly item?: unknown
  readonly item2?: { readonly count: number; readonly min?: unknown; readonly max?: unknown }
}

const addUp = (values: readonly unknown[]): number | undefined =>
  values.every((value) => typeof value === 'number') ? values.reduce((sum, value) => sum + value, 0) : undefined

const average = (partials: readonly Partial[]): number | undefined => {
  const parts = partials.map(({ item }) => item as { sum?: number; count: number })
  const sum = addUp(parts.map((part) => part.sum))
  const count = addUp(parts.map((part) => part.count)) ?? 0
  return sum === undefined || count === 0 ? undefined : sum / count
}

// a range without values does not count; if a range has values without an extreme, the whole has none
const extreme = (name: 'min' | 'max', sign: number) => (partials: readonly Partial[]) => {
  const values = partials.filter(({ item2 }) => item2?.count !== 0).map(({ item2 }) => item2?.[name])
  return values.includes(undefined) ? undefined : values.toSorted((left, right) => compareValues(left, right) * sign)[0]
}

const MERGE: Readonly<Record<string, (partials: readonly Partial[]) => unknown>> = {
  COUNT: (partials) => addUp(partials.map(({ item }) => item)),
  SUM: (partials) => addUp(partials.map(({ item }) => item)),
  AVG: average,
  MIN: extreme('min', 1),
  MAX: extreme('max', -1)
}
