import type { Page } from './merge-in-order.ts'

/** Asks for the next page while one is being used: from the second page on, since whoever stops after the first wants no more. */
export async function* readAhead<T>(pages: AsyncIterable<Page<T>>): AsyncGenerator<Page<T>> {
  const iterator = pages[Symbol.asyncIterator]()
  try {
    const first = await iterator.next()
    if (first.done === true) return
    yield first.value
    let pending = iterator.next()
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one page after another is the point
      const next = await pending
      if (next.done === true) return
      pending = iterator.next()
      // it is awaited in the next round, unless there is none
      pending.catch(() => {})
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}
