import { columnName, type Expression, type Query, type Selection, type SelectItem, type Source } from './ast.ts'
import { isReserved } from './token-reader.ts'

/** Prints an expression with enough parentheses that parsing it gives the same expression. */
export function printExpression(expression: Expression): string {
  const print = printExpression
  switch (expression.kind) {
    case 'literal':
      return expression.value === undefined ? 'undefined' : JSON.stringify(expression.value)
    case 'parameter':
    case 'name':
      return expression.name
    case 'member':
      return `${print(expression.of)}${printName(expression.name, expression.dotted)}`
    case 'index':
      return `${print(expression.of)}[${print(expression.index)}]`
    case 'unary':
      return `(${expression.operator} ${print(expression.operand)})`
    case 'binary':
      return `(${print(expression.left)} ${expression.operator} ${print(expression.right)})`
    case 'logical':
      return `(${expression.operands.map(print).join(` ${expression.operator} `)})`
    case 'conditional':
      return `(${print(expression.test)} ? ${print(expression.yes)} : ${print(expression.no)})`
    case 'in':
      return `(${print(expression.value)}${not(expression)} IN (${expression.list.map(print).join(', ')}))`
    case 'between':
      return `(${print(expression.value)}${not(expression)} BETWEEN ${print(expression.low)} AND ${print(expression.high)})`
    case 'like':
      return `(${print(expression.value)}${not(expression)} LIKE ${print(expression.pattern)}${printEscape(expression.escape)})`
    case 'call':
      return `${expression.name}(${expression.values.map(print).join(', ')})`
    case 'array':
      return `[${expression.items.map(print).join(', ')}]`
    case 'object':
      return `{${expression.members.map(({ name, value }) => `${JSON.stringify(name)}: ${print(value)}`).join(', ')}}`
    case 'subquery':
      return `${expression.form === 'scalar' ? '' : expression.form}${printBracketed(expression.query)}`
  }
}

// indented, as the service prints a subquery
function printBracketed(query: Query): string {
  return `(\n    ${printQuery(query).replaceAll('\n', '\n    ')}\n)`
}

function printName(name: string, dotted: boolean): string {
  return dotted && !isReserved(name.toUpperCase()) ? `.${name}` : `[${JSON.stringify(name)}]`
}

function not({ not: isNot }: { readonly not: boolean }): string {
  return isNot ? ' NOT' : ''
}

function printEscape(escape: string | undefined): string {
  return escape === undefined ? '' : ` ESCAPE ${JSON.stringify(escape)}`
}

/** Prints a query. */
export function printQuery(query: Query): string {
  return [
    `SELECT ${query.distinct ? 'DISTINCT ' : ''}${printTop(query)}${printSelection(query.selection)}`,
    query.from === undefined ? '' : `FROM ${printSource(query.from)}`,
    ...query.joins.map((join) => `JOIN ${printSource(join)}`),
    query.where === undefined ? '' : `WHERE ${printExpression(query.where)}`,
    query.groupBy.length === 0 ? '' : `GROUP BY ${query.groupBy.map(printExpression).join(', ')}`,
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

const IS_PLAIN = /^[A-Za-z_]\w*$/

function printColumn({ name, value }: SelectItem): string {
  if (columnName(value) === name) return printExpression(value)
  const isPlain = IS_PLAIN.test(name) && !isReserved(name.toUpperCase())
  return `${printExpression(value)} AS ${isPlain ? name : JSON.stringify(name)}`
}

function printSource({ collection, query, path, alias, each }: Source): string {
  const steps = path.map(printStep).join('')
  const whole = `${query === undefined ? collection : printBracketed(query)}${steps}`
  if (each) return `${alias} IN ${whole}`
  return alias === undefined || alias === whole ? whole : `${whole} AS ${alias}`
}

function printStep(step: string | number): string {
  return typeof step === 'string' && IS_PLAIN.test(step) ? printName(step, true) : `[${JSON.stringify(step)}]`
}

function printOrder({ orderBy }: Query): string {
  if (orderBy.length === 0) return ''
  const keys = orderBy.map(
    ({ value, direction }) => `${printExpression(value)}${direction === undefined ? '' : ` ${direction}`}`
  )
  return `ORDER BY ${keys.join(', ')}`
}

function printWindow({ window }: Query): string {
  return window === undefined ? '' : `OFFSET ${printCount(window.offset)} LIMIT ${printCount(window.limit)}`
}
