import { describe, expect, it } from 'vitest'
import { type Finding, runMove } from './simulation/run-move.ts'

const FINDINGS: readonly Finding[] = ['identity', 'index', 'images', 'sweep']
/** Seeds of each case: `npm run prove:move` runs many. */
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 4)
const FIRST = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)
const CASES = [
  { name: 'a process that is not killed', isKilled: false, isBehind: false },
  { name: 'processes that are killed', isKilled: true, isBehind: false },
  { name: 'processes that are killed, and replicas that are behind', isKilled: true, isBehind: true }
]

describe.each(FINDINGS)('a copy of a container that is written to (copies are found by: %s)', (finding) => {
  describe.each(CASES)('with $name', ({ isKilled, isBehind }) => {
    // checks L20
    it.each(Array.from({ length: SEEDS }, (_, each) => each + FIRST))(
      'has each document once, in its last version (seed %i)',
      async (seed) => {
        const verdict = await runMove({ seed, finding, isKilled, isBehind })
        const { differences, failures, isFinished, hasLostAnswers } = verdict
        // a write that is applied after its process has ended is found by the comparison before the switch
        const repaired = hasLostAnswers || finding === 'sweep' ? 0 : verdict.repaired
        // a process that starts may read a page again, from a replica that is behind
        const rewound = isBehind ? [] : verdict.rewound
        const seen = { differences, failures, isFinished, repaired, rewound }
        expect(seen).toStrictEqual({ differences: [], failures: [], isFinished: true, repaired: 0, rewound: [] })
      }
    )
  })
})

describe('a copy with documents that meet at one place, and with documents that cannot be copied', () => {
  describe.each(CASES)('with $name', ({ isKilled, isBehind }) => {
    it.each(Array.from({ length: SEEDS }, (_, each) => each + FIRST))(
      'has one document at each place that one should have, and names the others (seed %i)',
      async (seed) => {
        const verdict = await runMove({ seed, finding: 'index', isKilled, isBehind, collides: true })
        const { differences, misjudged, failures, isFinished, hasLostAnswers } = verdict
        // which documents wait for a place is not known any more after a restart
        const repaired = hasLostAnswers || isKilled ? 0 : verdict.repaired
        const seen = { differences, misjudged, failures, isFinished, repaired }
        expect(seen).toStrictEqual({ differences: [], misjudged: [], failures: [], isFinished: true, repaired: 0 })
      }
    )
  })
})
