import { hasAggregate, isAggregate, isGrouping } from './aggregate.ts'
import {
  type CallExpression,
  childrenOf,
  type Expression,
  hasSubquery,
  type Query,
  selectedValues,
  type Selection,
  type Source
} from './ast.ts'
import { checkGrouped } from './check-grouping.ts'
import { functionTable, isMissingFunction } from './function-table.ts'
import { notSupported, wrongQuery } from './query-error.ts'
import { isVectorDistance } from './vector-distance.ts'

/** Names of the sources that an expression can use. */
type Names = ReadonlySet<string>

/**
 * Refuses queries with correct syntax but without meaning: unknown names and functions, misplaced aggregates, clauses
 * that exclude each other.
 */
export function checkQuery(query: Query): void {
  const names = checkClauses(query, NO_NAMES)
  for (const { value } of query.orderBy) checkOrderKey(value, query, names)
  if (query.top !== undefined && query.window !== undefined)
    throw wrongQuery('TOP and OFFSET LIMIT cannot be used together')
}

const NO_NAMES: Names = new Set()

/** Checks the clauses that subqueries have, too. Returns the names that the query can use. */
function checkClauses(query: Query, outer: Names): Names {
  const names = checkSources(query, outer)
  const isGrouped = query.groupBy.length > 0
  for (const value of query.groupBy) checkGroupKey(value, names)
  checkSelection(query.selection, query)
  for (const value of selectedValues(query.selection)) checkExpression(value, names, 'may aggregate')
  if (isGrouped) checkGrouped(query)
  else checkUngrouped(query, outer)
  if (query.where !== undefined) checkExpression(query.where, names)
  if (isGrouped && query.orderBy.length > 0) throw wrongQuery("'ORDER BY' is not allowed together with GROUP BY")
  return names
}

function checkSubquery(query: Query, outer: Names): void {
  if (query.orderBy.length > 0) throw wrongQuery("'ORDER BY' is not supported in subqueries")
  if (query.top !== undefined) throw wrongQuery("'TOP' is not supported in subqueries")
  if (query.window !== undefined) throw wrongQuery("'OFFSET LIMIT' clause is not supported in subqueries")
  checkClauses(query, outer)
}

function checkSources({ from, joins }: Query, outer: Names): Names {
  // only FROM of the outermost query can name the container, so a query without FROM has no empty set of names
  if (from === undefined) return new Set([...outer, ''])
  const sources = [from, ...joins]
  const aliases = new Set<string>()
  for (const [index, source] of sources.entries()) {
    checkSource(source, new Set([...outer, ...aliases]), index === 0 && outer.size === 0)
    const { alias } = source
    if (alias === undefined) continue
    if (aliases.has(alias))
      throw wrongQuery(`The input alias '${alias}' is specified more than once in the FROM clause`, source.at)
    aliases.add(alias)
  }
  return new Set([...outer, ...aliases])
}

function checkSource({ collection, query, at }: Source, names: Names, isContainer: boolean): void {
  if (query !== undefined) checkSubquery(query, names)
  else if (!isContainer && !names.has(collection)) throw unresolved(collection, at)
}

function checkSelection(selection: Selection, query: Query): void {
  if (selection.kind === 'star' && query.from === undefined) throw wrongQuery("'SELECT *' needs a FROM clause")
  if (selection.kind === 'star' && query.joins.length > 0)
    throw wrongQuery("'SELECT *' is only valid with a single input set")
  if (selection.kind === 'list') checkDistinctNames(selection.items.map(({ name }) => name))
}

function checkDistinctNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw wrongQuery(`The name '${twice}' is given to two columns of SELECT; write an alias with AS`)
}

function checkUngrouped(query: Query, outer: Names): void {
  const values = selectedValues(query.selection)
  if (values.some(hasAggregate)) for (const value of values) checkAggregated(value, outer)
}

