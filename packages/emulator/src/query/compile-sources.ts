import type { Expression, Query, Source } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { BoundName, CompileScope, Evaluate } from './compile-scope.ts'
import { MAX_JOINED_ROWS } from './limits.ts'
import { PAUSE, type Pauses } from './long-subquery.ts'
import { wrongQuery } from './query-error.ts'

/** The sources of a query: FROM and JOIN. */
export interface CompiledSources {
  /** The names that the rest of the query can use, with those of outer queries. */
  readonly names: ReadonlyMap<string, BoundName>
  readonly rows: ReadRows
  /** A row without values of the sources, for aggregates without rows. */
  readonly emptyRow: (outer: unknown) => unknown
}

/** Reads rows for a row of the outer query, with PAUSE between some of them; `documents` are those of the container. */
export type ReadRows = (outer: unknown, documents: Iterable<unknown>) => Iterable<unknown>

/**
 * Compiles the sources of a query. With one source and no outer query, a row is the value of the source; otherwise it
 * is an array with the outer row and the values of all sources.
 */
export function compileSources(
  { from, joins }: Query,
  scope: CompileScope,
  compileRows: (query: Query, scope: CompileScope) => ReadRows
): CompiledSources {
  if (from === undefined) return { names: scope.names, rows: oneRow, emptyRow: (outer) => outer }
  const names = new Map<string, BoundName>()
  if (scope.names.size === 0 && joins.length === 0) {
    const rows = compileSource(from, scope, compileRows)
    bind(names, from, scope, (row) => row)
    // the caller pauses between documents
    const paused: ReadRows = from.each ? (outer, documents) => withPauses(rows(outer, documents), scope.pauses) : rows
    return { names, rows: paused, emptyRow: () => undefined }
  }
  for (const [name, { read, isDocument }] of scope.names)
    names.set(name, { read: (row) => read((row as unknown[])[0]), isDocument })
  const sources = [from, ...joins].map((source, index) => {
    const inner = { ...scope, names: new Map(names) }
    const rows = compileSource(source, inner, compileRows)
    bind(names, source, inner, (row) => (row as unknown[])[index + 1])
    return rows
  })
  const [first, ...joined] = sources
  const rows: ReadRows = function* (outer, documents) {
    for (const value of first([outer], documents)) {
      if (value === PAUSE) {
        yield PAUSE
        continue
      }
      const made = { rows: 0, pauses: scope.pauses }
      const one: Iterable<unknown[] | typeof PAUSE> = [[outer, value]]
      yield* joined.reduce((before, source) => joinRows(before, source, documents, made), one)
      if (scope.pauses.isDue()) yield PAUSE
    }
  }
  return { names, rows, emptyRow: (outer) => [outer] }
}

function oneRow(outer: unknown): Iterable<unknown> {
  return [outer]
}

/** Counts the rows of one value of the first source, also those that other JOINs drop. */
interface MadeRows {
  rows: number
  readonly pauses: Pauses
}

/** Joins a source to rows. */
function* joinRows(
  rows: Iterable<unknown[] | typeof PAUSE>,
  source: ReadRows,
  documents: Iterable<unknown>,
  made: MadeRows
): Iterable<unknown[] | typeof PAUSE> {
  for (const row of rows) {
    if (row === PAUSE) {
      yield row
      continue
    }
    for (const value of source(row, documents)) {
      if (value === PAUSE) {
        yield PAUSE
        continue
      }
      if (++made.rows > MAX_JOINED_ROWS)
        throw wrongQuery(`The JOIN clauses make more than ${MAX_JOINED_ROWS} rows of one item`)
      yield [...row, value]
      if (made.pauses.isDue()) yield PAUSE
    }
  }
}

function* withPauses(rows: Iterable<unknown>, pauses: Pauses): Iterable<unknown> {
  for (const row of rows) {
    yield row
    if (row !== PAUSE && pauses.isDue()) yield PAUSE
  }
}

function bind(names: Map<string, BoundName>, source: Source, scope: CompileScope, read: Evaluate): void {
  if (source.alias !== undefined) names.set(source.alias, { read, isDocument: bindsDocument(source, scope) })
}

function bindsDocument({ query, collection, path, each }: Source, { names }: CompileScope): boolean {
  if (query !== undefined || path.length > 0 || each) return false
  return names.size === 0 || names.get(collection)?.isDocument === true
}

/** Compiles a source into the values that it has for a row of the sources before it. */
function compileSource(
  source: Source,
  scope: CompileScope,
  compileRows: (query: Query, scope: CompileScope) => ReadRows
): ReadRows {
  const { query, collection, path, each } = source
  if (query === undefined && scope.names.size > 0) {
    // a document with another name is not read yet
    const renamed = path.length === 0 && !each ? scope.names.get(collection) : undefined
    const read = renamed?.read ?? compileExpression(pathExpression(collection, path), scope)
    return (row) => valuesOf(read(row), each)
  }
  const rows: ReadRows = query === undefined ? (_, documents) => documents : compileRows(query, scope)
  if (path.length === 0 && !each) return rows
  const whole: BoundName = { read: (row) => row, isDocument: query === undefined }
  const read = compileExpression(pathExpression('', path), { ...scope, names: new Map([['', whole]]) })
  return (row, documents) => flattened(rows(row, documents), read, each)
}

function pathExpression(collection: string, path: Source['path']): Expression {
  return path.reduce<Expression>(
    (of, step) =>
      typeof step === 'string'
        ? { kind: 'member', of, name: step, dotted: true }
        : { kind: 'index', of, index: { kind: 'literal', value: step } },
    { kind: 'name', name: collection, at: 0 }
  )
}

function* flattened(rows: Iterable<unknown>, read: Evaluate, each: boolean): Iterable<unknown> {
  for (const row of rows) {
    if (row === PAUSE) yield PAUSE
    else yield* valuesOf(read(row), each)
  }
}

/** The elements of an array, or the value itself unless it is undefined. */
function valuesOf(value: unknown, each: boolean): readonly unknown[] {
  if (each) return Array.isArray(value) ? value : []
  return value === undefined ? [] : [value]
}
