import type { PlanDefinition } from '@keystamp/core'
import { expect, it } from 'vitest'
import { planCandidate } from '../../src/candidates/candidate.ts'
import { withHotShares } from '../../src/candidates/hot-shares.ts'
import { routeQuery } from '../../src/queries/route.ts'
import { createProfiler } from '../../src/sample/profiler.ts'
import { createRandom } from '../../src/sample/random.ts'

const plan: PlanDefinition = {
  into: '/pk',
  from: [{ field: '/region' }, { field: '/tenant' }],
  suffix: { by: '/id', count: 1, labels: 'even', hot: { 'tenant-0': 4 }, on: 2 }
}

it('a key plan with hot values gets their shares from the counted keys', () => {
  const candidate = planCandidate('plan.json', plan)
  const profiler = createProfiler({ candidates: [candidate], fields: [], random: createRandom(1) })
  const encoder = new TextEncoder()
  for (let id = 0; id < 1000; id++) {
    const tenant = id % 5 < 2 ? 'tenant-0' : `tenant-${1 + (id % 50)}`
    profiler.add(encoder.encode(JSON.stringify({ id: `r-${id}`, region: 'eu', tenant })))
  }
  const counted = withHotShares(candidate, profiler.finish().keys[0]!)

  expect(counted.levels[0].suffix!.hot).toEqual([{ value: 'tenant-0', count: 4, share: expect.closeTo(0.4, 9) }])
  const query = { name: 'q', perSecond: 1, equal: ['/region', '/tenant'], between: [], byId: false, rows: 1 }
  // 0.4 x 4 partitions and 0.6 x 1 partition
  expect(routeQuery(query, counted, 20).ranges).toBeCloseTo(2.2, 9)
})

it('a key without hot values stays as it is', () => {
  const candidate = planCandidate('plan.json', { into: '/pk', from: [{ field: '/region' }] })

  expect(withHotShares(candidate, {} as never)).toBe(candidate)
})
