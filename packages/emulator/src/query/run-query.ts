import { isGrouping } from './aggregate.ts'
import type { OrderKey, Query } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { Groups } from './compile-groups.ts'
import { type CompiledQuery, compileQuery, compileSubquery } from './compile-query.ts'
import { type CompileScope, type ComputedProperty, readWindow } from './compile-scope.ts'
import { PAUSE } from './compile-sources.ts'
import { LargeMap } from './large-map.ts'
import { DocumentUse, joinNeeds, type NeededMembers } from './needed-members.ts'
import { type RowSink, sinkInto, sinkSorted } from './row-sink.ts'
import { canonicalText } from './values.ts'
import { vectorOrder, type VectorPolicy } from './vector-distance.ts'

/** Values that a query uses in addition to documents. */
interface QueryScope {
  /** Values by the name of the parameter, with the @. */
  readonly parameters: ReadonlyMap<string, unknown>
  /** The time of the request; without it the functions of the current time are refused. */
  readonly nowMs?: number | undefined
  /** Computed properties of the container by their names. */
  readonly computed?: ReadonlyMap<string, ComputedProperty>
  /** Distance functions of the container's vectors. */
  readonly vectors?: VectorPolicy
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
  /** The number of rows so far; none before the end of a query that sorts or groups. */
  readonly rowCount: () => number
  /** Takes a document that the filter accepts, with at least the properties in `needs`. */
  readonly add: (document: unknown) => void
  /**
   * Does the same as `add`. Each `yield` is a point at which other work may run. Undefined when a document gives one row
   * at most.
   */
  readonly addInSteps: ((document: unknown) => Generator<undefined, void>) | undefined
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
export function startQuery(query: Query, { parameters, nowMs, computed = NONE, vectors = NONE }: QueryScope): QueryRun {
  const whereUse = new DocumentUse()
  const use = new DocumentUse()
  const scope: CompileScope = { parameters, nowMs, computed, vectors, use, names: NONE, compileSubquery }
  const compiled = compileQuery(query, scope, whereUse)
  const results = createResults(query, parameters)
  const sink = createSink(query, compiled, results)
  const { test } = compiled
  const common = {
    finish: sink.finish,
    wantsMore: () => query.from !== undefined && results.wantsMore(),
    rowCount: () => results.rows.length
  }
  if (isWholeDocument(query)) {
    const accepts = test === undefined ? undefined : (document: unknown): boolean => test(document) === true
    return {
      ...common,
      filter: accepts === undefined ? undefined : { needs: whereUse.needs, accepts },
      needs: use.needs,
      add: sink.add,
      addInSteps: undefined
    }
  }
  const addRow = (row: unknown): void => {
    if (test === undefined || test(row) === true) sink.add(row)
  }
  const addRows = (documents: Iterable<unknown>): void => {
    for (const row of compiled.rows(undefined, documents)) {
      if (!results.wantsMore()) return
      addRow(row)
    }
  }
  const addRowsInSteps = function* (documents: Iterable<unknown>): Generator<undefined, void> {
    for (const row of compiled.steps(undefined, documents)) {
      if (!results.wantsMore()) return
      if (row === PAUSE) yield
      else addRow(row)
    }
  }
  const needs = joinNeeds(use.needs, whereUse.needs)
  if (query.from?.query !== undefined) return { filter: undefined, needs, ...keepDocuments(addRowsInSteps, common) }
  // without FROM there is one row
  if (query.from === undefined) addRows([])
  return {
    ...common,
    filter: undefined,
    needs,
    add: (document) => addRows([document]),
    addInSteps: hasManyRows(query) ? (document) => addRowsInSteps([document]) : undefined
  }
}

function hasManyRows({ from, joins }: Query): boolean {
  return from?.each === true || joins.length > 0
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>()

function isWholeDocument({ from, joins }: Query): boolean {
  return from !== undefined && from.query === undefined && from.path.length === 0 && !from.each && joins.length === 0
}

// the rows of a subquery in FROM can depend on all documents
function keepDocuments(
  addRows: (documents: Iterable<unknown>) => Generator<undefined, void>,
  { finish, ...common }: Pick<QueryRun, 'finish' | 'wantsMore' | 'rowCount'>
): Pick<QueryRun, 'add' | 'addInSteps' | 'finish' | 'wantsMore' | 'rowCount'> {
  const documents: unknown[] = []
  return {
    ...common,
    add: (document) => documents.push(document),
    addInSteps: undefined,
    *finish() {
      yield* addRows(documents)
      return yield* finish()
    }
  }
}

function createSink(query: Query, { select, scope, emptyRow }: CompiledQuery, results: Results): RowSink {
  const { orderBy } = query
  if ('groups' in select) return sinkGrouped(select.groups(emptyRow(undefined)), results)
  const take = (row: unknown): void => results.take(select.row(row))
  if (orderBy.length === 0) return sinkInto(take, results)
  const readKeys = orderBy.map(({ value }) => compileExpression(value, scope))
  const similar = vectorOrder(query, scope)
  if (similar === undefined) return sinkSorted({ readKeys, signs: orderBy.map(toSign) }, take, results)
  // items without a vector of the right length have no similarity, and are not returned
  return sinkSorted({ readKeys, signs: [similar === 'Descending' ? -1 : 1], isDefined: true }, take, results)
}

function toSign({ direction }: OrderKey): number {
  return direction === 'DESC' ? -1 : 1
}

// computed at once: takes far less than a millisecond
const STEP_GROUPS = 256

function sinkGrouped(groups: Groups, results: Results): RowSink {
  return {
    add: groups.add,
    *finish() {
      for (let group = 0; group < groups.count() && results.wantsMore(); group++) {
        results.take(groups.result(group))
        if ((group + 1) % STEP_GROUPS === 0) yield
      }
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
  const seen = query.distinct ? new LargeMap<true>() : undefined
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

function isNew(seen: LargeMap<true>, result: unknown): boolean {
  const text = canonicalText(result)
  if (seen.get(text) === true) return false
  seen.set(text, true)
  return true
}

/**
 * How the pages of a query are read. `rows`: each item gives at most one row, independent of other items, so that a page
 * can end after any item. `joined`: the same with several rows for an item. `whole`: the rows are computed together.
 */
export type Paging = 'rows' | 'joined' | 'whole'

/** How the pages of a query are read. */
export function pagingOf(query: Query): Paging {
  let answer = pagings.get(query)
  if (answer === undefined) pagings.set(query, (answer = decidePaging(query)))
  return answer
}

function decidePaging(query: Query): Paging {
  const { from, joins, top } = query
  if (query.distinct || query.orderBy.length > 0 || query.window !== undefined || isGrouping(query)) return 'whole'
  if (from === undefined || from.each || from.query !== undefined) return 'whole'
  if (top !== undefined && typeof top !== 'number') return 'whole'
  return joins.length === 0 ? 'rows' : 'joined'
}

const pagings: WeakMap<Query, Paging> = new WeakMap()

/** Whether the rows of a query that is row by row are documents as they are. */
export function returnsDocuments(query: Query): boolean {
  const { selection, from } = query
  if (!isWholeDocument(query)) return false
  if (selection.kind === 'star') return true
  return selection.kind === 'value' && selection.value.kind === 'name' && selection.value.name === from?.alias
}
