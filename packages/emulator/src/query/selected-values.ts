import type { Expression, Selection } from './ast.ts'

/** The expressions that SELECT computes; none for `*`. */
export function selectedValues(selection: Selection): readonly Expression[] {
  if (selection.kind === 'star') return []
  return selection.kind === 'value' ? [selection.value] : selection.items.map(({ value }) => value)
}
