import { describe, expect, it } from 'vitest'
import type { LiveContainer } from '../../src/explorer/live-report.ts'
import { drawCells, layoutRows, levelOf, paintCells, THROTTLED } from '../../src/explorer/client/heat-pixels.ts'
import { KEPT_SECONDS, LoadHistory } from '../../src/explorer/client/load-history.ts'

function container(bounds: readonly number[], given: Partial<LiveContainer> = {}, firstId = 0): LiveContainer {
  const count = bounds.length - 1
  const each = <Value>(value: Value): Value[] => Array.from({ length: count }, () => value)
  return {
    rid: 'r',
    keyPaths: [['pk']],
    mode: 'manual',
    ruPerSecond: 100 * count,
    isShared: false,
    revision: 1,
    ranges: Array.from({ length: count }, (_, at) => ({
      id: String(firstId + at),
      min: '',
      max: '',
      from: bounds[at],
      to: bounds[at + 1]
    })),
    phases: each('online'),
    items: each(0),
    bytes: each(0),
    provisioned: each(100),
    seconds: [],
    ...given
  }
}

describe('the rows of the picture', () => {
  it('are as high as their shares of the hash space', () => {
    const rows = layoutRows(
      [
        { from: 0, to: 0.25 },
        { from: 0.25, to: 1 }
      ],
      400
    )

    expect(rows).toEqual([
      { top: 0, bottom: 100 },
      { top: 100, bottom: 400 }
    ])
  })

  it('are at least a pixel high, also for a range without width and for more ranges than pixels', () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ from: at / 1000, to: (at + 1) / 1000 }))
    const uneven = [
      { from: 0, to: 0.5 },
      { from: 0.5, to: 0.5 },
      { from: 0.5, to: 1 }
    ]

    expect(layoutRows(many, 300).every(({ top, bottom }) => bottom > top)).toBe(true)
    expect(layoutRows(uneven, 300)[1].bottom - layoutRows(uneven, 300)[1].top).toBeGreaterThan(10)
  })
})

describe('the colors of the picture', () => {
  it.each([
    [0, 0],
    [0.1, 1],
    [0.3, 2],
    [0.6, 3],
    [0.9, 4],
    [1, 5],
    [7, 5]
  ])('are of the level of the used share %d: %d', (share, level) => {
    expect(levelOf(share)).toBe(level)
  })

  it('show the highest level and each 429 where several ranges share a pixel', () => {
    const history = new LoadHistory()
    const bounds = Array.from({ length: 11 }, (_, at) => at / 10)
    history.apply(
      container(bounds, {
        seconds: [
          [3, 99, 120, 4, 5],
          [4, 99, 10, 0, 1]
        ]
      }),
      100_000
    )
    const window = { firstSecond: 98, seconds: 2, height: 1 }
    const cells = drawCells(
      history,
      layoutRows(
        history.live.map(({ range }) => range),
        1
      ),
      window
    )

    expect([...cells]).toEqual([0, 5 | THROTTLED])
  })

  it('outline the area with 429 and fill it with the color of its share', () => {
    const window = { firstSecond: 0, seconds: 3, height: 5 }
    const cells = new Uint8Array(15)
    for (let y = 1; y < 4; y++) cells[5 + y] = 5 | THROTTLED
    const pixels = paintCells(cells, window, 9, { levels: [0, 1, 2, 3, 4, 5], outline: 9 })
    const rows = Array.from({ length: 5 }, (_, y) => [...pixels.slice(y * 9, y * 9 + 9)].join(''))

    expect(rows).toEqual(['000000000', '000999000', '000959000', '000999000', '000000000'])
  })
})

describe('the history of the load', () => {
  it('shows a split from the second on in which it happened, and the load of the parent before', () => {
    const history = new LoadHistory()
    history.apply(
      container([0, 0.5, 1], {
        seconds: [
          [0, 10, 100, 0, 1],
          [1, 10, 30, 0, 1]
        ]
      }),
      10_000
    )
    const split = container([0, 0.25, 0.5, 1], { revision: 2, seconds: [[1, 11, 60, 0, 1]] }, 2)
    const ranges = split.ranges!.map((range, at) => (at === 2 ? { ...range, id: '1' } : range))
    history.apply({ ...split, ranges }, 11_000)
    const rows = layoutRows(
      history.live.map(({ range }) => range),
      4
    )
    const cells = drawCells(history, rows, { firstSecond: 10, seconds: 2, height: 4 })

    expect(history.live.map(({ range }) => range.id)).toEqual(['2', '3', '1'])
    expect([...cells.slice(0, 4)]).toEqual([5, 5, 2, 2])
    expect([...cells.slice(4)]).toEqual([0, 3, 0, 0])
  })

  it('keeps the share of a past second when the throughput changes', () => {
    const history = new LoadHistory()
    history.apply(container([0, 1], { seconds: [[0, 10, 50, 0, 1]] }), 10_000)
    history.apply(
      container([0, 1], {
        provisioned: [1000],
        seconds: [
          [0, 10, 50, 0, 1],
          [0, 11, 50, 0, 1]
        ]
      }),
      11_000
    )

    expect(history.live[0].usedShare(10)).toBe(0.5)
    expect(history.live[0].usedShare(11)).toBeCloseTo(0.05)
  })

  it('forgets seconds and replaced ranges after ten minutes, and all of an earlier container of the name', () => {
    const history = new LoadHistory()
    history.apply(container([0, 1], { seconds: [[0, 10, 50, 3, 1]] }), 10_000)
    history.apply(container([0, 0.5, 1], { revision: 2 }, 1), 20_000)
    expect(history.gone).toHaveLength(1)
    expect(history.gone[0].usedRu(10 + KEPT_SECONDS)).toBe(0)

    history.apply(container([0, 1], { revision: 3 }, 3), (20 + KEPT_SECONDS) * 1000)
    expect(history.gone.map(({ range }) => range.id)).toEqual(['1', '2'])
    history.apply(container([0, 1], { rid: 'other' }), 21_000)
    expect(history.gone).toEqual([])
    expect(history.known).toBe('other/1')
  })
})
