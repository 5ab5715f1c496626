import type { Expression, Selection } from './ast.ts'
import { compileExpression } from './compile-expression.ts'
import type { CompileScope, Evaluate } from './compile-scope.ts'

/** Turns SELECT into a closure from a row to a result. */
export function compileSelection(selection: Selection, scope: CompileScope): Evaluate {
  return selection.kind === 'star' ? (row) => row : compileExpression(selectedObject(selection), scope)
}

/** What SELECT gives, as one expression: a list of columns is an object. */
export function selectedObject(selection: Exclude<Selection, { kind: 'star' }>): Expression {
  return selection.kind === 'value' ? selection.value : { kind: 'object', members: selection.items }
}
