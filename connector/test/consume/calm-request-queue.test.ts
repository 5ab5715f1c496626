import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { calmRequestQueue } from '../../src/consume/calm-request-queue.ts'

/** What of kafkajs's queue a connection uses. */
interface Queue {
  readonly push: (request: object) => void
  readonly fulfillRequest: (answer: object) => void
  readonly maybeThrottle: (ms: number) => void
  readonly checkPendingRequests: () => void
}

describe('calmRequestQueue', () => {
  let sent: number[]

  beforeEach(() => {
    calmRequestQueue()
    sent = []
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  it('sets no timer where nothing waits', () => {
    const queue = createQueue()

    push(queue, 1)
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null })
    queue.checkPendingRequests()

    expect(sent).toEqual([1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends what was throttled when its time has come, and not before', () => {
    const queue = createQueue()
    queue.maybeThrottle(500)

    push(queue, 1)
    push(queue, 2)
    vi.advanceTimersByTime(499)
    expect(sent).toEqual([])

    vi.advanceTimersByTime(2)
    expect(sent).toEqual([1, 2])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('sends what waited for an answer as soon as it comes', () => {
    const queue = createQueue({ maxInFlightRequests: 1 })

    push(queue, 1)
    push(queue, 2)
    expect(sent).toEqual([1])
    queue.fulfillRequest({ correlationId: 1, size: 0, payload: null })

    expect(sent).toEqual([1, 2])
  })

  function push(queue: Queue, correlationId: number): void {
    const entry = { correlationId, resolve: () => {}, reject: () => {} }
    queue.push({ entry, expectResponse: true, sendRequest: () => void sent.push(correlationId) })
  }
})

function createQueue(options: object = {}): Queue {
  const Made = RequestQueue as unknown as new (options: object) => Queue
  const logger = { debug: () => {}, warn: () => {} }
  return new Made({ requestTimeout: 1000, enforceRequestTimeout: false, clientId: 'test', broker: 'b:1', logger, ...options })
}
