import { describe, expect, it } from 'vitest'
import { runInSlices, SLICE_MS } from '../../src/wire/slices.ts'

// advances only by the steps of the work
let nowMs = 0
const now = (): number => nowMs

function* work(steps: number, stepMs: number): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    nowMs += stepMs
    yield
  }
  return 'done'
}

describe('work in slices', () => {
  it('ends at once when it fits into one slice', () => {
    expect(runInSlices(work(10, SLICE_MS / 11), now)).toBe('done')
  })

  it('lets other work run after each slice', async () => {
    let turns = 0
    const count = (): void => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const result = await runInSlices(work(20, SLICE_MS), now)
    clearImmediate(timer)

    expect(result).toBe('done')
    expect(turns).toBeGreaterThanOrEqual(19)
  })

  it('does as many steps in a slice as fit into it', async () => {
    const slices = new Set<number>()
    let slice = 0
    const count = (): void => {
      slice += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const steps = function* (): Generator<undefined, void> {
      for (const _ of work(100, SLICE_MS / 10)) {
        slices.add(slice)
        yield
      }
    }
    await runInSlices(steps(), now)
    clearImmediate(timer)

    expect([10, 11]).toContain(slices.size)
  })

  it('rejects when the work fails after the first slice', async () => {
    await expect(runInSlices(failing(), now)).rejects.toThrow('too late')
  })
})

function* failing(): Generator<undefined, never> {
  yield* work(2, SLICE_MS)
  throw new Error('too late')
}
