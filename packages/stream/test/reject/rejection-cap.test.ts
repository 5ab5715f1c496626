import { describe, expect, test } from 'vitest'
import { type StampStageOptions, stampStage } from '../../src/index.ts'

const PLAN = { into: '/pk', from: [{ field: '/id' }] } as const

describe('maxRejected', () => {
  test('stops the work at the first rejected record beyond the limit, and reports the first five reasons', () => {
    const { run, counts } = countingStage({ onError: 'skip', maxRejected: 7 })

    expect(() => run(7, 7)).not.toThrow()
    expect(() => run(1, 1)).toThrow(
      /^8 of 8 records were rejected; the limit is 7\. The first reasons:(\n {2}Record [0-4]: .*\/id\.){5}$/
    )
    expect(counts.rejected).toBe(8)
  })

  test('is checked as a percentage only from the thousandth record on', () => {
    const { run, end } = countingStage({ onError: 'skip', maxRejected: '1%' })

    expect(() => run(999, 500)).not.toThrow()
    expect(() => run(1, 1)).toThrow('501 of 1000 records were rejected; the limit is 1%.')
    expect(() => end()).toThrow('the limit is 1%')
  })

  test('is checked as a percentage at the end of an input with fewer records', () => {
    const few = countingStage({ onError: 'skip', maxRejected: '10%' })
    const many = countingStage({ onError: 'skip', maxRejected: '10%' })

    few.run(10, 1)
    many.run(10, 2)

    expect(() => few.end()).not.toThrow()
    expect(() => many.end()).toThrow('2 of 10 records were rejected')
  })

  test('also counts rejected records that a function handles', () => {
    const { run } = countingStage({ onError: () => {}, maxRejected: 0 })

    expect(() => run(1, 1)).toThrow('1 of 1 records were rejected')
  })
})

function countingStage(options: StampStageOptions): {
  readonly run: (records: number, bad: number) => void
  readonly end: () => unknown
  readonly counts: { readonly rejected: number }
} {
  const stage = stampStage(PLAN, options)
  return {
    counts: stage.counts,
    end: stage.end,
    run: (records, bad) => {
      for (let each = 0; each < records; each++) stage(each < bad ? {} : { id: 'x' })
    }
  }
}
