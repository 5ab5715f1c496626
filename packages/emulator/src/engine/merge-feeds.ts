/** Merges feeds that are sorted by a number into one that is sorted by it. */
export function* mergeFeeds<Change>(
  feeds: readonly Iterable<Change>[],
  orderOf: (change: Change) => number
): Generator<Change> {
  const heads: Head<Change>[] = []
  for (const feed of feeds) {
    const rest = feed[Symbol.iterator]()
    const next = rest.next()
    if (next.done !== true) heads.push({ rest, change: next.value, order: orderOf(next.value) })
  }
  while (heads.length > 0) {
    let lowest = 0
    for (let i = 1; i < heads.length; i++) if (heads[i].order < heads[lowest].order) lowest = i
    const head = heads[lowest]
    yield head.change
    const next = head.rest.next()
    if (next.done === true) heads.splice(lowest, 1)
    else {
      head.change = next.value
      head.order = orderOf(next.value)
    }
  }
}

interface Head<Change> {
  readonly rest: Iterator<Change>
  change: Change
  order: number
}
