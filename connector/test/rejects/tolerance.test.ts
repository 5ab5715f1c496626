import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTolerance } from '../../src/rejects/tolerance.ts'

describe('the tolerance', () => {
  it('is exceeded by one more than the share of the window', () => {
    const tolerance = createTolerance({ percent: 10, window: 20 })
    tolerance.rejected('A', 'a')
    tolerance.rejected('A', 'a')
    expect(tolerance.exceeded()).toBeUndefined()

    tolerance.rejected('A', 'a')
    expect(tolerance.exceeded()).toBeDefined()
  })

  it('names the reasons, the most frequent first, with what was said first', () => {
    const tolerance = createTolerance({ percent: 1, window: 100 })
    tolerance.rejected('KEY_TOO_LONG', 'The key is too long.')
    tolerance.rejected('DECODE_FAILED', 'No JSON at byte 7.')
    tolerance.rejected('DECODE_FAILED', 'No JSON at byte 9.')

    expect(tolerance.exceeded()).toBe(
      [
        '3 of the last 100 records were rejected; 1 are tolerated (1 %):',
        '  2 x DECODE_FAILED, the first: No JSON at byte 7.',
        '  1 x KEY_TOO_LONG, the first: The key is too long.'
      ].join('\n')
    )
  })

  it('names five reasons and counts the others', () => {
    const tolerance = createTolerance({ percent: 0, window: 100 })
    for (const code of 'ABCDEFG') tolerance.rejected(code, code)

    expect(tolerance.exceeded()?.split('\n')).toHaveLength(7)
    expect(tolerance.exceeded()).toContain('and 2 other reasons')
  })

  it('tolerates nothing at 0 %', () => {
    const tolerance = createTolerance({ percent: 0, window: 1000 })
    tolerance.passed()
    expect(tolerance.exceeded()).toBeUndefined()

    tolerance.rejected('A', 'a')
    expect(tolerance.exceeded()).toBeDefined()
  })

  it('counts as a list of the last records would', () => {
    const outcome = fc.constantFrom('A', 'B', undefined, undefined)

    fc.assert(
      fc.property(
        fc.array(outcome, { maxLength: 200 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 0, max: 100 }),
        (all, window, percent) => {
          const tolerance = createTolerance({ percent, window })
          all.forEach((code, index) => {
            if (code === undefined) tolerance.passed()
            else tolerance.rejected(code, '')
            const last = all.slice(Math.max(0, index + 1 - window), index + 1).filter((each) => each !== undefined)
            const said = tolerance.exceeded()
            expect(said !== undefined).toBe(last.length * 100 > window * percent)
            const counted = `${last.filter((each) => each === last[0]).length} x ${last[0]}`
            expect(said ?? counted).toContain(counted)
          })
        }
      )
    )
  })
})
