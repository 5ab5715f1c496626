import type { OrderKey } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileScope } from './compile-scope.ts'
import { compareValues } from './value-order.ts'

/** The rows in the order of the keys; rows that are equal in all of them keep their order. */
export function sortRows(rows: Iterable<unknown>, orderBy: readonly OrderKey[], scope: CompileScope): Iterable<unknown> {
  if (orderBy.length === 0) return rows
  const readKeys = orderBy.map(({ value }) => compileExpression(value, scope))
  const signs = orderBy.map(({ direction }) => (direction === 'DESC' ? -1 : 1))
  const keyed = Array.from(rows, (row) => ({ row, keys: readKeys.map((read) => read(row)) }))
  keyed.sort((left, right) => compareKeys(left.keys, right.keys, signs))
  return keyed.map(({ row }) => row)
}

function compareKeys(left: readonly unknown[], right: readonly unknown[], signs: readonly number[]): number {
  for (let index = 0; index < signs.length; index++) {
    const order = compareValues(left[index], right[index])
    if (order !== 0) return order * signs[index]
  }
  return 0
}
