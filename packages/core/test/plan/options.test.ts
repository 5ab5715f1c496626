import { expect, it } from 'vitest'

import { createPlan, type PlanOptions } from '../../src/index.ts'

it('createPlan rejects an unknown option', () => {
  expect(() => createPlan({ into: '/pk', from: [{ field: '/a' }] }, { requireID: true } as PlanOptions)).toThrow(
    expect.objectContaining({
      code: 'OPTION_INVALID',
      message: 'The option `requireID` is not known here; did you mean "requireId"?'
    })
  )
  expect(() => createPlan({ into: '/pk', from: [{ field: '/a' }] }, { zone: 'UTC' } as PlanOptions)).toThrow(
    'known are random, requireId.'
  )
})
