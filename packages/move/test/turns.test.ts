import { describe, expect, it } from 'vitest'
import { runTurns } from './simulation/run-turns.ts'

/** Seeds of each case: `npm run prove:move` runs many. */
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 4)
const FIRST = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

describe.each(['identity', 'fields'] as const)('a move that is switched and returned at random (basis %s)', (basis) => {
  describe.each([
    { name: 'not killed', isKilled: false },
    { name: 'killed at any moment', isKilled: true }
  ])('and $name', ({ isKilled }) => {
    // checks L20
    it.each(Array.from({ length: SEEDS }, (_, each) => each + FIRST))(
      'loses no write of the application, and leaves both containers with its documents (seed %i)',
      async (seed) => {
        const verdict = await runTurns({ seed, basis, isKilled })
        const { lost, failures, isFinished, hasLostAnswers } = verdict
        // a write that is applied late is found by the comparison before the switch
        const repaired = hasLostAnswers ? 0 : verdict.repaired
        const seen = { lost, failures, isFinished, repaired }
        expect(seen).toStrictEqual({ lost: [], failures: [], isFinished: true, repaired: 0 })
      }
    )
  })
})

describe.each(['identity', 'fields'] as const)('a move that finds deletes by comparisons only (basis %s)', (basis) => {
  // checks L20
  it.each(Array.from({ length: SEEDS }, (_, each) => each + FIRST))(
    'is switched and returned although its process is killed at any moment, and loses no write (seed %i)',
    async (seed) => {
      const { lost, failures, isFinished } = await runTurns({ seed, basis, isKilled: true, isSwept: true })
      expect({ lost, failures, isFinished }).toStrictEqual({ lost: [], failures: [], isFinished: true })
    }
  )
})

describe.each(['identity', 'fields'] as const)('a move that finds deletes by comparisons only (basis %s)', (basis) => {
  // checks L20
  it.each(Array.from({ length: SEEDS }, (_, each) => each + FIRST))(
    'is switched while the application deletes all the time, and loses no write (seed %i)',
    async (seed) => {
      const { lost, failures, isFinished } = await runTurns({ seed, basis, isKilled: false, isSwept: true })
      expect({ lost, failures, isFinished }).toStrictEqual({ lost: [], failures: [], isFinished: true })
    }
  )
})