// names of an outer query are the same for all rows of a subquery
function checkAggregated(expression: Expression, outer: Names): void {
  if (isAggregate(expression)) return
  if (expression.kind === 'name' && !outer.has(expression.name)) {
    throw wrongQuery(
      `'${expression.name}' is next to an aggregate in SELECT, but not inside one; that needs GROUP BY`,
      expression.at
    )
  }
  for (const child of childrenOf(expression)) checkAggregated(child, outer)
}

/** Checks an expression over these names; refuses aggregates unless the caller allows them. */
function checkExpression(expression: Expression, names: Names, aggregates?: 'may aggregate'): void {
  if (expression.kind === 'name' && !names.has(expression.name)) throw unresolved(expression.name, expression.at)
  if (expression.kind === 'subquery') checkSubquery(expression.query, names)
  if (expression.kind === 'call') checkCall(expression, aggregates)
  const inside = isAggregate(expression) ? undefined : aggregates
  for (const child of childrenOf(expression)) checkExpression(child, names, inside)
}

function unresolved(name: string, at: number): Error {
  return wrongQuery(`The name '${name}' could not be resolved`, at)
}

function checkCall(call: CallExpression, aggregates: 'may aggregate' | undefined): void {
  if (isAggregate(call)) {
    if (aggregates === undefined)
      throw wrongQuery(`The aggregate ${call.name} can only be used in SELECT, and not inside another`, call.at)
    checkCount(call, 1, 1)
    if (call.values.some(hasSubquery)) {
      throw wrongQuery(
        'Cannot perform an aggregate function on an expression containing an aggregate or a subquery',
        call.at
      )
    }
    return
  }
  if (isVectorDistance(call)) {
    checkCount(call, 2, 4)
    return
  }
  const known = functionTable.get(call.name)
  if (known !== undefined) checkCount(call, known.min, known.max)
  else if (isMissingFunction(call.name)) throw notSupported(`The function ${call.name}`, call.at)
  else throw wrongQuery(`'${call.name}' is not a recognized function`, call.at)
}

function checkCount({ name, values, at }: CallExpression, min: number, max: number): void {
  if (values.length >= min && values.length <= max) return
  const expected = min === max ? `${min}` : `${min} to ${max}`
  throw wrongQuery(`The function ${name} takes ${expected} arguments, not ${values.length}`, at)
}

function checkGroupKey(value: Expression, names: Names): void {
  checkExpression(value, names)
  if (hasSubquery(value)) throw wrongQuery('GROUP BY takes expressions without subqueries')
  if (!hasName(value)) throw wrongQuery('Each expression of GROUP BY must use a property of the item')
}

function hasName(value: Expression): boolean {
  return value.kind === 'name' || childrenOf(value).some(hasName)
}

function checkOrderKey(value: Expression, query: Query, names: Names): void {
  checkExpression(value, names)
  if (isVectorDistance(value)) {
    checkVectorOrder(query)
    return
  }
  const name = sourceOfPath(value)
  if (name === undefined || value.kind === 'name')
    throw wrongQuery('ORDER BY takes paths into the item, such as c.name')
  // the order of rows does not matter to aggregates
  if (isGrouping(query)) return
  const { from, joins } = query
  if (joins.some(({ alias }) => alias === name))
    throw wrongQuery('Order-by over correlated collections is not supported')
  if (from?.query !== undefined)
    throw wrongQuery('Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document path')
}

function checkVectorOrder(query: Query): void {
  if (query.orderBy.length > 1) throw wrongQuery('ORDER BY VECTORDISTANCE takes no other key')
  if (query.orderBy[0].direction !== undefined)
    throw wrongQuery('Specifying a sorting order (ASC or DESC) with VectorDistance function is not supported')
}

/** The source whose path an expression is; undefined if it is no path. */
function sourceOfPath(value: Expression): string | undefined {
  if (value.kind === 'member') return sourceOfPath(value.of)
  if (value.kind === 'index') return value.index.kind === 'literal' ? sourceOfPath(value.of) : undefined
  return value.kind === 'name' ? value.name : undefined
}
