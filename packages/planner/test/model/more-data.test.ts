import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distinctKeys } from '../../src/model/distinct-keys.ts'
import { createProfiler, createRandom } from '../../src/index.ts'

// checks L18
test('the lower bound of distinct keys never falls below the number of keys that were seen, however many records follow', () => {
  const keys = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 2, maxLength: 200 })
  fc.assert(
    fc.property(keys, fc.integer({ min: 200, max: 1_000_000 }), (values, population) => {
      const candidates = [{ name: '/a', plan: null, partitionKeyPaths: ['/a'] }]
      const profiler = createProfiler({ candidates, fields: [], random: createRandom(1) })
      const seen = new Set<number>()
      for (const value of values) {
        profiler.add(Buffer.from(`{"a":${value}}`))
        seen.add(value)
        const { low } = distinctKeys(profiler.peek(0)!, { method: 'uniform', population })
        expect(low).toBeGreaterThanOrEqual(seen.size)
      }
    }),
    { numRuns: 30 }
  )
})
