import { expect, it } from 'vitest'
import { listFiles } from '../record-path/coverage.ts'

const ROOT = 'file:///work/'

it('lists files of which a function ran in every run separately from those that ran only in some', () => {
  const take = [{ url: `${ROOT}packages/core/src/a.ts`, names: ['a@10', 'b@20'] }]
  const timer = { url: `${ROOT}connector/src/timer.ts`, names: ['tick@5'] }
  expect(listFiles([take, [...take, timer]], ROOT)).toEqual({
    always: [{ path: 'packages/core/src/a.ts', packageName: 'packages/core', functions: 2 }],
    sometimes: [{ path: 'connector/src/timer.ts', packageName: 'connector', functions: 1 }]
  })
})

it('counts a built file as its source', () => {
  const take = [{ url: `${ROOT}connector/dist/write/target.js`, names: ['submit@10'] }]
  expect(listFiles([take], ROOT).always).toMatchObject([{ path: 'connector/src/write/target.ts' }])
})

it('does not count modules of which only the body ran, tests, scripts and installed packages', () => {
  const take = [
    { url: `${ROOT}packages/core/src/index.ts`, names: ['@0'] },
    { url: `${ROOT}packages/core/test/a.ts`, names: ['a@10'] },
    { url: `${ROOT}scripts/record-path.ts`, names: ['a@10'] },
    { url: `${ROOT}node_modules/kafkajs/src/index.js`, names: ['a@10'] },
    { url: 'node:internal/timers', names: ['a@10'] }
  ]
  expect(listFiles([take], ROOT)).toEqual({ always: [], sometimes: [] })
})
