import { describe, expect, it } from 'vitest'
import { runWorkers } from './simulation/run-workers.ts'

/** Seeds: `npm run prove:move` runs many. */
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 2)
const FIRST = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

describe('workers that share a move', () => {
  it.each(seeds(SEEDS))('give the same result, however many they are (seed %i)', async (seed) => {
    const verdicts = []
    for (const workers of [1, 2, 4]) verdicts.push(await runWorkers({ seed, workers, isDisturbed: false }))

    for (const { lost, failures, isFinished, repaired } of verdicts)
      expect({ lost, failures, isFinished, repaired }).toStrictEqual(GOOD)
    const [one, ...others] = verdicts
    for (const { documents } of others) expect(documents).toStrictEqual(one.documents)
    expect(verdicts.map(({ copying }) => Math.min(3, copying))).toStrictEqual([1, 2, 3])
  })

  it.each(seeds(SEEDS))('copy back together (seed %i)', async (seed) => {
    const verdict = await runWorkers({ seed, workers: 2, isDisturbed: false, returns: true })
    const { lost, failures, isFinished, repaired, copyingBack, stragglers } = verdict
    const seen = { lost, failures, isFinished, repaired, copyingBack, stragglers }
    expect(seen).toStrictEqual({ ...GOOD, copyingBack: 2, stragglers: 0 })
  })

  describe.each([
    { workers: 2, count: Math.max(4, SEEDS) },
    { workers: 3, count: SEEDS },
    { workers: 4, count: SEEDS }
  ])('of which one ends, and one stands still ($workers workers)', ({ workers, count }) => {
    // checks L22
    it.each(seeds(count))('lose no write of the application (seed %i)', async (seed) => {
      const verdict = await runWorkers({ seed, workers, isDisturbed: true, returns: true })
      const { lost, failures, isFinished, hasLateRequests, stragglers } = verdict
      // a request that is applied after the lease of its sender is found by the comparison before the switch
      const repaired = hasLateRequests ? 0 : verdict.repaired
      expect({ lost, failures, isFinished, repaired, stragglers }).toStrictEqual({ ...GOOD, stragglers: 0 })
      expect(Math.min(verdict.kills, verdict.freezes)).toBeGreaterThan(0)
    })
  })
  // plans that read other fields have odd seeds
  describe.each(seeds(2 * SEEDS).filter((seed) => seed % 2 === 1))('without previous images (seed %i)', (seed) => {
    it.each([
      ['one ends, and one stands still', { workers: 3, isDisturbed: true }],
      ['all copy back', { workers: 2, isDisturbed: false, returns: true }]
    ])('lose no write, although none has the index of another one (%s)', async (_name, run) => {
      const { lost, failures, isFinished } = await runWorkers({ seed, hasPreviousImages: false, ...run })
      expect({ lost, failures, isFinished }).toStrictEqual({ lost: [], failures: [], isFinished: true })
    })
  })

  describe.each([
    { workers: 2, count: Math.max(4, SEEDS) },
    { workers: 4, count: SEEDS }
  ])('with a fence, of which one ends, and one stands still ($workers workers)', ({ workers, count }) => {
    // checks L22
    it.each(seeds(count))('bring back no deleted document, and leave no marker (seed %i)', async (seed) => {
      const verdict = await runWorkers({ seed, workers, isDisturbed: true, returns: true, isFenced: true })
      const { lost, failures, isFinished, repaired, stragglers } = verdict
      expect({ lost, failures, isFinished, repaired, stragglers }).toStrictEqual({ ...GOOD, stragglers: 0 })
    })
  })
})

const GOOD = { lost: [], failures: [], isFinished: true, repaired: 0 }

function seeds(count: number): readonly number[] {
  return Array.from({ length: count }, (_, each) => each + FIRST)
}
