/**
 * Runs work to its end, and lets other requests run after each slice of time. Work that ends within the first slice is
 * done at once. Each `yield` of the work is a point at which a slice can end.
 */
export function runInSlices<Result>(
  work: Generator<undefined, Result>,
  now: () => number = nowMs
): Result | Promise<Result> {
  const first = runSlice(work, now)
  return first.done === true ? first.value : runRest(work, now)
}

function nowMs(): number {
  return performance.now()
}

// other requests wait for a slice at most; a turn of the event loop between two slices takes about a tenth of one
export const SLICE_MS = 0.05

function runSlice<Result>(work: Generator<undefined, Result>, now: () => number): IteratorResult<undefined, Result> {
  const endMs = now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true || now() >= endMs) return step
  }
}

function runRest<Result>(work: Generator<undefined, Result>, now: () => number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const runNext = (): void => {
      try {
        const step = runSlice(work, now)
        if (step.done === true) resolve(step.value)
        else setImmediate(runNext)
      } catch (error) {
        reject(error)
      }
    }
    setImmediate(runNext)
  })
}
