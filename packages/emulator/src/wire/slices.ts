/**
 * Runs work to its end, and lets other requests run after each slice of time. Work that ends within the first slice is
 * done at once. Each `yield` of the work is a point at which a slice can end.
 */
export function runInSlices<Result>(work: Generator<undefined, Result>): Result | Promise<Result> {
  const first = runSlice(work)
  return first.done === true ? first.value : runRest(work)
}

// other requests wait for a slice at most; a turn of the event loop between two slices takes about a tenth of one
const SLICE_MS = 0.05

function runSlice<Result>(work: Generator<undefined, Result>): IteratorResult<undefined, Result> {
  const endMs = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true || performance.now() >= endMs) return step
  }
}

function runRest<Result>(work: Generator<undefined, Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const runNext = (): void => {
      try {
        const step = runSlice(work)
        if (step.done === true) resolve(step.value)
        else setImmediate(runNext)
      } catch (error) {
        reject(error)
      }
    }
    setImmediate(runNext)
  })
}
