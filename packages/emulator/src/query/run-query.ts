import { createAggregate, hasAggregate } from './aggregate.ts'
import {
  type Expression,
  type OrderKey,
  type Query,
  selectedObject,
  selectedValues,
  type Selection,
  type Source
} from './ast.ts'
import { checkExpression } from './check-query.ts'
import { compileExpression } from './compile-expression.ts'
import { type CompileScope, type Evaluate, readWindow } from './compile-scope.ts'
import { parseExpression } from './parse-expression.ts'
import { parseSource } from './parse-clauses.ts'
import { TokenReader } from './token-reader.ts'
import { canonicalText, compareValues, isRecord, readMember } from './values.ts'

/** Inputs of a query. */
interface QueryInput {
  /** Documents in the order of the container. */
  readonly documents: Iterable<unknown>
  /** Values by the name of the parameter, with the @. */
  readonly parameters: ReadonlyMap<string, unknown>
  /** The time of the request; without it the functions of the current time are refused. */
  readonly nowMs?: number | undefined
}

/** Runs a query over documents and returns its rows in order, without undefined rows. */
export function runQuery(query: Query, { documents, parameters, nowMs }: QueryInput): unknown[] {
  const scope: CompileScope = { parameters, nowMs }
  const window = readWindow(query, parameters)
  const rows = filterRows(
    readRows(query.from, documents),
    query.where === undefined ? undefined : compileExpression(query.where, scope)
  )
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

/**
 * The rows of FROM: the documents, the value at a path in each document, or each element of an array at that path.
 * Without FROM there is one row.
 */
function readRows(from: Source | undefined, documents: Iterable<unknown>): Iterable<unknown> {
  if (from === undefined) return [undefined]
  return from.path.length === 0 && !from.each ? documents : readPath(from, documents)
}

function* readPath({ path, each }: Source, documents: Iterable<unknown>): Iterable<unknown> {
  for (const document of documents) {
    const value = path.reduce<unknown>(step, document)
    if (!each && value !== undefined) yield value
    else if (each && Array.isArray(value)) yield* value
  }
}

function step(whole: unknown, name: string | number): unknown {
  if (Array.isArray(whole)) return typeof name === 'number' ? whole[name] : undefined
  return isRecord(whole) && typeof name === 'string' ? readMember(whole, name) : undefined
}

/** The rows in the order of the keys. Rows with equal keys keep their order. */
function sortRows(rows: Iterable<unknown>, orderBy: readonly OrderKey[], scope: CompileScope): Iterable<unknown> {
  if (orderBy.length === 0) return rows
  const readKeys = orderBy.map(({ value }) => compileExpression(value, scope))
  const signs = orderBy.map(({ direction }) => (direction === 'DESC' ? -1 : 1))
  const keyed = Array.from(rows, (row) => ({ row, keys: readKeys.map((read) => read(row)) }))
  keyed.sort((left, right) => compareKeys(left.keys, right.keys, signs))
  return keyed.map(({ row }) => row)
}

function compareKeys(left: readonly unknown[], right: readonly unknown[], signs: readonly number[]): number {
  for (let index = 0; index < signs.length; index++) {
    const order = compareValues(left[index], right[index])
    if (order !== 0) return order * signs[index]
  }
  return 0
}

/** Compiles SELECT into a closure from a row to its result. */
function compileSelection(selection: Selection, scope: CompileScope): Evaluate {
  return selection.kind === 'star' ? (row) => row : compileExpression(selectedObject(selection), scope)
}

/** Whether each item gives at most one row, independent of other items. A page can then end after any item. */
export function isRowByRow(query: Query): boolean {
  let answer = rowByRow.get(query)
  if (answer === undefined) rowByRow.set(query, (answer = decideRowByRow(query)))
  return answer
}

function decideRowByRow(query: Query): boolean {
  if (query.distinct || query.orderBy.length > 0 || query.window !== undefined) return false
  if (query.from === undefined || query.from.each) return false
  if (query.top !== undefined && typeof query.top !== 'number') return false
  return !isAggregation(query)
}

const rowByRow: WeakMap<Query, boolean> = new WeakMap()

/** Tests whether a document meets a condition. */
type Predicate = (document: unknown) => boolean

/** Parses the condition of a patch, such as `from c where c.n = 3`. */
export function parsePredicate(text: string, nowMs?: number): Predicate {
  const reader = new TokenReader(text)
  reader.expectWord('FROM')
  const from = parseSource(reader)
  const where = reader.takeWord('WHERE') ? parseExpression(reader) : ALWAYS
  if (reader.peek().kind !== 'end') throw reader.unexpected('the end of the condition')
  checkExpression(where, from.alias)
  const test = compileExpression(where, { parameters: new Map(), nowMs })
  return (document) => Array.from(readRows(from, [document])).some((row) => test(row) === true)
}

const ALWAYS: Expression = { kind: 'literal', value: true }
