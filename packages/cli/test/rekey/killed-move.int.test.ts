import { describe, expect, it } from 'vitest'
import { runKilledMove } from './killed-move.ts'

/** Number of moves, and the first seed: `npm run prove:move` runs many. */
const MANY = process.env['KEYSTAMP_MOVES']
const COUNT = Number(MANY ?? 5)
const FIRST = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

describe('a move whose process is killed at random, while an application writes and partitions split', () => {
  it.each(Array.from({ length: COUNT }, (_, index) => FIRST + index))(
    'leaves each acknowledged write in both containers once, and nothing else (seed %i)',
    { concurrent: MANY !== undefined, timeout: 240_000 },
    async (seed) => {
      const { wrong, kills, splits, documents } = await runKilledMove(seed)
      if (MANY !== undefined)
        console.log(`seed ${seed}: ${kills} kills, ${splits} splits, ${documents} documents, ${wrong.length} wrong`)
      expect(wrong).toStrictEqual([])
    }
  )
})
