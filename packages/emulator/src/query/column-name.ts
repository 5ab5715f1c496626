import type { Expression } from './ast.ts'

/** The name that a column of SELECT has without an alias: that of the property or of the row. */
export function columnName(value: Expression): string | undefined {
  return value.kind === 'member' || value.kind === 'name' ? value.name : undefined
}
