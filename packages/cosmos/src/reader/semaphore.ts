/** Limits concurrent work; waiting work starts in its order. */
export interface Semaphore {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

export function createSemaphore(places: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = places
  return {
    run: async (work) => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // hands the permit on to the next
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    }
  }
}
