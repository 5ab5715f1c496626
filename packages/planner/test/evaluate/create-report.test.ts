import { createPlan } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { createRandom, parseWorkload } from '../../src/index.ts'
import { NOW, reportOn } from './report-on.ts'

function telemetry(count: number): readonly object[] {
  const random = createRandom(7)
  return Array.from({ length: count }, (_, index) => ({
    id: `r-${index}`,
    deviceId: `d-${Math.floor(random() * 5000)}`,
    fleetId: `f-${Math.floor(random() * 20)}`,
    date: '2026-01-01',
    value: random()
  }))
}

function tenants(count: number): readonly object[] {
  const random = createRandom(9)
  return Array.from({ length: count }, (_, index) => ({
    id: `o-${index}`,
    tenant: random() < 0.4 ? 'tenant-0' : `tenant-${1 + Math.floor(random() * 2000)}`,
    order: `order-${Math.floor(random() * 100_000)}`
  }))
}

describe('the report of the planner', { timeout: 120_000 }, () => {
  it('states that no synthetic key is needed if a single field is a good enough key for the load', () => {
    const { verdict, partitions, candidates, recipe } = reportOn(
      telemetry(20_000),
      parseWorkload({ writes: '3000/s', ttl: '6h', itemSize: '1KB', queries: ['deviceId @ 20/s'] })
    )

    expect(verdict).toMatchObject({ kind: 'adopt', candidate: '/deviceId' })
    expect(verdict.sentence).toContain('no synthetic key is needed')
    expect(partitions!.count).toBeLessThan(4)
    expect(candidates[0].usableShare!.mid).toBeGreaterThan(0.85)
    expect(candidates[0].queries).toMatchObject([{ kind: 'key', ranges: 1 }])
    expect(recipe!.plan).toBeNull()
    expect(recipe!.container.bicep).toContain("paths: [ '/deviceId' ]")
  })

  it('proposes suffixes for the largest tenant only, and a plan that compiles', () => {
    const { candidates } = reportOn(
      tenants(20_000),
      parseWorkload({ writes: '5000/s', ttl: '6h', itemSize: '1KB', queries: ['tenant @ 50/s'] })
    )

    const hot = candidates.find(({ plan }) => plan !== null && JSON.stringify(plan).includes('"hot":{"tenant-0"'))!
    const plain = candidates.find(({ name }) => name === '/tenant')!
    expect(createPlan(hot.plan!).keysFor({ tenant: 'tenant-1' })).toHaveLength(1)
    expect(hot.neededRuPerSecond!).toBeGreaterThan(0)
    // one tenant alone needs more than a physical partition serves
    expect(plain.neededRuPerSecond).toBeNull()
    expect(plain.hardLimits.join()).toContain('10,000 RU/s')
  })

  it('states that the key does not matter for the load if one physical partition is enough', () => {
    const { verdict, partitions } = reportOn(
      telemetry(500),
      parseWorkload({ writes: '5/s', items: 500, ttl: 'never', pointReads: '50/s', queries: ['id @ 20/s'] })
    )

    expect(verdict.kind).toBe('either')
    expect(verdict.sentence).toContain('the key does not matter for the load')
    expect(partitions).toMatchObject({ count: 1, decidedBy: 'one' })
  })

  it('recommends letting documents with a short time to live expire instead of copying them to a new container', () => {
    const { verdict, candidates } = reportOn(
      telemetry(20_000),
      parseWorkload({
        writes: '3000/s',
        ttl: '6h',
        itemSize: '1KB',
        presentKey: '/date',
        queries: ['deviceId @ 20/s']
      })
    )

    expect(verdict).toMatchObject({ kind: 'expire', candidate: '/deviceId' })
    expect(verdict.sentence).toContain('Do not copy')
    expect(candidates.find(({ name }) => name.startsWith('/date (present'))!.hardLimits).not.toEqual([])
  })

  it('rates a date as a key by the load of one day, although the dates of a month spread over all partitions', () => {
    const random = createRandom(5)
    const month = telemetry(3000).map((record) => {
      const at = new Date(NOW + random() * 30 * 86_400_000).toISOString()
      return { ...record, at, date: at.slice(0, 10) }
    })
    const { verdict, candidates } = reportOn(
      month,
      parseWorkload({ writes: '3000/s', ttl: '1d', itemSize: '1KB', timeField: 'at', presentKey: '/date' })
    )

    const date = candidates.find(({ name }) => name === '/date (present key)')!
    expect(verdict.candidate).toBe('/deviceId')
    expect(date.usableShare!.mid).toBeLessThan(0.2)
    expect(date.warnings.join()).toContain('The keys depend on the time')
    expect(date.hardLimits.join()).toContain('No throughput is enough for the load')
  })

  it('recommends keeping the present key if no other key is more than 3 % cheaper', () => {
    const { verdict, recipe } = reportOn(
      telemetry(20_000),
      parseWorkload({ writes: '3000/s', ttl: '6h', itemSize: '1KB', presentKey: '/deviceId' })
    )

    expect(verdict).toMatchObject({ kind: 'keep', candidate: '/deviceId (present key)' })
    expect(recipe!.steps[0]).toMatch(
      /^Keep the container\. With \d+ physical partitions, the load needs [\d,]+ RU\/s\.$/
    )
  })

  it('has no price and no recipe if no load is given', () => {
    const { verdict, recipe, candidates } = reportOn(telemetry(500), parseWorkload({}))

    expect(verdict.kind).toBe('unknown')
    expect(recipe).toBeNull()
    expect(
      candidates.every(({ monthlyPrice, neededRuPerSecond }) => monthlyPrice === null && neededRuPerSecond === null)
    ).toBe(true)
    expect(candidates[0].unknown).toMatchObject({ neededRuPerSecond: 'no writes, point reads or queries were given' })
  })

  it('shows the partitions for several retention periods if none was given', () => {
    const { retention, assumptions } = reportOn(
      telemetry(2000),
      parseWorkload({ writes: '5000/s', itemSize: '1KB', queries: ['deviceId @ 20/s'] })
    )

    expect(retention.map(({ days }) => days)).toEqual([1, 7, 30, 365])
    expect(retention[2].partitions!).toBeGreaterThan(retention[0].partitions!)
    expect(assumptions[0].what).toContain('--ttl')
  })

  it('refuses a key under which the documents of one transaction have different keys', () => {
    const records = telemetry(3000).map((record, index) => ({ ...record, cart: `c-${Math.floor(index / 3)}` }))
    const { candidates } = reportOn(
      records,
      parseWorkload({ writes: '5000/s', ttl: '1d', itemSize: '1KB', transactions: ['cart'] })
    )

    expect(candidates.find(({ name }) => name === '/id')!.hardLimits.join()).toContain('transactions')
    expect(candidates[0].name).toBe('/cart')
  })

  it('equals its copy after JSON.stringify and JSON.parse', () => {
    const report = reportOn(telemetry(500), parseWorkload({ writes: '100/s', ttl: '1d' }))

    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })
})
