import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createFilter, type ReplayFilter } from '../../src/replay/find-dead-letters.ts'
import { recordAt } from '../dead-letter/sample.ts'

const RECORD = recordAt(7, { timestamp: '1000' })

describe('a filter of dead letters', () => {
  it.each<[ReplayFilter, boolean]>([
    [{}, true],
    [{ codes: ['FIELD_MISSING', 'X'] }, true],
    [{ codes: ['X'] }, false],
    [{ topic: 'cars', partition: 3 }, true],
    [{ topic: 'bikes' }, false],
    [{ partition: 0 }, false],
    [{ fromOffset: 7, toOffset: 7 }, true],
    [{ fromOffset: 8 }, false],
    [{ toOffset: 6 }, false],
    [{ sinceMs: 1000 }, true],
    [{ sinceMs: 1001 }, false],
    [{ untilMs: 1000 }, false],
    [{ untilMs: 1001 }, true],
    [{ key: 'key-7' }, true],
    [{ key: 'key-70' }, false]
  ])('%j answers %j', (filter, answer) => {
    expect(createFilter(filter)(RECORD, 'FIELD_MISSING')).toBe(answer)
  })

  it('cannot judge a record without the key or the timestamp that it names, unless another part leaves it out', () => {
    const bare = { ...RECORD, key: null, timestamp: '-1', offset: toPosition(7) }
    expect(createFilter({ key: 'a' })(bare, 'X')).toBe('unknown')
    expect(createFilter({ sinceMs: 1 })(bare, 'X')).toBe('unknown')
    expect(createFilter({ untilMs: 1 })(bare, 'X')).toBe('unknown')
    expect(createFilter({ key: 'a', topic: 'bikes' })(bare, 'X')).toBe(false)
    expect(createFilter({})(bare, 'X')).toBe(true)
  })
})
