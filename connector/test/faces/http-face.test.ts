import { afterEach, describe, expect, it } from 'vitest'
import { liveness, readiness } from '../../src/faces/health.ts'
import { type HttpFace, openHttpFace } from '../../src/faces/http-face.ts'
import { createMetrics } from '../../src/faces/metrics.ts'
import type { Sink } from '../../src/sink.ts'
import { type Observed, observed } from './observed.ts'

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
