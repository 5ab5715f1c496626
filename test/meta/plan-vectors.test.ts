import { readFileSync } from 'node:fs'

import { describe, expect, it } from 'vitest'

import { planVectors } from '../../scripts/plan-vectors.ts'

const published = JSON.parse(readFileSync(new URL('../../docs/vectors/plans.json', import.meta.url), 'utf8')) as {
  rows: unknown[]
}

describe('docs/vectors/plans.json', () => {
  it('L3 contains the keys that the plans make today, so that a reader in another language stays compatible', () => {
    expect(JSON.parse(JSON.stringify(planVectors()))).toEqual(published.rows)
  })
})
