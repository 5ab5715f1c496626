import { endAll } from './end-all.ts'
import type { Page } from './merge-in-order.ts'

/** Merges streams of pages in the order in which the pages come: so many streams at a time, each at most one page ahead. */
export async function* mergeAsTheyCome<T>(streams: readonly AsyncIterable<Page<T>>[], atOnce: number): AsyncGenerator<Page<T>> {
  const waiting = streams.map((stream) => stream[Symbol.asyncIterator]())
  const pending = new Map<AsyncIterator<Page<T>>, Promise<Next<T>>>()
  const startNext = (): void => {
    const iterator = waiting.shift()
    if (iterator !== undefined) pending.set(iterator, nextOf(iterator))
  }
  for (let started = 0; started < atOnce; started++) startNext()
  try {
    while (pending.size > 0) {
      // oxlint-disable-next-line no-await-in-loop -- whichever comes first
      const { iterator, next } = await Promise.race(pending.values())
      // taken out and put in at the end, so that no stream comes first for ever
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
  // the race may be over when this one fails
  next.catch(() => {})
  return next
}
