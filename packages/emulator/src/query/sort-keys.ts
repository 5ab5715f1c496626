import type { Expression, Query } from './ast.ts'

/** A key of ORDER BY. */
export interface SortKey {
  /** Names from the item down; undefined if the path has an index of an array. */
  readonly path: readonly string[] | undefined
  readonly isDescending: boolean
}

/** The keys of ORDER BY as paths into the item. */
export function sortKeysOf({ from, orderBy }: Query): readonly SortKey[] {
  const names = from?.path.every((step) => typeof step === 'string') === true ? from.path : undefined
  return orderBy.map(({ value, direction }) => {
    const path = pathOf(value)
    return {
      path: path === undefined || names === undefined ? undefined : [...names.map(String), ...path],
      isDescending: direction === 'DESC'
    }
  })
}

function pathOf(value: Expression): readonly string[] | undefined {
  if (value.kind === 'name') return []
  const above = value.kind === 'member' ? pathOf(value.of) : undefined
  return value.kind === 'member' ? above?.concat(value.name) : undefined
}
