import type { Expression } from './ast.ts'
import { isReserved } from './reserved-words.ts'

/** Writes an expression so that parsing it again gives the same, with all parentheses that this may need. */
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
  }
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
