import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  liveness,
  type ObservabilityServer,
  openObservabilityServer,
  readiness
} from '../../src/observability/http-server.ts'
import { createMetrics } from '../../src/observability/metrics.ts'
import type { Sink } from '../../src/sink.ts'
import { type Observed, observed } from './observed.ts'

describe('the HTTP server of a process', () => {
  let server: ObservabilityServer | undefined

  afterEach(() => server?.close())

  it('answers probes with a status and a reason, and requests of Prometheus in its format', async () => {
    let state: Sink['state'] = 'running'
    const sink: Observed = {
      ...observed('running'),
      get state() {
        return state
      }
    }
    const metrics = createMetrics([sink], () => 10_000)
    server = await openObservabilityServer({
      host: '127.0.0.1',
      port: 0,
      live: () => liveness([sink]),
      ready: () => readiness([sink]),
      metrics
    })

    expect((await fetch(`${server.url}/livez`)).status).toBe(200)
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
    state = 'draining'
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    const answer = await fetch(`${server.url}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    expect(await answer.text()).toContain('keystamp_sink_records_received_total{sink="fleet"} 12')
    expect((await fetch(`${server.url}/other`)).status).toBe(404)
  })

  it('reports a port that is already in use', async () => {
    const options = {
      host: '127.0.0.1',
      live: () => liveness([]),
      ready: () => readiness([]),
      metrics: createMetrics([], Date.now)
    }
    server = await openObservabilityServer({ ...options, port: 0 })
    const port = Number(new URL(server.url).port)

    await expect(openObservabilityServer({ ...options, port })).rejects.toThrow(
      `\`http\`: cannot listen on 127.0.0.1:${port} (EADDRINUSE).`
    )
  })

  it('answers GET and HEAD only', async () => {
    server = await open()
    const { url } = server
    const statuses = await Promise.all(
      ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].map(
        async (method) => `${method} ${(await fetch(`${url}/livez`, { method })).status}`
      )
    )

    expect(statuses).toEqual(['GET 200', 'HEAD 200', 'POST 405', 'PUT 405', 'DELETE 405', 'OPTIONS 405'])
    expect((await fetch(`${url}/livez`, { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD')
    expect(await rawAnswer(url, 'TRACE /livez HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1\.1 405 /)
  })

  it('keeps at most 100 connections', async () => {
    server = await open()
    const { port } = new URL(server.url)
    const sockets = Array.from({ length: 150 }, () => connect(Number(port), '127.0.0.1'))
    let closed = 0
    for (const socket of sockets) {
      socket.on('error', () => undefined)
      socket.on('close', () => closed++)
    }
    await expect.poll(() => closed, { timeout: 4000 }).toBe(50)

    for (const socket of sockets) socket.destroy()
  })

  it(
    'closes a connection that sends no complete header for 5 seconds, and answers other connections meanwhile',
    { timeout: 15_000 },
    async () => {
      server = await open()
      const { port } = new URL(server.url)
      const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /livez HTTP/1.1\r\nHost: x\r\n'))
      const begin = performance.now()
      const ended = once(socket.resume(), 'close')
      expect((await fetch(`${server.url}/livez`)).status).toBe(200)

      await ended

      expect(performance.now() - begin).toBeGreaterThan(4000)
    }
  )
})

function open(): Promise<ObservabilityServer> {
  const sinks = [observed('running')]
  return openObservabilityServer({
    host: '127.0.0.1',
    port: 0,
    live: () => liveness(sinks),
    ready: () => readiness(sinks),
    metrics: createMetrics(sinks, Date.now)
  })
}

async function rawAnswer(url: string, request: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(request))
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString()
}
