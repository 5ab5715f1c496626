import { describe, expect, it } from 'vitest'
import { DEMO_KEYS } from '../../src/demo/demo-setup.ts'
import { frameOf, lineOf, type Panel } from '../../src/demo/demo-view.ts'

const LOAD = { ranges: 4, ruPerSecond: 4000, offeredPerSecond: 500 }

describe('the picture of the demo', () => {
  it('shows a bar for each physical partition, and numbers to the right of the bars', () => {
    expect(frameOf([panel([1000, 500, 0, 0])], LOAD)).toEqual([
      'The date alone',
      '  ██              38 % of the 4,000 RU/s are used',
      '  ██                 2 of 4 physical partitions are used',
      '  ██ ██            123 records/s of 500',
      '  ██ ██            900 records waiting, 7 throttled',
      ''
    ])
  })

  it('is one line if the output is not a terminal', () => {
    expect(lineOf([panel([1000, 500, 0, 0])], 12.3, LOAD)).toBe(
      ' 12 s  date 123 records/s, 38 % of the RU, 900 waiting'
    )
  })
})

function panel(rangeRu: readonly number[]): Panel {
  return { key: DEMO_KEYS[0], recordsPerSecond: 123.4, rangeRu, throttled: 7, lag: 900 }
}
