import { type AggregateName, aggregateOf, hasAggregate, isGrouping } from './aggregate.ts'
import {
  type CallExpression,
  type Expression,
  type ObjectMember,
  type OrderKey,
  type Query,
  selectedObject,
  type Selection
} from './ast.ts'
import { readCount } from './compile-scope.ts'
import { printQuery } from './print-query.ts'

/** The query that a client sends to each range; empty when it is the original query. */
export function rewriteQuery(query: Query, parameters: ReadonlyMap<string, unknown>): string {
  if (isGrouping(query)) return printQuery(rewriteGroups(query))
  const windowed = rewriteWindow(query, parameters)
  if (query.orderBy.length > 0) return rewriteOrder(windowed)
  return windowed.top === query.top && windowed.window === query.window ? '' : printQuery(windowed)
}

// each range returns the first offset + limit rows; DISTINCT needs all rows, since only the client can find duplicates
// of different ranges
function rewriteWindow(query: Query, parameters: ReadonlyMap<string, unknown>): Query {
  if (query.distinct) return { ...query, top: undefined, window: undefined }
  if (query.window === undefined) return query
  const limit = readCount(query.window.offset, parameters) + readCount(query.window.limit, parameters)
  return { ...query, window: { offset: 0, limit } }
}

function rewriteGroups(query: Query): Query {
  return {
    ...query,
    distinct: false,
    top: undefined,
    window: undefined,
    selection: rewriteSelection(query)
  }
}

function rewriteSelection({ selection, groupBy }: Query): Selection {
  const payload = rewritePayload(selection)
  if (groupBy.length === 0 && selection.kind === 'value') return { kind: 'value', value: payload }
  const keys = groupBy.map((value) => record([{ name: 'item', value }]))
  const groupByItems = { name: 'groupByItems', value: { kind: 'array', items: keys } } as const
  return { kind: 'list', items: [...(keys.length === 0 ? [] : [groupByItems]), { name: 'payload', value: payload }] }
}

function rewritePayload(selection: Selection): Expression {
  if (selection.kind === 'value') {
    const { value } = selection
    return hasAggregate(value) ? { kind: 'array', items: [partial(value)] } : value
  }
  const columns = selection.kind === 'list' ? selection.items : []
  return record(columns.map(({ name, value }) => ({ name, value: hasAggregate(value) ? partial(value) : value })))
}

// the aggregate of one range, in a form that the client can combine
function partial(value: Expression): Expression {
  const call = aggregateOf(value)
  return record(PARTIAL[call.name](call))
}

type Partial = (call: CallExpression) => ObjectMember[]

// MIN and MAX have a count in `item2`: with it, newer clients distinguish an empty range from an undefined result;
// older clients read `item`
function extreme(name: string): Partial {
  return (call) => [
    { name: 'item', value: call },
    {
      name: 'item2',
      value: record([
        { name, value: call },
        { name: 'count', value: renamed(call, 'COUNT') }
      ])
    }
  ]
}

const plain: Partial = (call) => [{ name: 'item', value: call }]

const average: Partial = (call) => [
  {
    name: 'item',
    value: record([
      { name: 'sum', value: renamed(call, 'SUM') },
      { name: 'count', value: renamed(call, 'COUNT') }
    ])
  }
]

const PARTIAL: Readonly<Record<AggregateName, Partial>> = {
  COUNT: plain,
  SUM: plain,
  MIN: extreme('min'),
  MAX: extreme('max'),
  AVG: average,
  COUNTIF: plain,
  MAKELIST: plain,
  MAKESET: plain
}

function record(members: ObjectMember[]): Expression {
  return { kind: 'object', members }
}

function renamed(call: CallExpression, name: AggregateName): CallExpression {
  return { ...call, name }
}

/** Placeholder that clients replace with `true`, or with the position at which they resume. */
const FILTER: Expression = { kind: 'name', name: '({documentdb-formattableorderbyquery-filter})', at: 0 }

function rewriteOrder(query: Query): string {
  const alias: Expression = { kind: 'name', name: query.from?.alias ?? '', at: 0 }
  const payload = query.selection.kind === 'star' ? alias : selectedObject(query.selection)
  const items: ObjectMember[] = [
    { name: '_rid', value: { kind: 'member', of: alias, name: '_rid', dotted: true } },
    { name: 'orderByItems', value: { kind: 'array', items: query.orderBy.map(orderItem) } },
    { name: 'payload', value: payload }
  ]
  return printQuery({ ...query, distinct: false, selection: { kind: 'list', items }, where: filtered(query) })
}

function orderItem({ value }: OrderKey): Expression {
  return record([{ name: 'item', value }])
}

function filtered({ where, selection }: Query): Expression {
  const condition = where === undefined ? FILTER : and(where, FILTER)
  if (selection.kind !== 'value') return condition
  return and(condition, { kind: 'call', name: 'IS_DEFINED', values: [selection.value], at: 0 })
}

function and(left: Expression, right: Expression): Expression {
  return { kind: 'logical', operator: 'AND', operands: [left, right] }
}
