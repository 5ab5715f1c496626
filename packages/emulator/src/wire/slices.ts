/**
 * Runs work to its end, and lets other requests run after each slice of time. Work that ends within the first slice is
 * done at once. Each `yield` of the work is a point at which a slice can end.
 */
export function runInSlices<Result>(work: Generator<undefined, Result>): Result | Promise<Result> {
  const first = runSlice(work)
  return first.done === true ? first.value : runRest(work)
}

// other requests wait for a slice at most
const SLICE_MS = 1

function runSlice<Result>(work: Generator<undefined, Result>): IteratorResult<undefined, Result> {
  const endMs = performance.now() + SLICE_MS
  for (;;) {
    const step = work.next()
    if (step.done === true || performance.now() >= endMs) return step
  }
}

async function runRest<Result>(work: Generator<undefined, Result>): Promise<Result> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve))
    const step = runSlice(work)
    if (step.done === true) return step.value
  }
}
