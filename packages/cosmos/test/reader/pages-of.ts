/** Number of streams that have ended. */
export interface Ended {
  count: number
}

/** Creates a stream of these pages. */
export async function* pagesOf<T>(pages: readonly (readonly T[])[], ended?: Ended): AsyncGenerator<readonly T[]> {
  try {
    for (const page of pages) {
      await Promise.resolve()
      yield page
    }
  } finally {
    if (ended !== undefined) ended.count += 1
  }
}
