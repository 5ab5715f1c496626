import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ROWS } from './rows.ts'

const TITLES = ['a-synthetic-keys.test.ts', 'b-partitioning.long.test.ts']
  .flatMap((name) => [...readFileSync(new URL(name, import.meta.url), 'utf8').matchAll(/^test\('([AB]\d+) /gm)])
  .map((found) => found[1])

test('ROWS contains every row of both articles once, in order', () => {
  const ids = [
    ...Array.from({ length: 9 }, (_, index) => `A${index + 1}`),
    ...Array.from({ length: 13 }, (_, index) => `B${index + 1}`)
  ]

  expect(ROWS.map(({ id }) => id)).toEqual(ids)
})

test('each row that is built, in whole or in part, has a test whose title begins with its id, and no other row has a test', () => {
  const built = ROWS.filter(({ state }) => state !== 'not built').map(({ id }) => id)

  expect(new Set(TITLES)).toEqual(new Set(built))
})

test('each row has an example if a part of it is built, and names what is missing if a part of it is not built', () => {
  for (const { id, state, show, missing } of ROWS) {
    expect({ id, shows: show !== undefined }).toEqual({ id, shows: state !== 'not built' })
    expect({ id, isComplete: missing === undefined }).toEqual({ id, isComplete: state === 'built' })
  }
})
