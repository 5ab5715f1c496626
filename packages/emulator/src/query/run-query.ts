import { isGrouping } from './aggregate.ts'
import { hasSubquery, type OrderKey, type Query, selectedValues } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { Groups } from './compile-groups.ts'
import { type CompiledQuery, compileQuery, compileSubquery } from './compile-query.ts'
import { type CompileScope, type ComputedProperty, readWindow } from './compile-scope.ts'
import { KeyTable } from './key-table.ts'
import type { BlockMemory } from './block-lists.ts'
import { evaluateInSteps, PAUSE, Pauses } from './long-subquery.ts'
import { DocumentUse, joinNeeds, type NeededMembers } from './needed-members.ts'
import type { RowList } from './packed-rows.ts'
import { type RowSink, sinkInto, sinkSorted } from './row-sink.ts'
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
  /** Memory of groups and distinct rows. The caller releases it after the run. */
  readonly memory?: BlockMemory | undefined
}

/** Inputs of a query. */
interface QueryInput extends QueryScope {
  /** Documents in the order of the container. */
  readonly documents: Iterable<unknown>
}

/** A query that receives its documents one by one, in the order of the container. */
export interface QueryRun<Rows extends RowList = unknown[]> {
  /** Tests documents before `add`; undefined when `add` takes every document. */
  readonly filter: Filter | undefined
  /** The properties that `add` reads. */
  readonly needs: NeededMembers
  /** False when no further document can change the rows. */
  readonly wantsMore: () => boolean
  /** The number of rows so far; none before the end of a query that sorts or groups. */
  readonly rowCount: () => number
  /** Takes a document that the filter accepts, with at least the properties in `needs`. */
  readonly add: (document: unknown) => void
  /**
   * Does the same as `add`. Each `yield` is a point at which other work may run. Undefined when a document takes no
   * longer than a step.
   */
  readonly addInSteps: ((document: unknown) => Generator<undefined, void>) | undefined
  /** Computes the rows in order, without undefined rows. Each `yield` is a point at which other work may run. */
  readonly finish: () => Generator<undefined, Rows>
}

