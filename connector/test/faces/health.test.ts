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

  it('is neither when one of its sinks has failed', () => {
    const sinks = [observed('running'), observed('failed')]

    expect(liveness(sinks).isOk).toBe(false)
    expect(readiness(sinks).isOk).toBe(false)
  })
})
