import { expect, it } from 'vitest'
import { listFiles } from '../record-path/coverage.ts'

const ROOT = 'file:///work/'

it('listFiles separates files with a function that every run called from files with functions that only some runs called', () => {
  const take = [{ url: `${ROOT}packages/core/src/a.ts`, names: ['a@10', 'b@20'] }]
  const timer = { url: `${ROOT}connector/src/timer.ts`, names: ['tick@5'] }
  expect(listFiles([take, [...take, timer]], ROOT)).toEqual({
    always: [{ path: 'packages/core/src/a.ts', packageName: 'packages/core', functions: 2 }],
    sometimes: [{ path: 'connector/src/timer.ts', packageName: 'connector', functions: 1 }]
  })
})

it('listFiles names a built file by its source file', () => {
  const take = [{ url: `${ROOT}connector/dist/write/target.js`, names: ['submit@10'] }]
  expect(listFiles([take], ROOT).always).toMatchObject([{ path: 'connector/src/write/target.ts' }])
})

it('listFiles leaves out modules without a called function, tests, scripts and installed packages', () => {
  const take = [
    { url: `${ROOT}packages/core/src/index.ts`, names: ['@0'] },
    { url: `${ROOT}packages/core/test/a.ts`, names: ['a@10'] },
    { url: `${ROOT}scripts/record-path.ts`, names: ['a@10'] },
    { url: `${ROOT}node_modules/kafkajs/src/index.js`, names: ['a@10'] },
    { url: 'node:internal/timers', names: ['a@10'] }
  ]
  expect(listFiles([take], ROOT)).toEqual({ always: [], sometimes: [] })
})
