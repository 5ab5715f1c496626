import { describe, expect, it } from 'vitest'
import { createMetrics } from '../../src/observability/metrics.ts'
import { WAIT_REASONS } from '../../src/lifecycle/waits.ts'
import { observed } from './observed.ts'

describe('metrics', () => {
  it('shows the numbers of the moment, however often they are asked for', async () => {
    const metrics = createMetrics([observed('running')], () => 10_000)
    await metrics.text()

    const lines = (await metrics.text()).split('\n')

    expect(lines).toContain('keystamp_sink_records_settled_total{sink="fleet",outcome="written"} 7')
    expect(lines).toContain('keystamp_sink_records_rejected_total{sink="fleet",code="DECODE_FAILED"} 2')
    expect(lines).toContain('keystamp_sink_lag_records{sink="fleet",topic="vehicles",partition="3"} 5')
    expect(lines).toContain('keystamp_sink_lag_seconds{sink="fleet",topic="vehicles",partition="3"} 4')
    expect(lines).toContain('keystamp_cosmos_request_units_total{sink="fleet",container="telemetry",range="0"} 61.5')
    expect(lines).toContain('keystamp_cosmos_retries_total{sink="fleet",container="telemetry",status="410"} 1')
  })

  it('shows late requests by partition and stage, and owned partitions without one from the beginning', async () => {
    const lines = (await createMetrics([observed('running')], () => 10_000).text()).split('\n')

    expect(lines).toContain('keystamp_sink_late_requests_total{sink="fleet",topic="vehicles",partition="3",stage="unanswered"} 0')
    expect(lines).toContain('keystamp_sink_late_requests_total{sink="fleet",topic="vehicles",partition="2",stage="written"} 1')
  })

  it('shows each reason of a wait from a bounded set', async () => {
    const waits = [
      { reason: 'cosmos', detail: 'container "a": 503', durationMs: 1 },
      { reason: 'cosmos', detail: 'container "b": 503', durationMs: 1 },
      { reason: 'throttled', detail: 'container "c"', durationMs: 1 }
    ] as const
    const lines = (await createMetrics([observed('running', { waits })], () => 10_000).text()).split('\n')

    expect(lines).toContain('keystamp_sink_waiting{sink="fleet",reason="cosmos"} 1')
    expect(lines).toContain('keystamp_sink_waiting{sink="fleet",reason="throttled"} 1')
    expect(lines).toContain('keystamp_sink_waiting{sink="fleet",reason="kafka"} 0')
    expect(lines.filter((line) => line.startsWith('keystamp_sink_waiting{'))).toHaveLength(WAIT_REASONS.length)
  })

  it('keeps the counters of a physical partition that was split, which rate() would take for a reset', async () => {
    const observing = observed('running')
    const [container] = observing.stats().containers
    const [{ queued: _, inFlight: __, concurrency: ___, bytes: ____, ...counters }] = container.ranges
    const containers = [{ ...container, retiredRanges: [{ ...counters, id: '7', chargedRu: 20.5 }] }]
    const lines = (await createMetrics([observed('running', { containers })], () => 10_000).text()).split('\n')

    expect(lines).toContain('keystamp_cosmos_request_units_total{sink="fleet",container="telemetry",range="7"} 20.5')
    expect(lines).toContain('keystamp_cosmos_request_units_total{sink="fleet",container="telemetry",range="0"} 61.5')
    expect(lines.some((line) => line.startsWith('keystamp_cosmos_queued_operations') && line.includes('range="7"'))).toBe(false)
  })
})
