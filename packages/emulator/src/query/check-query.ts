import { hasAggregate, isAggregate } from './aggregate.ts'
import { type CallExpression, childrenOf, type Expression, type Query, selectedValues, type Selection } from './ast.ts'
import { functionTable, isMissingFunction } from './function-table.ts'
import { notSupported, wrongQuery } from './query-error.ts'

/**
 * Refuses queries with correct syntax but without meaning: unknown names and functions, misplaced aggregates, clauses
 * that exclude each other.
 */
export function checkQuery(query: Query): void {
  const alias = query.from?.alias
  checkSelection(query.selection, query)
  for (const value of selectedValues(query.selection)) checkExpression(value, alias, 'may aggregate')
  if (query.where !== undefined) checkExpression(query.where, alias)
  for (const { value } of query.orderBy) checkOrderKey(value, alias)
  if (query.top !== undefined && query.window !== undefined)
    throw wrongQuery('TOP and OFFSET LIMIT cannot be used together')
}

function checkSelection(selection: Selection, query: Query): void {
  if (selection.kind === 'star' && query.from === undefined) throw wrongQuery("'SELECT *' needs a FROM clause")
  if (selection.kind === 'list') checkNames(selection.items.map(({ name }) => name))
  const values = selectedValues(selection)
  if (!values.some(hasAggregate)) return
  for (const value of values) checkAggregated(value)
}

function checkNames(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined)
    throw wrongQuery(`The name '${twice}' is given to two columns of SELECT; write an alias with AS`)
}

function checkAggregated(expression: Expression): void {
  if (isAggregate(expression)) return
  if (expression.kind === 'name') {
    throw wrongQuery(
      `'${expression.name}' is next to an aggregate in SELECT, but not inside one; that needs GROUP BY`,
      expression.at
    )
  }
  for (const child of childrenOf(expression)) checkAggregated(child)
}

/** Checks an expression over rows named `alias`; refuses aggregates unless the caller allows them. */
export function checkExpression(expression: Expression, alias: string | undefined, aggregates?: 'may aggregate'): void {
  if (expression.kind === 'name' && expression.name !== alias) {
    throw wrongQuery(`The name '${expression.name}' could not be resolved`, expression.at)
  }
  if (expression.kind === 'call') checkCall(expression, aggregates)
  const inside = isAggregate(expression) ? undefined : aggregates
  for (const child of childrenOf(expression)) checkExpression(child, alias, inside)
}

function checkCall(call: CallExpression, aggregates: 'may aggregate' | undefined): void {
  if (isAggregate(call)) {
    if (aggregates === undefined)
      throw wrongQuery(`The aggregate ${call.name} can only be used in SELECT, and not inside another`, call.at)
    checkCount(call, 1, 1)
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

function checkOrderKey(value: Expression, alias: string | undefined): void {
  checkExpression(value, alias)
  if (!isPath(value) || value.kind === 'name') throw wrongQuery('ORDER BY takes paths into the item, such as c.name')
}

function isPath(value: Expression): boolean {
  if (value.kind === 'member') return isPath(value.of)
  if (value.kind === 'index') return value.index.kind === 'literal' && isPath(value.of)
  return value.kind === 'name'
}
