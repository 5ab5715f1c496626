/** Ranks of the types in ORDER BY, MIN and MAX: undefined, null, boolean, number, string, array, object. */
export function typeRank(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return 0
    case 'boolean':
      return 2
    case 'number':
      return 3
    case 'string':
      return 4
    default:
      return value === null ? 1 : Array.isArray(value) ? 5 : 6
  }
}

/** The total order of values: first by type, then by value; arrays and objects keep the order in which they came. */
export function compareValues(left: unknown, right: unknown): number {
  const rank = typeRank(left)
  const difference = rank - typeRank(right)
  if (difference !== 0) return difference
  if (rank > 4 || left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

/** The order of two values as `<` and `>` see it: undefined across types, and for arrays and objects. */
export function compareScalars(left: unknown, right: unknown): number | undefined {
  const rank = typeRank(left)
  if (rank === 0 || rank > 4 || rank !== typeRank(right)) return undefined
  return compareValues(left, right)
}
