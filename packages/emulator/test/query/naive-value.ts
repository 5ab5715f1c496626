import type { Expression } from '../../src/query/ast.ts'

/**
 * The value of an expression, by a naive implementation of the rules. It is slow, and shares no code with the code that
 * it checks.
 */
export const naiveValue = (expression: Expression, row: unknown): unknown => {
  const value = (inner: Expression): unknown => naiveValue(inner, row)
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'name':
      return row
    case 'member': {
      const whole = value(expression.of)
      return Object.prototype.toString.call(whole) === '[object Object]'
        ? Object.entries(whole as object).find(([name]) => name === expression.name)?.[1]
        : undefined
    }
    case 'unary':
      return naiveUnary(expression.operator, value(expression.operand))
    case 'binary':
      return naiveBinary(expression.operator, value(expression.left), value(expression.right))
    case 'logical':
      return expression.operands.map(value).reduce((left, right) => naiveLogical(expression.operator, left, right))
    case 'conditional':
      return value(expression.test) === true ? value(expression.yes) : value(expression.no)
    case 'in': {
      const found = expression.list.some((item) => naiveBinary('=', value(expression.value), value(item)) === true)
      return value(expression.value) === undefined ? undefined : found !== expression.not
    }
    case 'between': {
      const above = naiveBinary('>=', value(expression.value), value(expression.low))
      const inside = naiveLogical('AND', above, naiveBinary('<=', value(expression.value), value(expression.high)))
      return expression.not ? naiveUnary('NOT', inside) : inside
    }
    case 'array':
      return expression.items.map(value).filter((item) => item !== undefined)
    case 'object':
      return Object.fromEntries(
        expression.members.map((member) => [member.name, value(member.value)]).filter(([, item]) => item !== undefined)
      )
    default:
      throw new Error(`not generated: ${expression.kind}`)
  }
}

const naiveUnary = (operator: string, value: unknown): unknown => {
  if (operator === 'NOT') return value === true ? false : value === false ? true : undefined
  if (typeof value !== 'number') return undefined
  return operator === '-' ? 0 - value || -value : operator === '~' ? -1 - (value | 0) : value
}

const naiveLogical = (operator: string, left: unknown, right: unknown): unknown => {
  const both = [left, right]
  if (both.includes(operator === 'OR')) return operator === 'OR'
  return both.every((value) => typeof value === 'boolean') ? operator === 'AND' : undefined
}

/** The result of an operator for two values. */
export const naiveBinary = (operator: string, left: unknown, right: unknown): unknown => {
  if (operator === '??') return left === undefined ? right : left
  if (left === undefined || right === undefined) return undefined
  if (operator === '=') return sorted(left) === sorted(right)
  if (operator === '!=') return sorted(left) !== sorted(right)
  if (operator === '||') return typeof left === 'string' && typeof right === 'string' ? `${left}${right}` : undefined
  if (['<', '>', '<=', '>='].includes(operator)) return naiveOrder(operator, left, right)
  return typeof left === 'number' && typeof right === 'number' ? naiveNumber(operator, left, right) : undefined
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)))
      : part
  )

const naiveOrder = (operator: string, left: unknown, right: unknown): boolean | undefined => {
  if (left === null && right === null) return operator.includes('=')
  if (typeof left !== typeof right || typeof left === 'object' || typeof right === 'object') return undefined
  const [low, high] = operator.startsWith('<') ? [left, right] : [right, left]
  return (low as string) < (high as string) || (operator.includes('=') && low === high)
}

const naiveNumber = (operator: string, left: number, right: number): number | undefined => {
  const results: Record<string, number> = {
    '|': left | right,
    '^': left ^ right,
    '&': left & right,
    '<<': left << right,
    '>>': left >> right,
    '>>>': left >>> right,
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '%': left % right
  }
  return Number.isFinite(results[operator]) ? results[operator] : undefined
}
