import { isGrouping } from './aggregate.ts'
import { type Query, selectedObject, type SubqueryExpression } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import { compileGroups, type Groups } from './compile-groups.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'
import { compileSources, type ReadRows } from './compile-sources.ts'
import { KeyTable } from './key-table.ts'
import { inSteps, PAUSE, resumeLong } from './long-subquery.ts'
import type { DocumentUse } from './needed-members.ts'
import { wrongQuery } from './query-error.ts'

/** A compiled query, except for ORDER BY, DISTINCT, TOP, OFFSET and LIMIT. */
export interface CompiledQuery {
  /** The rows of FROM and JOIN. */
  readonly rows: ReadRows
  /** The condition of WHERE for such a row. */
  readonly test: Evaluate | undefined
  /** The result for a row, or a function that begins to collect rows in groups. */
  readonly select: { readonly row: Evaluate } | { readonly groups: ReturnType<typeof compileGroups> }
  readonly emptyRow: (outer: unknown) => unknown
  /** The scope of expressions over rows. */
  readonly scope: CompileScope
}

/**
 * Compiles a query whose outer queries have the names of the scope. Adds the properties that WHERE reads to `whereUse`,
 * and those of the other clauses to the use of the scope.
 */
export function compileQuery(query: Query, outer: CompileScope, whereUse: DocumentUse = outer.use): CompiledQuery {
  const { names, rows, emptyRow } = compileSources(query, outer, compileRows)
  const scope = { ...outer, names }
  const test = query.where === undefined ? undefined : compileExpression(query.where, { ...scope, use: whereUse })
  const select = isGrouping(query)
    ? { groups: compileGroups(query, scope, (grouped) => compileSelection(query, grouped)) }
    : { row: compileSelection(query, scope) }
  return { rows, test, select, emptyRow, scope }
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
  for (const row of rows) {
    if (row === PAUSE) yield PAUSE
    else groups.add(row)
  }
  const numbers = Array.from({ length: groups.count() }, (_, group) => group)
  yield* mapped(numbers, (group) => groups.result(group as number))
}

function* accept(rows: Iterable<unknown>, test: Evaluate | undefined): Iterable<unknown> {
  for (const row of rows) {
    let accepted: unknown = row === PAUSE || test === undefined
    try {
      accepted ||= test!(row)
    } catch (error) {
      accepted = yield* resumeLong(error, test!, row)
    }
    if (accepted === true) yield row
  }
}

// without undefined results
function* mapped(rows: Iterable<unknown>, select: Evaluate): Iterable<unknown> {
  for (const row of rows) {
    let result: unknown
    try {
      result = row === PAUSE ? PAUSE : select(row)
    } catch (error) {
      result = yield* resumeLong(error, select, row)
    }
    if (result !== undefined) yield result
  }
}

function* distinct(results: Iterable<unknown>): Iterable<unknown> {
  const seen = new KeyTable()
  for (const result of results) {
    const known = seen.size
    if (result === PAUSE || seen.numberOf([result]) === known) yield result
  }
}

/** Compiles a subquery in an expression. */
export function compileSubquery({ form, query, at }: SubqueryExpression, scope: CompileScope): Evaluate {
  const rows = compileRows(query, scope)
  const read = (row: unknown): Iterable<unknown> => rows(row, NO_DOCUMENTS)
  if (form === 'ARRAY') return inSteps(scope.pauses, (row) => toArray(read(row)))
  if (form === 'EXISTS') return inSteps(scope.pauses, (row) => hasRow(read(row)))
  return inSteps(scope.pauses, (row) => onlyRow(read(row), at))
}

type Steps = Generator<typeof PAUSE, unknown>

function* toArray(rows: Iterable<unknown>): Steps {
  const values: unknown[] = []
  for (const row of rows) {
    if (row === PAUSE) yield PAUSE
    else values.push(row)
  }
  return values
}

function* hasRow(rows: Iterable<unknown>): Steps {
  for (const row of rows) {
    if (row !== PAUSE) return true
    yield PAUSE
  }
  return false
}

function* onlyRow(rows: Iterable<unknown>, at: number): Steps {
  let only: unknown
  for (const row of rows) {
    if (row === PAUSE) yield PAUSE
    // a result is never undefined
    else if (only === undefined) only = row
    else throw wrongQuery('The cardinality of a scalar subquery result set cannot be greater than one', at)
  }
  return only
}

const NO_DOCUMENTS: readonly unknown[] = []
