import { createPlan } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createRandom, parseWorkload } from '../../src/index.ts'
import { reportOn } from './report-on.ts'

const RECORDS = 6000
const START = Date.UTC(2026, 0, 1)

describe('the verdict of the planner', { timeout: 120_000 }, () => {
  it('for telemetry at 5,000 writes a second is the device as the key, without a synthetic key', () => {
    const { verdict, partitions, candidates } = reportOn(
      telemetry(),
      parseWorkload({
        writes: { rate: '5000/s', operation: 'create' },
        items: '3B',
        itemSize: '1KB',
        ttl: '7d',
        timeField: 'at',
        queries: ['deviceId, at=day @ 20/s', 'fleetId, at=hour @ 2/s']
      })
    )

    expect(verdict).toMatchObject({ kind: 'adopt', candidate: '/deviceId' })
    expect(verdict.sentence).toMatch(
      /^Use \/deviceId as the partition key: no synthetic key is needed; the load can use 9\d %/
    )
    // 5,000 x 1 KB x 7 days, and 40 GB for each of 76 physical partitions
    expect(partitions!.gb).toBe(3024)
    expect(partitions!.count).toBeOneOf([76, 77, 78])
    // the day of a record is a key that one physical partition takes all writes of
    const day = candidates.find(({ name }) => name === 'day of /at')!
    expect(day.effectiveKeys!.hour!.median).toBeLessThan(2)
    expect(day.physicalPartitions).toBeNull()
  })

  it('for tenants of which one has 40 % of the data is the tenant as the key, with suffixes only for this tenant', () => {
    const { verdict, recipe, candidates } = reportOn(
      orders(),
      parseWorkload({
        writes: { rate: '5000/s', operation: 'create' },
        items: '3B',
        itemSize: '1KB',
        ttl: '7d',
        queries: ['tenantId @ 500/s', 'tenantId, orderId @ 100/s']
      })
    )

    expect(verdict.kind).toBe('adopt')
    expect(verdict.sentence).toMatch(
      /^Use \/tenantId \+ up to \d+ suffixes by \/orderId for the largest value as the partition key; .* the price is \d+ % lower than with \/orderId\.$/
    )
    const plan = createPlan(recipe!.plan!)
    expect(plan.keysFor({ tenantId: 'tenant-1' })).toHaveLength(1)
    expect(plan.keysFor({ tenantId: 'tenant-0' }).length).toBeGreaterThan(10)
    expect(candidates.find(({ name }) => name === '/tenantId')!.whyNot).toMatch(
      /^The largest key would have 1,2\d\d GB/
    )
  })

  it('for a container whose key is good is to keep it, with the numbers of partitions that splits can give it', () => {
    const workload = parseWorkload({
      writes: { rate: '5000/s', operation: 'create' },
      items: '50M',
      itemSize: '1KB',
      presentKey: ['deviceId']
    })
    const { verdict, partitions, recipe } = reportOn(telemetry(), {
      ...workload,
      presentContainer: { partitions: 3, ruPerSecond: 20_000 }
    })

    expect(verdict).toMatchObject({ kind: 'keep', candidate: '/deviceId (present key)' })
    expect(partitions!.count).toBe(6)
    expect(recipe!.steps[0]).toMatch(/^Raise the throughput to [\d,]+ RU\/s, and wait for the splits, .* 6 physical/)
    expect(recipe!.steps.join(' ')).toContain('Keep the container. With 6 physical partitions, the load needs ')
  })

  it('for a small catalog is the id, since the key does not matter for the load of one physical partition', () => {
    const { verdict, partitions } = reportOn(
      catalog(),
      parseWorkload({ items: 5000, writes: '1/s', ttl: 'never', queries: ['id @ 300/s', 'category @ 5/s'] })
    )

    expect(verdict).toEqual({
      kind: 'either',
      candidate: '/id',
      sentence:
        'One physical partition is enough, so the key does not matter for the load, and no synthetic key is needed: /id is the simplest key that fits the queries.'
    })
    expect(partitions).toMatchObject({ count: 1, decidedBy: 'one', ruPerSecond: 400 })
  })

  it('for a container with the key /date whose documents expire in two weeks is to let them expire, not to copy them', () => {
    const { verdict, candidates } = reportOn(
      telemetry(),
      parseWorkload({
        writes: { rate: '5000/s', operation: 'create' },
        items: '6B',
        itemSize: '1KB',
        ttl: '14d',
        presentKey: '/date',
        queries: ['deviceId @ 20/s']
      })
    )

    expect(verdict).toMatchObject({ kind: 'expire', candidate: '/deviceId' })
    expect(verdict.sentence).toMatch(
      /^Do not copy the documents: write to a new container with the key \/deviceId and to the present container, and let the old documents expire after 14 days; in the new container, the load can use \d+ %/
    )
    expect(candidates.find(({ name }) => name === '/date (present key)')!.hardLimits.join()).toContain('20 GB')
  })

  it('for a container with the key /date whose documents do not expire is to move them', () => {
    const { verdict } = reportOn(
      telemetry(),
      parseWorkload({
        writes: '5000/s',
        items: '6B',
        itemSize: '1KB',
        ttl: 'never',
        presentKey: '/date',
        queries: ['deviceId @ 20/s']
      })
    )

    expect(verdict).toMatchObject({ kind: 'adopt', candidate: '/deviceId' })
  })
})

function telemetry(): readonly object[] {
  const random = createRandom(7)
  return Array.from({ length: RECORDS }, (_, index) => {
    const at = new Date(START + index * 14_400).toISOString()
    return {
      id: `r-${index}`,
      deviceId: `d-${Math.floor(random() * 50_000)}`,
      fleetId: `f-${Math.floor(random() * 20)}`,
      at,
      date: at.slice(0, 10),
      value: random()
    }
  })
}

function orders(): readonly object[] {
  const random = createRandom(9)
  return Array.from({ length: RECORDS }, (_, index) => ({
    id: `i-${index}`,
    tenantId: random() < 0.4 ? 'tenant-0' : `tenant-${1 + Math.floor(random() * 2000)}`,
    orderId: `order-${Math.floor(random() * 5000)}`
  }))
}

function catalog(): readonly object[] {
  return Array.from({ length: 5000 }, (_, index) => ({
    id: `p-${index}`,
    category: `c-${index % 40}`,
    title: `Product ${index}`
  }))
}
