import { describe, expect, it } from 'vitest'
import { mergeAsTheyCome } from '../../src/reader/merge-as-they-come.ts'
import { type Ended, pagesOf } from './pages-of.ts'

describe('mergeAsTheyCome', () => {
  it('gives every page of every stream, also when only some run at a time', async () => {
    for (const atOnce of [1, 2, 10]) {
      const streams = Array.from({ length: 5 }, (_, stream) => pagesOf([[stream * 10], [], [stream * 10 + 1]]))

      const found: number[] = []
      for await (const page of mergeAsTheyCome(streams, atOnce)) found.push(...page)

      expect(found.toSorted((a, b) => a - b)).toEqual([0, 1, 10, 11, 20, 21, 30, 31, 40, 41])
    }
  })

  it('does not wait for a slow stream while another has pages', async () => {
    const merged = mergeAsTheyCome([never(), pagesOf([[1], [2]])], 2)

    expect((await merged.next()).value).toEqual([1])
    expect((await merged.next()).value).toEqual([2])
  })

  it('lets no stream have all turns', async () => {
    const merged = mergeAsTheyCome([pagesOf([[1], [1], [1]]), pagesOf([[2], [2], [2]])], 2)

    const found: number[] = []
    for await (const page of merged) found.push(...page)

    expect(found).toEqual([1, 2, 1, 2, 1, 2])
  })

  it('hands on what a stream fails with, and ends the others', async () => {
    const ended: Ended = { count: 0 }
    const reading = (async () => {
      for await (const _ of mergeAsTheyCome([pagesOf([[1], [1], [1]], ended), failing()], 2));
    })()

    await expect(reading).rejects.toThrow('range lost')
    expect(ended.count).toBe(1)
  })
})

async function* never(): AsyncGenerator<number[]> {
  await new Promise(() => {})
  yield []
}

// oxlint-disable-next-line require-yield -- it fails before the first page
async function* failing(): AsyncGenerator<number[]> {
  throw new Error('range lost')
}
