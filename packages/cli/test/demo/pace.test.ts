import { expect, it } from 'vitest'
import { createPace } from '../../src/demo/run-demo.ts'

it('the pace of the demo returns the configured number of records in a second, however often it is called', () => {
  const pace = createPace(33, 0)
  let due = 0
  for (let ms = 7; ms <= 10_003; ms += 7) due += pace.due(ms)

  expect(due).toBe(330)
})

it('the pace of the demo returns at most the records of one second after a longer pause', () => {
  const pace = createPace(100, 0)

  expect(pace.due(60_000)).toBe(100)
})
