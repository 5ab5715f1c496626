/** The open positions in ascending order, each with what was committable before it was opened. */
export interface OpenWindow {
  readonly push: (position: number, previous: number) => void
  /** False where the position is not open. */
  readonly remove: (position: number) => boolean
  readonly count: number
  /** For how many positions there is room. */
  readonly capacity: number
  /** The oldest open position; meaningless while there is none. */
  readonly oldest: number
  /** What was committable before the oldest open position was opened. */
  readonly oldestPrevious: number
}

const INITIAL_SIZE = 64

/** Room grows with the number of open positions only: removed ones are squeezed out when the room is full, which costs O(1) on average. */
export function createOpenWindow(): OpenWindow {
  let positions = new Float64Array(INITIAL_SIZE)
  let previous = new Float64Array(INITIAL_SIZE)
  let removed = new Uint8Array(INITIAL_SIZE)
  let head = 0
  let tail = 0
  let count = 0

  function push(position: number, before: number): void {
    if (tail === positions.length) makeRoom()
    positions[tail] = position
    previous[tail] = before
    removed[tail] = 0
    tail++
    count++
  }

  function remove(position: number): boolean {
    const index = find(position)
    if (index < 0 || removed[index] === 1) return false
    removed[index] = 1
    count--
    while (head < tail && removed[head] === 1) head++
    if (head === tail) head = tail = 0
    return true
  }

  // positions ascend by one at least, so a position is never farther from the head than their difference; without gaps it is just there
  function find(position: number): number {
    if (head === tail) return -1
    let low = head
    let high = Math.min(tail - 1, head + position - positions[head])
    if (positions[high] === position) return high
    while (low < high) {
      const middle = (low + high) >>> 1
      if (positions[middle] < position) low = middle + 1
      else high = middle
    }
    return positions[low] === position ? low : -1
  }

  function makeRoom(): void {
    const size = count * 2 > positions.length ? positions.length * 2 : positions.length
    const from = { positions, previous, removed, head, tail }
    if (size !== positions.length) {
      positions = new Float64Array(size)
      previous = new Float64Array(size)
      removed = new Uint8Array(size)
    }
    head = 0
    tail = 0
    for (let index = from.head; index < from.tail; index++) {
      if (from.removed[index] === 1) continue
      positions[tail] = from.positions[index]
      previous[tail] = from.previous[index]
      removed[tail] = 0
      tail++
    }
  }

  return {
    push,
    remove,
    get count() {
      return count
    },
    get capacity() {
      return positions.length
    },
    get oldest() {
      return positions[head]
    },
    get oldestPrevious() {
      return previous[head]
    }
  }
}
