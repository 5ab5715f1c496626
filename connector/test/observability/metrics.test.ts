import { readFileSync } from 'node:fs'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/observability/metrics.ts'
import { WAIT_REASONS } from '../../src/lifecycle/waits.ts'
import { observed } from './observed.ts'

describe('the text of the metrics', () => {
  it('shows the current numbers at each request', async () => {
    const metrics = createMetrics([observed('running')], () => 10_000)
    await metrics.text()

    const lines = (await metrics.text()).split('\n')

    expect(lines).toContain('keystamp_sink_records_settled_total{sink="fleet",outcome="written"} 7')
    expect(lines).toContain('keystamp_sink_records_rejected_total{sink="fleet",code="DECODE_FAILED"} 2')
    expect(lines).toContain('keystamp_sink_lag_records{sink="fleet",topic="vehicles",partition="3"} 5')
    expect(lines).toContain('keystamp_sink_in_flight_records{sink="fleet"} 2')
    expect(lines).toContain('keystamp_sink_records_redelivered_total{sink="fleet"} 4')
    expect(lines).toContain('keystamp_sink_last_commit_timestamp_seconds{sink="fleet"} 9')
    expect(lines).toContain('keystamp_cosmos_budget_ru_per_second{sink="fleet",container="telemetry"} 400')
    expect(lines).toContain('keystamp_sink_lag_seconds{sink="fleet",topic="vehicles",partition="3"} 4')
    expect(lines).toContain('keystamp_cosmos_request_units_total{sink="fleet",container="telemetry",range="0"} 61.5')
    expect(lines).toContain('keystamp_cosmos_retries_total{sink="fleet",container="telemetry",status="410"} 1')
  })

  it('shows late requests by partition and stage, and 0 for owned partitions without late requests', async () => {
    const lines = (await createMetrics([observed('running')], () => 10_000).text()).split('\n')

    expect(lines).toContain(
      'keystamp_sink_late_requests_total{sink="fleet",topic="vehicles",partition="3",stage="unanswered"} 0'
    )
    expect(lines).toContain(
      'keystamp_sink_late_requests_total{sink="fleet",topic="vehicles",partition="2",stage="written"} 1'
    )
  })

  it('shows every possible reason of a wait', async () => {
    const waits = [
      { reason: 'cosmos', detail: 'container "a": 503', durationMs: 1 },
      { reason: 'cosmos', detail: 'container "b": 503', durationMs: 1 },
      { reason: 'throttled', detail: 'container "c"', durationMs: 1 }
    ] as const
    const lines = (await createMetrics([observed('running', { waits })], () => 10_000).text()).split('\n')

    expect(lines).toContain('keystamp_sink_blocked{sink="fleet",reason="cosmos"} 1')
    expect(lines).toContain('keystamp_sink_blocked{sink="fleet",reason="throttled"} 1')
    expect(lines).toContain('keystamp_sink_blocked{sink="fleet",reason="kafka"} 0')
    expect(lines.filter((line) => line.startsWith('keystamp_sink_blocked{'))).toHaveLength(WAIT_REASONS.length)
  })

  it('keeps the counters of a split physical partition, since rate() would take their end for a reset', async () => {
    const observing = observed('running')
    const [container] = observing.stats().containers
    const [{ pending: _____, queued: _, inFlight: __, concurrency: ___, bytes: ____, ...counters }] = container.ranges
    const containers = [{ ...container, retiredRanges: [{ ...counters, id: '7', chargedRu: 20.5 }] }]
    const lines = (await createMetrics([observed('running', { containers })], () => 10_000).text()).split('\n')

    expect(lines).toContain('keystamp_cosmos_request_units_total{sink="fleet",container="telemetry",range="7"} 20.5')
    expect(lines).toContain('keystamp_cosmos_request_units_total{sink="fleet",container="telemetry",range="0"} 61.5')
    expect(
      lines.some((line) => line.startsWith('keystamp_cosmos_queued_operations') && line.includes('range="7"'))
    ).toBe(false)
    expect(lines).toContain('keystamp_cosmos_request_charge_request_units_sum{sink="fleet",container="telemetry"} 82')
  })

  it('shows why a physical partition is throttled, and the part of its heaviest key', async () => {
    const observing = observed('running')
    const [container] = observing.stats().containers
    const throttled = { ruPerSecond: 9, limitRuPerSecond: 10, containerRuPerSecond: 12, provisionedRuPerSecond: 40 }
    const labels = 'sink="fleet",container="telemetry"'
    const throttledRanges = [
      { ...throttled, range: '3', reason: 'hot-key', heaviestKey: { hash: '3A', share: 0.84 }, explanation: '' },
      { ...throttled, range: '4', reason: 'other-clients', heaviestKey: undefined, explanation: '' }
    ] as const
    const containers = [{ ...container, throttledRanges }]
    const lines = (await createMetrics([observed('running', { containers })], () => 10_000).text()).split('\n')

    expect(lines).toContain(`keystamp_cosmos_throttled{${labels},range="3",reason="hot-key"} 1`)
    expect(lines).toContain(`keystamp_cosmos_throttled{${labels},range="4",reason="other-clients"} 1`)
    expect(lines.filter((line) => line.startsWith('keystamp_cosmos_throttled_key_ratio{'))).toEqual([
      `keystamp_cosmos_throttled_key_ratio{${labels},range="3"} 0.84`
    ])
  })

  it('shows latency, batch size and charge as histograms of each container', async () => {
    const lines = (await createMetrics([observed('running')], () => 10_000).text()).split('\n')
    const labels = 'sink="fleet",container="telemetry"'

    expect(lines).toContain('# TYPE keystamp_cosmos_request_duration_seconds histogram')
    expect(lines).toContain(`keystamp_cosmos_request_duration_seconds_bucket{${labels},le="0.005"} 0`)
    expect(lines).toContain(`keystamp_cosmos_request_duration_seconds_bucket{${labels},le="0.01"} 1`)
    expect(lines).toContain(`keystamp_cosmos_request_duration_seconds_bucket{${labels},le="10"} 1`)
    expect(lines).toContain(`keystamp_cosmos_request_duration_seconds_bucket{${labels},le="+Inf"} 2`)
    expect(lines).toContain(`keystamp_cosmos_request_duration_seconds_sum{${labels}} 12.01`)
    expect(lines).toContain(`keystamp_cosmos_request_duration_seconds_count{${labels}} 2`)
    expect(lines).toContain(`keystamp_cosmos_request_operations_bucket{${labels},le="10"} 2`)
    expect(lines).toContain(`keystamp_cosmos_request_operations_sum{${labels}} 10`)
    expect(lines).toContain(`keystamp_cosmos_request_charge_request_units_bucket{${labels},le="50"} 2`)
    expect(lines).toContain(`keystamp_cosmos_request_charge_request_units_sum{${labels}} 61.5`)
  })

  it('names the version of the program', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      version: string
    }
    const lines = (await createMetrics([observed('running')], () => 10_000).text()).split('\n')

    expect(lines).toContain(`keystamp_build_info{version="${version}",node="${process.version}"} 1`)
  })

  it('gives no metric a name that Prometheus would take for another type', async () => {
    const text = await createMetrics([observed('running')], () => 10_000).text()
    const types = [...text.matchAll(/^# TYPE (keystamp_\w+) (\w+)$/gm)].map(([, name, type]) => ({ name, type }))

    expect(types.length).toBeGreaterThan(25)
    for (const { name, type } of types)
      expect(`${name} ${name.endsWith('_total')}`).toBe(`${name} ${type === 'counter'}`)
    expect(types.filter(({ name }) => /_age_|_bucket$|_sum$|_count$/.test(name))).toEqual([])
  })
})

