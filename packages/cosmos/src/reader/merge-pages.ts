import { KeystampError } from '@keystamp/core'
import { membersOfPointer, valueAt } from '../client/container.ts'

/** Documents of one answer. */
export type Page<T> = readonly T[]

/**
 * Merges sorted streams of pages into one sorted stream. Yields available documents before it waits for another page.
 */
export async function* mergeInOrder<T>(
  streams: readonly AsyncIterable<Page<T>>[],
  order: SortOrder
): AsyncGenerator<Page<T>> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]())
  try {
    const cursors = (await Promise.all(iterators.map((iterator) => openCursor(iterator, order)))).filter(
      (cursor) => cursor !== undefined
    )
    // descending, so that the next cursor is at the end, and removing it moves no other cursor
    cursors.sort((left, right) => order.compare(right.value, left.value))
    let page: T[] = []
    while (cursors.length > 0) {
      const cursor = cursors.pop()!
      page.push(cursor.page[cursor.index])
      cursor.index += 1
      if (cursor.index === cursor.page.length) {
        yield page
        page = []
        if (!(await nextPage(cursor))) continue
      }
      cursor.value = order.valueOf(cursor.page[cursor.index])
      insert(cursors, cursor, order)
    }
  } finally {
    await endAll(iterators)
  }
}

interface Cursor<T> {
  readonly iterator: AsyncIterator<Page<T>>
  page: Page<T>
  index: number
  value: unknown
}

async function openCursor<T>(iterator: AsyncIterator<Page<T>>, order: SortOrder): Promise<Cursor<T> | undefined> {
  const cursor: Cursor<T> = { iterator, page: [], index: 0, value: undefined }
  if (!(await nextPage(cursor))) return undefined
  cursor.value = order.valueOf(cursor.page[0])
  return cursor
}

async function nextPage<T>(cursor: Cursor<T>): Promise<boolean> {
  for (;;) {
    const next = await cursor.iterator.next()
    if (next.done === true) return false
    if (next.value.length === 0) continue
    cursor.page = next.value
    cursor.index = 0
    return true
  }
}

function insert<T>(cursors: Cursor<T>[], cursor: Cursor<T>, order: SortOrder): void {
  let low = 0
  let high = cursors.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order.compare(cursors[middle].value, cursor.value) > 0) low = middle + 1
    else high = middle
  }
  cursors.splice(low, 0, cursor)
}

/**
 * Merges streams of pages in the order in which the pages arrive. Reads `atOnce` streams at a time, each at most one
 * page ahead.
 */
export async function* mergeAsTheyCome<T>(
  streams: readonly AsyncIterable<Page<T>>[],
  atOnce: number
): AsyncGenerator<Page<T>> {
  const waiting = streams.map((stream) => stream[Symbol.asyncIterator]())
  const pending = new Map<AsyncIterator<Page<T>>, Promise<Next<T>>>()
  const startNext = (): void => {
    const iterator = waiting.shift()
    if (iterator !== undefined) pending.set(iterator, nextOf(iterator))
  }
  for (let started = 0; started < atOnce; started++) startNext()
  try {
    while (pending.size > 0) {
      const { iterator, next } = await Promise.race(pending.values())
      // moves the iterator to the end of the map, so that no stream is always first
      pending.delete(iterator)
      if (next.done === true) startNext()
      else {
        pending.set(iterator, nextOf(iterator))
        if (next.value.length > 0) yield next.value
      }
    }
  } finally {
    await endAll(pending.keys())
  }
}

interface Next<T> {
  readonly iterator: AsyncIterator<Page<T>>
  readonly next: IteratorResult<Page<T>>
}

function nextOf<T>(iterator: AsyncIterator<Page<T>>): Promise<Next<T>> {
  const next = iterator.next().then((result) => ({ iterator, next: result }))
  // prevents an unhandled rejection if the promise fails after the race
  next.catch(() => {})
  return next
}

/** Ends iterators that are no longer needed, and ignores their errors. */
async function endAll(iterators: Iterable<AsyncIterator<unknown>>): Promise<void> {
  await Promise.allSettled(Array.from(iterators, endOne))
}

async function endOne(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}

/**
 * Requests the next page while the caller uses the current one. Begins with the second page, because many callers stop
 * after the first page.
 */
export async function* readAhead<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<Page<T>> {
  const iterator = pages[Symbol.asyncIterator]()
  try {
    const first = await iterator.next()
    if (first.done === true) return
    yield first.value
    let pending = iterator.next()
    for (;;) {
      const next = await pending
      if (next.done === true) return
      pending = iterator.next()
      // prevents an unhandled rejection: the promise is only awaited if the caller continues
      pending.catch(() => {})
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** Sort field: a JSON pointer; ascending by default. */
export type OrderBy = string | { readonly field: string; readonly isDescending?: boolean }

/** Sorts documents as Cosmos DB does. */
export interface SortOrder {
  /** JSON pointer to the sort field. */
  readonly field: string
  readonly members: readonly string[]
  readonly isDescending: boolean
  /** Returns the value by which a document is sorted. */
  readonly valueOf: (document: unknown) => unknown
  /** Returns a negative number if the left value comes first. */
  readonly compare: (left: unknown, right: unknown) => number
}

/** Creates a sort order. Throws OPTION_INVALID for an invalid `orderBy`. */
export function toSortOrder(orderBy: OrderBy): SortOrder {
  const { field, isDescending = false } =
    typeof orderBy === 'object' && orderBy !== null ? checked(orderBy) : { field: orderBy }
  if (typeof field !== 'string' || !/^(?:\/[^/]+)+$/.test(field)) {
    throw new KeystampError('OPTION_INVALID', '`orderBy` must be a JSON pointer to the field to sort by, such as /at.')
  }
  const members = membersOfPointer(field)
  return {
    field,
    members,
    isDescending,
    valueOf: (document) => valueAt(document, members),
    compare: isDescending ? (left, right) => compareValues(right, left) : compareValues
  }
}

// throws for unknown properties, because ignoring one would return another order than expected
function checked(orderBy: Exclude<OrderBy, string>): Exclude<OrderBy, string> {
  for (const name of Object.keys(orderBy)) {
    if (name === 'field' || name === 'isDescending') continue
    const meant = /desc/i.test(name) ? ' Did you mean `isDescending`?' : ''
    throw new KeystampError(
      'OPTION_INVALID',
      `\`${name}\` is not a property of \`orderBy\`, which has \`field\` and \`isDescending\`.${meant}`
    )
  }
  const { isDescending } = orderBy
  if (isDescending === undefined || typeof isDescending === 'boolean') return orderBy
  throw new KeystampError('OPTION_INVALID', '`isDescending` in `orderBy` must be true or false.')
}

/** The sort order of Cosmos DB: undefined, null, false, true, numbers, strings, arrays, objects. */
function compareValues(left: unknown, right: unknown): number {
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
