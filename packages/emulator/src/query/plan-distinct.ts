import type { Query } from './ast.ts'
import { printExpression } from './print-expression.ts'
import { selectedValues } from './selected-values.ts'

/**
 * How a client finds equal rows: `Ordered` when they arrive one behind the other, since the row is what ORDER BY sorts,
 * so that it has to remember one row; else `Unordered`.
 */
export function planDistinct(query: Query): 'None' | 'Ordered' | 'Unordered' {
  if (!query.distinct) return 'None'
  const selected = selectedValues(query.selection).map(printExpression)
  const ordered = query.orderBy.map(({ value }) => printExpression(value))
  const isOrdered = selected.length > 0 && selected.length === ordered.length && selected.every((value) => ordered.includes(value))
  return isOrdered ? 'Ordered' : 'Unordered'
}
