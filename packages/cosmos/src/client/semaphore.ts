/** Limits concurrent work. Waiting work starts in order. */
export interface Semaphore {
  readonly run: <T>(work: () => Promise<T>) => Promise<T>
}

/** Creates a semaphore with this number of permits. */
export function createSemaphore(permits: number): Semaphore {
  const waiting: (() => void)[] = []
  let free = permits
  return {
    run: async (work) => {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        // gives the permit to the next waiting work
        const next = waiting.shift()
        if (next === undefined) free += 1
        else next()
      }
    }
  }
}
