import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { planVectors } from '../../scripts/plan-vectors.ts'

const published = JSON.parse(readFileSync(new URL('../../docs/vectors/plans.json', import.meta.url), 'utf8')) as {
  rows: unknown[]
}

describe('docs/vectors/plans.json', () => {
  it('L3 holds what the plans give today: a reader in another language that once agreed still does', () => {
    expect(JSON.parse(JSON.stringify(planVectors()))).toEqual(published.rows)
  })
})
