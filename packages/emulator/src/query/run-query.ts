import { hasAggregate } from './aggregate-call.ts'
import { createAggregate } from './aggregate.ts'
import type { Query } from './ast.ts'
import { canonicalText } from './canonical-text.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'
import { compileSelection } from './compile-selection.ts'
import { sortRows } from './order-rows.ts'
import { readRows } from './read-rows.ts'
import { readWindow } from './row-window.ts'
import { selectedValues } from './selected-values.ts'

/** What a query runs over. */
export interface QueryInput {
  /** In the order in which the container holds them. */
  readonly documents: Iterable<unknown>
  /** By name, with the @. */
  readonly parameters: ReadonlyMap<string, unknown>
  /** The time of the request; without it the functions of the current time are refused. */
  readonly nowMs?: number | undefined
}

/** Runs a query over the documents and gives its rows in order; rows that are undefined are left out. */
export function runQuery(query: Query, { documents, parameters, nowMs }: QueryInput): unknown[] {
  const scope: CompileScope = { parameters, nowMs }
  const window = readWindow(query, parameters)
  const rows = filterRows(readRows(query.from, documents), query.where === undefined ? undefined : compileExpression(query.where, scope))
  const results = isAggregation(query) ? [aggregateRows(query, rows, scope)] : project(query, rows, scope)
  const defined = skipUndefined(results)
  return takeWindow(query.distinct ? distinct(defined) : defined, window)
}

function* filterRows(rows: Iterable<unknown>, test: Evaluate | undefined): Iterable<unknown> {
  for (const row of rows) if (test === undefined || test(row) === true) yield row
}

function isAggregation(query: Query): boolean {
  return selectedValues(query.selection).some(hasAggregate)
}

function aggregateRows(query: Query, rows: Iterable<unknown>, scope: CompileScope): unknown {
  const adders: Evaluate[] = []
  const select = compileSelection(query.selection, {
    ...scope,
    compileAggregate: (call) => {
      const aggregate = createAggregate(call.name as 'COUNT')
      const values = call.values.map((value) => compileExpression(value, scope))
      adders.push((row) => values.forEach((value) => aggregate.add(value(row))))
      return aggregate.result
    }
  })
  for (const row of rows) for (const add of adders) add(row)
  return select(undefined)
}

function* project(query: Query, rows: Iterable<unknown>, scope: CompileScope): Iterable<unknown> {
  const select = compileSelection(query.selection, scope)
  for (const row of sortRows(rows, query.orderBy, scope)) yield select(row)
}

function* skipUndefined(results: Iterable<unknown>): Iterable<unknown> {
  for (const result of results) if (result !== undefined) yield result
}

function* distinct(results: Iterable<unknown>): Iterable<unknown> {
  const seen = new Set<string>()
  for (const result of results) {
    const text = canonicalText(result)
    if (seen.has(text)) continue
    seen.add(text)
    yield result
  }
}

function takeWindow(results: Iterable<unknown>, { offset, limit }: { offset: number; limit: number }): unknown[] {
  const taken: unknown[] = []
  if (limit === 0) return taken
  let index = 0
  for (const result of results) {
    if (index++ < offset) continue
    taken.push(result)
    if (taken.length >= limit) break
  }
  return taken
}
