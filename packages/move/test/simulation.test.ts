import { describe, expect, it } from 'vitest'
import { type Finding, runMove } from './simulation/run-move.ts'

const FINDINGS: readonly Finding[] = ['identity', 'index', 'images', 'sweep']
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 10)
const FIRST = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

describe.each(FINDINGS)('a container that is copied while it is written to, with places found by %s', (finding) => {
  describe.each([
    ['without kills', { isKilled: false, isBehind: false }],
    ['with kills', { isKilled: true, isBehind: false }],
    ['with kills, and replicas that are behind', { isKilled: true, isBehind: true }]
  ])('%s', (_, options) => {
    it.each(Array.from({ length: SEEDS }, (__, each) => each + FIRST))(
      'has every document once (seed %i)',
      async (seed) => {
        const { differences, rewound, failures, isFinished } = await runMove({ seed, finding, ...options })
        expect({ differences, failures, isFinished }).toStrictEqual({ differences: [], failures: [], isFinished: true })
        if (!options.isBehind) expect(rewound).toStrictEqual([])
      }
    )
  })
})
