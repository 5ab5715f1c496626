import { expect, test } from 'vitest'
import { poorlyCovered } from './poorly-covered.ts'
import { POPULATIONS } from './populations.ts'

// the populations are divided into two files, which run at the same time
const HALF = POPULATIONS.filter((_, index) => index % 2 === 0)

// checks L18
test.each(HALF)(
  'intervals from 400 samples contain the true value as often as stated: $name',
  { timeout: 600_000 },
  (population) => {
    expect(poorlyCovered(population)).toEqual([])
  }
)
