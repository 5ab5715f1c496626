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
import { type NeededMembers, neededMembers } from './needed-members.ts'
import { parseExpression } from './parse-expression.ts'
import { parseSource } from './parse-clauses.ts'
import { type RowSink, sinkInto, sinkSorted } from './row-sink.ts'
import { TokenReader } from './token-reader.ts'
import { canonicalText, isRecord, readMember } from './values.ts'

/** Values that a query uses in addition to documents. */
interface QueryScope {
  /** Values by the name of the parameter, with the @. */
  readonly parameters: ReadonlyMap<string, unknown>
  /** The time of the request; without it the functions of the current time are refused. */
  readonly nowMs?: number | undefined
}

/** Inputs of a query. */
interface QueryInput extends QueryScope {
  /** Documents in the order of the container. */
  readonly documents: Iterable<unknown>
}

/** A query that receives its documents one by one, in the order of the container. */
export interface QueryRun {
  /** Tests documents before `add`; undefined when `add` takes every document. */
  readonly filter: { readonly needs: NeededMembers; readonly accepts: (document: unknown) => boolean } | undefined
  /** The properties that `add` reads. */
  readonly needs: NeededMembers
  /** False when no further document can change the rows. */
  readonly wantsMore: () => boolean
  /** Takes a document that the filter accepts, with at least the properties in `needs`. */
  readonly add: (document: unknown) => void
  /** Computes the rows in order, without undefined rows. Each `yield` is a point at which other work may run. */
  readonly finish: () => Generator<undefined, unknown[]>
}

/** Runs a query over documents and returns its rows. */
export function runQuery(query: Query, { documents, ...scope }: QueryInput): unknown[] {
  const run = startQuery(query, scope)
  const { filter } = run
  if (run.wantsMore()) {
    for (const document of documents) {
      if (filter === undefined || filter.accepts(document)) run.add(document)
      if (!run.wantsMore()) break
    }
  }
  return finishNow(run)
}

/** Computes the rows of a query at once. */
export function finishNow(run: QueryRun): unknown[] {
  const finishing = run.finish()
  for (;;) {
    const step = finishing.next()
    if (step.done === true) return step.value
  }
}

/** Begins a query; compiles its expressions, and refuses missing parameters. */
export function startQuery(query: Query, { parameters, nowMs }: QueryScope): QueryRun {
  const scope: CompileScope = { parameters, nowMs }
  const results = createResults(query, parameters)
  const test = query.where === undefined ? undefined : compileExpression(query.where, scope)
  const rows = createRows(query, scope, results)
  const { filter, rest } = neededMembers(query)
  const common = { finish: rows.finish, wantsMore: () => query.from !== undefined && results.wantsMore() }
  if (isWholeDocument(query.from)) {
    const accepts = test === undefined ? undefined : (document: unknown): boolean => test(document) === true
    return {
      ...common,
      filter: accepts === undefined ? undefined : { needs: filter, accepts },
      needs: rest,
      add: rows.add
    }
  }
  const addRow = (row: unknown): void => {
    if (test === undefined || test(row) === true) rows.add(row)
  }
  // without FROM there is one row
  if (query.from === undefined && results.wantsMore()) addRow(undefined)
  const addDocument = query.from === undefined ? addRow : forEachRow(query.from, addRow, results.wantsMore)
  return { ...common, filter: undefined, needs: rest, add: addDocument }
}

function isWholeDocument(from: Source | undefined): boolean {
  return from !== undefined && from.path.length === 0 && !from.each
}

function createRows(query: Query, scope: CompileScope, results: Results): RowSink {
  if (isAggregation(query)) return sinkAggregated(query, scope, results)
  const select = compileSelection(query.selection, scope)
  const take = (row: unknown): void => results.take(select(row))
  if (query.orderBy.length === 0) return sinkInto(take, results)
  const readKeys = query.orderBy.map(({ value }) => compileExpression(value, scope))
  return sinkSorted(readKeys, query.orderBy.map(toSign), take, results)
}

function toSign({ direction }: OrderKey): number {
  return direction === 'DESC' ? -1 : 1
}

function isAggregation(query: Query): boolean {
  return selectedValues(query.selection).some(hasAggregate)
}

function sinkAggregated(query: Query, scope: CompileScope, results: Results): RowSink {
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
  return {
    add: (row) => {
      for (const add of adders) add(row)
    },
    *finish() {
      yield
      if (results.wantsMore()) results.take(select(undefined))
      return results.rows
    }
  }
}

/** The rows of a query after DISTINCT and TOP, or OFFSET and LIMIT. */
interface Results {
  readonly rows: unknown[]
  readonly wantsMore: () => boolean
  readonly take: (result: unknown) => void
}

function createResults(query: Query, parameters: ReadonlyMap<string, unknown>): Results {
  const { offset, limit } = readWindow(query, parameters)
  const seen = query.distinct ? new Set<string>() : undefined
  const rows: unknown[] = []
  let index = 0
  return {
    rows,
    wantsMore: () => rows.length < limit,
    take: (result) => {
      if (result === undefined || (seen !== undefined && !isNew(seen, result))) return
      if (index++ >= offset) rows.push(result)
    }
  }
}

function isNew(seen: Set<string>, result: unknown): boolean {
  const before = seen.size
  return seen.add(canonicalText(result)).size > before
}

/** Gives the value at a path in a document, or each element of an array at that path, to a function. */
function forEachRow({ path, each }: Source, add: (row: unknown) => void, wantsMore: () => boolean) {
  return (document: unknown): void => {
    const value = path.reduce<unknown>(stepInto, document)
    if (!each && value !== undefined) add(value)
    if (!each || !Array.isArray(value)) return
    for (const element of value) {
      if (!wantsMore()) return
      add(element)
    }
  }
}

function stepInto(whole: unknown, name: string | number): unknown {
  if (Array.isArray(whole)) return typeof name === 'number' ? whole[name] : undefined
  return isRecord(whole) && typeof name === 'string' ? readMember(whole, name) : undefined
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
  return (document) => {
    let isMet = false
    const add = (row: unknown): void => {
      isMet ||= test(row) === true
    }
    if (isWholeDocument(from)) add(document)
    else forEachRow(from, add, () => !isMet)(document)
    return isMet
  }
}

const ALWAYS: Expression = { kind: 'literal', value: true }
