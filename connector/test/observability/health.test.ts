import { describe, expect, it } from 'vitest'
import { liveness, readiness } from '../../src/observability/http-server.ts'
import { observed } from './observed.ts'

describe('a process of sinks', () => {
  it('is alive and ready while it runs, and reports its state', () => {
    const sink = observed('running')

    expect(liveness([sink])).toEqual({
      isOk: true,
      sinks: [{ name: 'fleet', state: 'running', reason: 'running', waits: [] }]
    })
    expect(readiness([sink]).isOk).toBe(true)
  })

  it('is alive and ready while it waits, and lists every wait', () => {
    const sink = observed('running', {
      waits: [
        { reason: 'cosmos', detail: 'container "drives": the last answer was 503', durationMs: 61_400 },
        { reason: 'registry', detail: 'no answer', durationMs: 1000 }
      ]
    })

    expect(liveness([sink]).isOk).toBe(true)
    expect(readiness([sink])).toMatchObject({
      isOk: true,
      sinks: [
        {
          reason:
            'waiting for Cosmos DB: container "drives": the last answer was 503; and for the schema registry: no answer',
          waits: [
            { reason: 'cosmos', detail: 'container "drives": the last answer was 503', seconds: 61 },
            { reason: 'registry', detail: 'no answer', seconds: 1 }
          ]
        }
      ]
    })
  })

  it('is alive, and not ready, while a service refuses credentials that it accepted before', () => {
    const waits = [
      { reason: 'auth', detail: 'Cosmos DB refuses the credentials that it accepted before', durationMs: 1000 }
    ] as const
    const sink = observed('running', { waits })

    expect(liveness([sink]).isOk).toBe(true)
    expect(readiness([sink])).toMatchObject({
      isOk: false,
      sinks: [{ reason: 'waiting for valid credentials: Cosmos DB refuses the credentials that it accepted before' }]
    })
  })

  it('is alive, and not ready, while its sink drains', () => {
    expect(readiness([observed('draining')]).isOk).toBe(false)
    expect(liveness([observed('draining')]).isOk).toBe(true)
  })

  it('stays alive, but is not ready, while one sink of several has failed', () => {
    const sinks = [observed('running'), observed('failed')]

    expect(liveness(sinks).isOk).toBe(true)
    expect(readiness(sinks)).toMatchObject({ isOk: false, sinks: [{ state: 'running' }, { state: 'failed' }] })
  })

  it('is alive when its sinks were stopped, but not when all its sinks have failed', () => {
    expect(liveness([observed('failed'), observed('failed')]).isOk).toBe(false)
    expect(liveness([observed('stopped'), observed('stopped')]).isOk).toBe(true)
  })
})
