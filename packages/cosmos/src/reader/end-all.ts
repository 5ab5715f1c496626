/** Ends iterators that are not needed any more; what goes wrong there concerns nobody. */
export async function endAll(iterators: Iterable<AsyncIterator<unknown>>): Promise<void> {
  await Promise.allSettled(Array.from(iterators, endOne))
}

async function endOne(iterator: AsyncIterator<unknown>): Promise<void> {
  await iterator.return?.()
}
