import { describe, expect, it } from 'vitest'
import { liveness, readiness } from '../../src/faces/health.ts'
import { observed } from './observed.ts'

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

  it('stays alive, but is not ready, while one sink of several has failed', () => {
    const sinks = [observed('running'), observed('failed')]

    expect(liveness(sinks).isOk).toBe(true)
    expect(readiness(sinks)).toMatchObject({ isOk: false, sinks: [{ state: 'running' }, { state: 'failed' }] })
  })

  it('is not alive when every sink has failed', () => {
    expect(liveness([observed('failed'), observed('failed')]).isOk).toBe(false)
    expect(liveness([observed('stopped'), observed('stopped')]).isOk).toBe(true)
  })
})
