import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeAsTheyCome, mergeInOrder, toSortOrder } from '../../src/reader/merge-pages.ts'
import { type Ended, pagesOf } from './pages-of.ts'

interface Row {
  readonly at: number
  readonly stream: number
}

describe('mergeInOrder', () => {
  it('yields all documents of all streams in order, however they are divided into pages', async () => {
    const streams = fc.array(fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 5 }), { maxLength: 5 }), {
      maxLength: 6
    })
    await fc.assert(
      fc.asyncProperty(streams, fc.boolean(), async (cut, isDescending) => {
        const sorted = cut.map((pages, stream) => sortPages(pages, stream, isDescending))
        const order = toSortOrder({ field: '/at', isDescending })

        const merged: Row[] = []
        for await (const page of mergeInOrder(
          sorted.map((pages) => pagesOf(pages)),
          order
        ))
          merged.push(...page)

        const sign = isDescending ? -1 : 1
        const all = sorted.flat(2)
        expect(merged).toHaveLength(all.length)
        expect(new Set(merged)).toEqual(new Set(all))
        expect(merged.every(({ at }, index) => index === 0 || sign * (at - merged[index - 1].at) >= 0)).toBe(true)
      })
    )
  })

  it('yields available documents before it waits for another page', async () => {
    const never = new Promise<never>(() => {})
    async function* stalls(): AsyncGenerator<Row[]> {
      yield [{ at: 1, stream: 0 }]
      await never
    }

    const merged = mergeInOrder([stalls(), pagesOf([[{ at: 2, stream: 1 }]])], toSortOrder('/at'))

    expect((await merged.next()).value).toEqual([{ at: 1, stream: 0 }])
  })

  it('ends all streams when the reader stops', async () => {
    const ended: Ended = { count: 0 }
    const merged = mergeInOrder(
      [pagesOf([[{ at: 1 }], [{ at: 3 }]], ended), pagesOf([[{ at: 2 }]], ended)],
      toSortOrder('/at')
    )

    await merged.next()
    await merged.return(undefined)

    expect(ended.count).toBe(2)
  })
})

function sortPages(pages: readonly (readonly number[])[], stream: number, isDescending: boolean): Row[][] {
  const values = pages.flat().toSorted((a, b) => (isDescending ? b - a : a - b))
  let begin = 0
  return pages.map(({ length }) => {
    const page = values.slice(begin, begin + length).map((at) => ({ at, stream }))
    begin += length
    return page
  })
}

describe('mergeAsTheyCome', () => {
  it('yields all pages of all streams, even if only some streams may run at a time', async () => {
    for (const atOnce of [1, 2, 10]) {
      const streams = Array.from({ length: 5 }, (_, stream) => pagesOf([[stream * 10], [], [stream * 10 + 1]]))

      const found: number[] = []
      for await (const page of mergeAsTheyCome(streams, atOnce)) found.push(...page)

      expect(found.toSorted((a, b) => a - b)).toEqual([0, 1, 10, 11, 20, 21, 30, 31, 40, 41])
    }
  })

  it('does not wait for a slow stream while another has pages', async () => {
    const merged = mergeAsTheyCome([neverPage(), pagesOf([[1], [2]])], 2)

    expect((await merged.next()).value).toEqual([1])
    expect((await merged.next()).value).toEqual([2])
  })

  it('reads from the streams in turn', async () => {
    const merged = mergeAsTheyCome([pagesOf([[1], [1], [1]]), pagesOf([[2], [2], [2]])], 2)

    const found: number[] = []
    for await (const page of merged) found.push(...page)

    expect(found).toEqual([1, 2, 1, 2, 1, 2])
  })

  it('throws the error of a stream, and ends the other streams', async () => {
    const ended: Ended = { count: 0 }
    const reading = (async () => {
      for await (const _ of mergeAsTheyCome([pagesOf([[1], [1], [1]], ended), failing()], 2));
    })()

    await expect(reading).rejects.toThrow('range lost')
    expect(ended.count).toBe(1)
  })
})

async function* neverPage(): AsyncGenerator<number[]> {
  await new Promise(() => {})
  yield []
}

// oxlint-disable-next-line require-yield -- it fails before the first page
async function* failing(): AsyncGenerator<number[]> {
  throw new Error('range lost')
}
