import type { Expression } from './ast.ts'

/** The expressions directly inside an expression. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'parameter':
    case 'name':
      return []
    case 'member':
      return [expression.of]
    case 'index':
      return [expression.of, expression.index]
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'logical':
      return expression.operands
    case 'conditional':
      return [expression.test, expression.yes, expression.no]
    case 'in':
      return [expression.value, ...expression.list]
    case 'between':
      return [expression.value, expression.low, expression.high]
    case 'like':
      return [expression.value, expression.pattern]
    case 'call':
      return expression.values
    case 'array':
      return expression.items
    case 'object':
      return expression.members.map(({ value }) => value)
  }
}
