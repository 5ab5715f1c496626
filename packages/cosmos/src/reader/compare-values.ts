/** The order that Cosmos DB sorts by: nothing, null, false, true, numbers, texts, arrays, objects. */
export function compareValues(left: unknown, right: unknown): number {
  const rank = rankOf(left)
  const difference = rank - rankOf(right)
  if (difference !== 0) return difference
  // arrays and objects have no order among themselves
  if (rank > TEXT || left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

const TEXT = 4

function rankOf(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return 0
    case 'boolean':
      return 2
    case 'number':
      return 3
    case 'string':
      return TEXT
    default:
      return value === null ? 1 : Array.isArray(value) ? 5 : 6
  }
}
