import { describe, expect, it } from 'vitest'
import { runInSlices } from '../../src/wire/slices.ts'

function* work(steps: number, stepMs: number): Generator<undefined, string> {
  for (let step = 0; step < steps; step++) {
    const endMs = performance.now() + stepMs
    while (performance.now() < endMs);
    yield
  }
  return 'done'
}

describe('work in slices', () => {
  it('ends at once when it fits into one slice', () => {
    expect(runInSlices(work(10, 0))).toBe('done')
  })

  it('lets other work run after each slice', async () => {
    let turns = 0
    const count = (): void => {
      turns += 1
      timer = setImmediate(count)
    }
    let timer = setImmediate(count)
    const result = await runInSlices(work(20, 2))
    clearImmediate(timer)

    expect(result).toBe('done')
    expect(turns).toBeGreaterThanOrEqual(19)
  })

  it('rejects when the work fails after the first slice', async () => {
    await expect(runInSlices(failing())).rejects.toThrow('too late')
  })
})

function* failing(): Generator<undefined, never> {
  yield* work(2, 2)
  throw new Error('too late')
}
