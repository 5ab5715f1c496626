import type { DocumentOrder } from './document-order.ts'
import { endAll } from './end-all.ts'

/** Documents that came together. */
export type Page<T> = readonly T[]

/** Merges sorted streams of pages into one. What is in hand is given before another page is waited for. */
export async function* mergeInOrder<T>(streams: readonly AsyncIterable<Page<T>>[], order: DocumentOrder): AsyncGenerator<Page<T>> {
  const iterators = streams.map((stream) => stream[Symbol.asyncIterator]())
  try {
    const cursors = (await Promise.all(iterators.map((iterator) => openCursor(iterator, order)))).filter((cursor) => cursor !== undefined)
    // the cursor that comes first stands last, where taking it away moves nothing
    cursors.sort((left, right) => order.compare(right.value, left.value))
    let page: T[] = []
    while (cursors.length > 0) {
      const cursor = cursors.pop()!
      page.push(cursor.page[cursor.index])
      cursor.index += 1
      if (cursor.index === cursor.page.length) {
        yield page
        page = []
        // oxlint-disable-next-line no-await-in-loop -- which stream comes next is not known before
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

async function openCursor<T>(iterator: AsyncIterator<Page<T>>, order: DocumentOrder): Promise<Cursor<T> | undefined> {
  const cursor: Cursor<T> = { iterator, page: [], index: 0, value: undefined }
  if (!(await nextPage(cursor))) return undefined
  cursor.value = order.valueOf(cursor.page[0])
  return cursor
}

async function nextPage<T>(cursor: Cursor<T>): Promise<boolean> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- a page may be empty and yet not the last
    const next = await cursor.iterator.next()
    if (next.done === true) return false
    if (next.value.length === 0) continue
    cursor.page = next.value
    cursor.index = 0
    return true
  }
}

function insert<T>(cursors: Cursor<T>[], cursor: Cursor<T>, order: DocumentOrder): void {
  let low = 0
  let high = cursors.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (order.compare(cursors[middle].value, cursor.value) > 0) low = middle + 1
    else high = middle
  }
  cursors.splice(low, 0, cursor)
}
