import { describe, expect, it } from 'vitest'
import type { Body } from '../simulation/simulated-document.ts'
import { startWriters } from './running-writers.ts'
import { createPair } from './simulated-pair.ts'

const FIRST = Number(process.env['KEYSTAMP_COMPARE_SEED'] ?? 1)
const SEEDS = Array.from({ length: Number(process.env['KEYSTAMP_COMPARE_RUNS'] ?? 20) }, (_, index) => FIRST + index)

describe('a comparison while both containers are written', () => {
  it.each(SEEDS)('finds the planted differences and nothing else (seed %i)', async (seed) => {
    const basis = ([undefined, 'identity', 'fields'] as const)[seed % 3]
    const pair = createPair({ seed, basis, maxLatencyMs: 1 + (seed % 7) * 20, maxBehindMs: (seed % 4) * 500 })
    const { random, source, target, placeOf, copyOf } = pair
    for (let index = 0; index < 150; index++) {
      const body: Body = { id: `still-${index}`, pk: `pk-${index % 5}`, group: `group-${index % 4}` }
      source.apply({ key: [String(body['pk'])], id: body.id }, body)
      if (index > 0) target.apply(placeOf(body), index === 1 ? { ...copyOf(body), text: 'other' } : copyOf(body))
    }
    for (let splits = random.below(4); splits > 0; splits--) random.pick([source, target]).split()
    const writers = startWriters(pair, { ids: 1 + random.below(40), everyMs: 40 + random.below(400), maxLagMs: 4000 })
    await pair.clock.runUntil(() => false, 5000)

    const comparison = await pair.compare({ limits: { maxRequests: 2, maxReads: 4, maxItems: 1 + random.below(30) } })
    writers.stop()

    const found = comparison.differences.map(({ kind, identity }) => `${kind} ${identity.id}`)
    expect(found.toSorted()).toEqual(['different still-1', 'missing still-0'])
    // documents that change every second never stand still
    for (const { reason, identity } of comparison.unsettled)
      expect(`${reason} ${identity.id}`).toMatch(/^changing written-/)
    expect(writers.changes()).toBeGreaterThan(20)
  })
})