/** The condition of a query on a document. */
interface Filter {
  readonly needs: NeededMembers
  readonly accepts: (document: unknown) => boolean
  /** Does the same in steps; undefined when a document takes no longer than a step. */
  readonly acceptsInSteps: ((document: unknown) => Generator<undefined, boolean>) | undefined
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
export function finishNow<Rows extends RowList>(run: QueryRun<Rows>): Rows {
  const finishing = run.finish()
  for (;;) {
    const step = finishing.next()
    if (step.done === true) return step.value
  }
}

/** Begins a query whose rows are an array; compiles its expressions, and refuses missing parameters. */
export function startQuery(query: Query, scope: QueryScope): QueryRun {
  return startQueryInto<unknown[]>(query, scope, [])
}

/** Begins a query that adds its rows to a list. */
export function startQueryInto<Rows extends RowList>(
  query: Query,
  { parameters, nowMs, computed = NONE, vectors = NONE, memory }: QueryScope,
  list: Rows
): QueryRun<Rows> {
  const whereUse = new DocumentUse()
  const use = new DocumentUse()
  const pauses = new Pauses()
  const scope: CompileScope = { parameters, nowMs, computed, vectors, use, names: NONE, compileSubquery, pauses }
  const compiled = compileQuery(query, scope, whereUse)
  const results = createResults(query, { parameters, memory }, list)
  const sink = createSink(query, compiled, results, memory)
  const { test } = compiled
  const accepts = test === undefined ? undefined : (row: unknown): boolean => test(row) === true
  const isLong = hasSubqueries(query)
  const common = {
    *finish() {
      pauses.canWait = true
      yield* sink.finish()
      return list
    },
    wantsMore: () => query.from !== undefined && results.wantsMore(),
    rowCount: () => list.length
  }
  if (isWholeDocument(query)) {
    return {
      ...common,
      filter:
        accepts === undefined
          ? undefined
          : { needs: whereUse.needs, accepts: atOnce(accepts), acceptsInSteps: isLong ? later(accepts) : undefined },
      needs: use.needs,
      add: atOnce(sink.add),
      addInSteps: isLong ? later(sink.add) : undefined
    }
  }
  const addRow = (row: unknown): void => {
    if (accepts === undefined || accepts(row)) sink.add(row)
  }
  const addRows = (documents: Iterable<unknown>): void => {
    pauses.canWait = false
    for (const row of compiled.rows(undefined, documents)) {
      if (!results.wantsMore()) return
      if (row !== PAUSE) addRow(row)
    }
  }
  const addRowsInSteps = function* (documents: Iterable<unknown>): Generator<undefined, void> {
    pauses.canWait = true
    for (const row of compiled.rows(undefined, documents)) {
      if (!results.wantsMore()) return
      if (row === PAUSE) yield
      else if (isLong) yield* evaluateInSteps(addRow, row)
      else addRow(row)
    }
  }
  const needs = joinNeeds(use.needs, whereUse.needs)
  // without FROM there is one row
  if (query.from === undefined || query.from.query !== undefined)
    return { filter: undefined, needs, ...keepDocuments(addRowsInSteps, common) }
  return {
    ...common,
    filter: undefined,
    needs,
    add: (document) => addRows([document]),
    addInSteps:
      isLong || query.from.each || query.joins.length > 0 ? (document) => addRowsInSteps([document]) : undefined
  }

  function atOnce<Result>(evaluate: (row: unknown) => Result): (row: unknown) => Result {
    if (!isLong) return evaluate
    return (row) => {
      pauses.canWait = false
      return evaluate(row)
    }
  }

  function later<Result>(evaluate: (row: unknown) => Result): (row: unknown) => Generator<undefined, Result> {
    return (row) => {
      pauses.canWait = true
      return evaluateInSteps(evaluate, row) as Generator<undefined, Result>
    }
  }
}

function hasSubqueries({ selection, where, orderBy }: Query): boolean {
  const values = [...selectedValues(selection), ...orderBy.map(({ value }) => value)]
  return values.some(hasSubquery) || (where !== undefined && hasSubquery(where))
}

const NONE: ReadonlyMap<string, never> = new Map<string, never>()

function isWholeDocument({ from, joins }: Query): boolean {
  return from !== undefined && from.query === undefined && from.path.length === 0 && !from.each && joins.length === 0
}

// the rows of a subquery in FROM can depend on all documents
function keepDocuments<Rows extends RowList>(
  addRows: (documents: Iterable<unknown>) => Generator<undefined, void>,
  { finish, ...common }: Pick<QueryRun<Rows>, 'finish' | 'wantsMore' | 'rowCount'>
): Pick<QueryRun<Rows>, 'add' | 'addInSteps' | 'finish' | 'wantsMore' | 'rowCount'> {
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

function createSink(query: Query, compiled: CompiledQuery, results: Results, memory?: BlockMemory): RowSink {
  const { select, scope, emptyRow } = compiled
  const { orderBy } = query
  if ('groups' in select) return sinkGrouped(select.groups(emptyRow(undefined), memory), results, hasSubqueries(query))
  const take = (row: unknown): void => results.take(select.row(row))
  if (orderBy.length === 0) return sinkInto(take)
  const readKeys = orderBy.map(({ value }) => compileExpression(value, scope))
  const similar = vectorOrder(query, scope)
  const maxRows = maxSorted(query, results)
  if (similar === undefined) return sinkSorted({ readKeys, signs: orderBy.map(toSign), maxRows }, take, results)
  // items without a vector of the right length have no similarity, and are not returned
  return sinkSorted({ readKeys, signs: [similar === 'Descending' ? -1 : 1], isDefined: true, maxRows }, take, results)
}

/** The number of first rows that suffice. It is unlimited if a row can have no result, or the same as another row. */
function maxSorted({ distinct, selection }: Query, { maxTaken }: Results): number {
  return distinct || selection.kind === 'value' ? Number.POSITIVE_INFINITY : maxTaken
}

function toSign({ direction }: OrderKey): number {
  return direction === 'DESC' ? -1 : 1
}

// computed at once: takes a few microseconds
const STEP_GROUPS = 16

function sinkGrouped(groups: Groups, results: Results, isLong: boolean): RowSink {
  const take = (group: unknown): void => results.take(groups.result(group as number))
  return {
    add: groups.add,
    *finish() {
      for (let group = 0; group < groups.count() && results.wantsMore(); group++) {
        if (isLong) yield* evaluateInSteps(take, group)
        else take(group)
        if ((group + 1) % STEP_GROUPS === 0) yield
      }
    }
  }
}

/** The rows of a query after DISTINCT and TOP, or OFFSET and LIMIT. */
interface Results {
  /** The number of results that suffice, if they are defined and all differ. */
  readonly maxTaken: number
  readonly wantsMore: () => boolean
  readonly take: (result: unknown) => void
}

function createResults(query: Query, { parameters, memory }: QueryScope, list: RowList): Results {
  const { offset, limit } = readWindow(query, parameters)
  const seen = query.distinct ? new KeyTable(memory) : undefined
  let index = 0
  return {
    maxTaken: offset + limit,
    wantsMore: () => list.length < limit,
    take: (result) => {
      if (result === undefined || (seen !== undefined && !isNew(seen, result))) return
      if (index++ >= offset) list.push(result)
    }
  }
}

function isNew(seen: KeyTable, result: unknown): boolean {
  const known = seen.size
  return seen.numberOf([result]) === known
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
