import { readFileSync } from 'node:fs'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'

const { rows } = JSON.parse(readFileSync(new URL('fingerprints-0.1.json', import.meta.url), 'utf8')) as {
  rows: readonly { readonly plan: PlanDefinition; readonly fingerprint: string }[]
}

describe('the fingerprint of a plan', () => {
  it.each(rows.map(({ plan, fingerprint }) => [JSON.stringify(plan), plan, fingerprint] as const))(
    'L3 is the same as in version 0.1: %s',
    (_text, plan, fingerprint) => {
      expect(createPlan(plan).fingerprint).toBe(fingerprint)
    }
  )
})
