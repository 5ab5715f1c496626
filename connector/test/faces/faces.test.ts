import { afterEach, describe, expect, it } from 'vitest'
import { liveness, readiness } from '../../src/faces/health.ts'
import { type HttpFace, openHttpFace } from '../../src/faces/http-face.ts'
import { createLog } from '../../src/faces/log.ts'
import { createMetrics } from '../../src/faces/metrics.ts'
import type { Sink } from '../../src/sink.ts'
import type { SinkStats } from '../../src/sink-stats.ts'

type Observed = Pick<Sink, 'name' | 'state' | 'stats'>

describe('health', () => {
  it('is alive and ready while it runs, and says so', () => {
    const sink = observed('running')

    expect(liveness([sink])).toEqual({ isOk: true, sinks: [{ name: 'fleet', state: 'running', reason: 'It takes records.' }] })
    expect(readiness([sink]).isOk).toBe(true)
  })

  it('is alive and ready while it waits, with the reason', () => {
    const sink = observed('running', { waitingFor: 'request units' })

    expect(liveness([sink]).isOk).toBe(true)
    expect(readiness([sink])).toMatchObject({ isOk: true, sinks: [{ reason: 'It waits for request units.' }] })
  })

  it('stops being ready before it stops being alive', () => {
    expect(readiness([observed('draining')]).isOk).toBe(false)
    expect(liveness([observed('draining')]).isOk).toBe(true)
  })

  it('is neither when one of its sinks has failed', () => {
    const sinks = [observed('running'), observed('failed')]

    expect(liveness(sinks).isOk).toBe(false)
    expect(readiness(sinks).isOk).toBe(false)
  })
})

describe('the http face', () => {
  let face: HttpFace | undefined

  afterEach(() => face?.close())

  it('answers probes by status and in words, and Prometheus in its format', async () => {
    let state: Sink['state'] = 'running'
    const sink: Observed = {
      ...observed('running'),
      get state() {
        return state
      }
    }
    const metrics = createMetrics([sink], () => 10_000)
    face = await openHttpFace({ host: '127.0.0.1', port: 0, live: () => liveness([sink]), ready: () => readiness([sink]), metrics })

    expect((await fetch(`${face.url}/livez`)).status).toBe(200)
    expect((await fetch(`${face.url}/readyz`)).status).toBe(200)
    state = 'draining'
    expect((await fetch(`${face.url}/readyz`)).status).toBe(503)
    const answer = await fetch(`${face.url}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toContain('keystamp_sink_records_received_total{sink="fleet"} 12')
    expect((await fetch(`${face.url}/other`)).status).toBe(404)
  })

  it('says what is wrong with a port that is taken', async () => {
    const options = { host: '127.0.0.1', live: () => liveness([]), ready: () => readiness([]), metrics: createMetrics([], Date.now) }
    face = await openHttpFace({ ...options, port: 0 })
    const port = Number(new URL(face.url).port)

    await expect(openHttpFace({ ...options, port })).rejects.toThrow(`\`http\`: 127.0.0.1:${port} cannot be listened on (EADDRINUSE).`)
  })
})

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
})

describe('the log', () => {
  it('writes one line of JSON for each thing that happened, named by its sink', () => {
    const lines: string[] = []
    const log = createLog({ level: 'info' }, { write: (line) => void lines.push(line) }).forSink('fleet')

    log.warn({ code: 'KAFKA_UNAVAILABLE' }, 'Kafka does not answer.')

    expect(JSON.parse(lines[0])).toMatchObject({ level: 'warn', sink: 'fleet', code: 'KAFKA_UNAVAILABLE', msg: 'Kafka does not answer.' })
  })
})

function observed(state: Sink['state'], changes: Partial<SinkStats> = {}): Observed {
  const stats: SinkStats = {
    state,
    received: 12,
    receivedBytes: 1200,
    written: 7,
    unchanged: 1,
    ignored: 0,
    skipped: 0,
    rejected: { DECODE_FAILED: 2 },
    open: 2,
    openBytes: 200,
    partitions: [{ topic: 'vehicles', partition: 3, lag: 5, open: 2, openBytes: 200, isPaused: false, settledTimestampMs: 6000 }],
    containers: [CONTAINER],
    pauses: 0,
    commits: 3,
    commitAgeMs: 1000,
    heartbeatAgeMs: 100,
    waitingFor: undefined,
    ...changes
  }
  return { name: 'fleet', state, stats: () => stats }
}

const RANGE = {
  id: '0',
  chargedRu: 61.5,
  batches: 2,
  operations: 10,
  throttledOperations: 0,
  throttledBatches: 0,
  superseded: 0,
  settled: 10,
  queued: 0,
  inFlight: 1,
  concurrency: 4,
  bytes: 0,
  fill: [],
  latency: [],
  retries: {}
}

const CONTAINER = {
  container: 'telemetry',
  written: 7,
  unchanged: 1,
  rejected: 0,
  budgetRuPerSecond: 400,
  budgetUnknown: undefined,
  bytesInRoom: 0,
  roomBytes: 1000,
  busyRanges: 0,
  chargedRu: 61.5,
  batches: 2,
  operations: 10,
  throttledOperations: 0,
  superseded: 0,
  retries: { 410: 1 },
  ranges: [RANGE]
} as const
