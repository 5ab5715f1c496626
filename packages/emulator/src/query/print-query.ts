import type { Query, Selection, SelectItem, Source } from './ast.ts'
import { columnName } from './column-name.ts'
import { printExpression } from './print-expression.ts'
import { isReserved } from './reserved-words.ts'

/** Writes a query in which all counts are numbers. */
export function printQuery(query: Query): string {
  return [
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${printTop(query)}${printSelection(query.selection)}`,
    query.from === undefined ? '' : `FROM ${printSource(query.from)}`,
    query.where === undefined ? '' : `WHERE ${printExpression(query.where)}`,
    printOrder(query),
    printWindow(query)
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function printTop({ top }: Query): string {
  return top === undefined ? '' : `TOP ${printCount(top)} `
}

function printCount(count: Query['top']): string {
  return typeof count === 'object' ? count.parameter : String(count)
}

function printSelection(selection: Selection): string {
  if (selection.kind === 'star') return '*'
  if (selection.kind === 'value') return `VALUE ${printExpression(selection.value)}`
  return selection.items.map(printColumn).join(', ')
}

function printColumn({ name, value }: SelectItem): string {
  if (columnName(value) === name) return printExpression(value)
  const isPlain = /^[A-Za-z_]\w*$/.test(name) && !isReserved(name.toUpperCase())
  return `${printExpression(value)} AS ${isPlain ? name : JSON.stringify(name)}`
}

function printSource({ collection, path, alias, each }: Source): string {
  const steps = path.map((step) => `[${JSON.stringify(step)}]`).join('')
  if (each) return `${alias} IN ${collection}${steps}`
  return alias === undefined || (alias === collection && steps === '') ? `${collection}${steps}` : `${collection}${steps} AS ${alias}`
}

function printOrder({ orderBy }: Query): string {
  if (orderBy.length === 0) return ''
  const keys = orderBy.map(({ value, direction }) => `${printExpression(value)}${direction === undefined ? '' : ` ${direction}`}`)
  return `ORDER BY ${keys.join(', ')}`
}

function printWindow({ window }: Query): string {
  return window === undefined ? '' : `OFFSET ${printCount(window.offset)} LIMIT ${printCount(window.limit)}`
}
