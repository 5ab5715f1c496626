import { describe, expect, it } from 'vitest'
import { runKilledMove } from './killed-move.ts'

/** `npm run prove:move` runs many. */
const SEEDS = [1, 2, 4, 5, 8]

describe.concurrent('a move whose process is killed at random, while an application writes and partitions split', () => {
  it.each(SEEDS)(
    'leaves each acknowledged write in both containers once, and nothing else (seed %i)',
    { timeout: 240_000 },
    async (seed) => {
      const { wrong } = await runKilledMove(seed)
      expect(wrong).toStrictEqual([])
    }
  )
})
