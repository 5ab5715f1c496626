import { isGrouping } from './aggregate.ts'
import { type Query, selectedObject, type SubqueryExpression } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import { compileGroups, type Groups } from './compile-groups.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'
import { compileSources, type ReadRows } from './compile-sources.ts'
import type { DocumentUse } from './needed-members.ts'
import { wrongQuery } from './query-error.ts'
import { canonicalText } from './values.ts'

/** A compiled query, except for ORDER BY, DISTINCT, TOP, OFFSET and LIMIT. */
export interface CompiledQuery {
  /** The rows of FROM and JOIN. */
  readonly rows: ReadRows
  /** The same rows, with PAUSE between some of them. */
  readonly steps: ReadRows
  /** The condition of WHERE for such a row. */
  readonly test: Evaluate | undefined
  /** The result for a row, or a function that begins to collect rows in groups. */
  readonly select: { readonly row: Evaluate } | { readonly groups: (emptyRow: unknown) => Groups }
  readonly emptyRow: (outer: unknown) => unknown
  /** The scope of expressions over rows. */
  readonly scope: CompileScope
}

/**
 * Compiles a query whose outer queries have the names of the scope. Adds the properties that WHERE reads to `whereUse`,
 * and those of the other clauses to the use of the scope.
 */
export function compileQuery(query: Query, outer: CompileScope, whereUse: DocumentUse = outer.use): CompiledQuery {
  const { names, rows, steps, emptyRow } = compileSources(query, outer, compileRows)
  const scope = { ...outer, names }
  const test = query.where === undefined ? undefined : compileExpression(query.where, { ...scope, use: whereUse })
  const select = isGrouping(query)
    ? { groups: compileGroups(query, scope, (grouped) => compileSelection(query, grouped)) }
    : { row: compileSelection(query, scope) }
  return { rows, steps, test, select, emptyRow, scope }
}

function compileSelection({ selection, from }: Query, scope: CompileScope): Evaluate {
  if (selection.kind !== 'star') return compileExpression(selectedObject(selection), scope)
  // the row of a path that ends in a number has no name
  return from?.alias === undefined
    ? (row) => row
    : compileExpression({ kind: 'name', name: from.alias, at: from.at }, scope)
}

/** Compiles a subquery into the results that it has for a row of the outer query. */
function compileRows(query: Query, outer: CompileScope): ReadRows {
  const { rows, test, select, emptyRow } = compileQuery(query, outer)
  const accepted: ReadRows = (row, documents) => accept(rows(row, documents), test)
  const results: ReadRows =
    'row' in select
      ? (row, documents) => mapped(accepted(row, documents), select.row)
      : (row, documents) => groupedResults(accepted(row, documents), select.groups(emptyRow(row)))
  return query.distinct ? (row, documents) => distinct(results(row, documents)) : results
}

function* groupedResults(rows: Iterable<unknown>, groups: Groups): Iterable<unknown> {
  for (const row of rows) groups.add(row)
  for (let group = 0; group < groups.count(); group++) {
    const result = groups.result(group)
    if (result !== undefined) yield result
  }
}

function* accept(rows: Iterable<unknown>, test: Evaluate | undefined): Iterable<unknown> {
  for (const row of rows) if (test === undefined || test(row) === true) yield row
}

// without undefined results
function* mapped(rows: Iterable<unknown>, select: Evaluate): Iterable<unknown> {
  for (const row of rows) {
    const result = select(row)
    if (result !== undefined) yield result
  }
}

function* distinct(results: Iterable<unknown>): Iterable<unknown> {
  const seen = new Set<string>()
  for (const result of results) {
    const before = seen.size
    if (seen.add(canonicalText(result)).size > before) yield result
  }
}

/** Compiles a subquery in an expression. */
export function compileSubquery({ form, query, at }: SubqueryExpression, scope: CompileScope): Evaluate {
  const rows = compileRows(query, scope)
  const read = (row: unknown): Iterable<unknown> => rows(row, NO_DOCUMENTS)
  if (form === 'ARRAY') return (row) => Array.from(read(row))
  if (form === 'EXISTS') return (row) => read(row)[Symbol.iterator]().next().done !== true
  return (row) => {
    const [first, second] = read(row)
    if (second === undefined) return first
    throw wrongQuery('The cardinality of a scalar subquery result set cannot be greater than one', at)
  }
}

const NO_DOCUMENTS: readonly unknown[] = []