describe('the metrics of a writer', () => {
  let emulator: Emulator
  let writer: Writer

  beforeEach(async () => {
    emulator = await startEmulator({ auth: 'off', ruPerSecond: 1_000_000, ranges: 4 })
    await post('dbs', { id: 'db' })
    await post('dbs/db/colls', { id: 'c', partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 } })
    writer = await createWriter({ endpoint: emulator.endpoint, key: emulator.key, database: 'db', container: 'c' })
  })

  afterEach(async () => {
    await writer.close(0)
    await emulator.stop()
  })

  it('never fall and never disappear while physical partitions are split, histograms included', async () => {
    const sink = {
      name: 'fleet',
      stats: () => ({
        ...observed('running').stats(),
        containers: [{ container: 'c', withoutImage: 0, ...writer.stats() }]
      })
    }
    const metrics = createMetrics([sink], () => 10_000)
    const falls: string[] = []
    let before = cumulativeOf(await metrics.text())

    for (let round = 0; round < 2; round++) {
      await Promise.all([emulator.split('db', 'c', writer.stats().ranges[0].id), ...upserts(round)])
      // the first requests after the split refresh the ranges of the writer
      await Promise.all(upserts(round))
      const now = cumulativeOf(await metrics.text())
      for (const [series, value] of before)
        if ((now.get(series) ?? -1) < value) falls.push(`${series}: ${value} to ${now.get(series)}`)
      before = now
    }

    expect(falls).toEqual([])
    expect(writer.stats().retiredRanges.length).toBeGreaterThan(0)
    expect(sumOf(before, 'keystamp_cosmos_requests_total{')).toBe(
      sumOf(before, 'keystamp_cosmos_request_duration_seconds_count{')
    )
    expect(sumOf(before, 'keystamp_cosmos_request_units_total{')).toBeCloseTo(
      sumOf(before, 'keystamp_cosmos_request_charge_request_units_sum{')
    )
  })

  function upserts(round: number): readonly Promise<unknown>[] {
    return Array.from({ length: 200 }, (_, n) => writer.upsert({ id: `d${n}`, pk: `k${n}`, round }))
  }

  async function post(path: string, body: object): Promise<void> {
    expect((await fetch(emulator.endpoint + path, { method: 'POST', body: JSON.stringify(body) })).status).toBe(201)
  }
})

/** Counters and the series of histograms by name and labels. */
function cumulativeOf(text: string): ReadonlyMap<string, number> {
  return new Map(
    [...text.matchAll(/^(keystamp_\w+(?:_total|_bucket|_sum|_count)\{[^}]*\}) (\S+)$/gm)].map(([, series, value]) => [
      series,
      Number(value)
    ])
  )
}

function sumOf(series: ReadonlyMap<string, number>, beginning: string): number {
  return [...series].filter(([name]) => name.startsWith(beginning)).reduce((sum, [, value]) => sum + value, 0)
}
