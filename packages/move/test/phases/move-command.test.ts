import { expect, it } from 'vitest'
import { resultOfComparison } from '../../src/phases/move-command.ts'

const compared = { type: 'compared', at: '2026-03-01T12:00:00.000Z' } as const

it('the result of a comparison says how many documents differ', () => {
  expect(resultOfComparison({ ...compared, isEqual: true, differences: 0 })).toStrictEqual({
    isDone: true,
    message: 'The containers are equal.'
  })
  expect(resultOfComparison({ ...compared, isEqual: true, differences: 1 })).toStrictEqual({
    isDone: true,
    message: '1 document differed, and was copied again. The containers are equal now.'
  })
  expect(resultOfComparison({ ...compared, isEqual: false, differences: 2 })).toStrictEqual({
    isDone: false,
    message: '2 documents differ. The next comparison begins when they have been read again.'
  })
  expect(resultOfComparison(undefined)).toMatchObject({ isDone: false })
})
