import { VirtualClock } from '@keystamp/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { CallWatch } from '../../src/containers/call-watch.ts'

const QUIET = { lastFailure: undefined, unansweredSinceMs: undefined }

let clock: VirtualClock
let watch: CallWatch

beforeEach(() => {
  clock = new VirtualClock()
  watch = new CallWatch(clock)
})

async function pass(ms: number): Promise<void> {
  void clock.sleep(ms)
  await clock.runUntil(() => false, clock.now() + ms)
}

describe('the wait for a container', () => {
  it('begins with the read that fails, and ends with its answer', async () => {
    const failure = { ...QUIET, lastFailure: { message: 'No answer.', atMs: 1500 } }
    await pass(1000)
    const reading = watch.read(() => clock.sleep(5000))
    await pass(1000)
    expect(watch.waiting(QUIET)).toBeUndefined()
    expect(watch.waiting(failure)).toEqual({ sinceMs: 1000, detail: 'No answer.' })
    await pass(5000)
    await reading
    expect(watch.waiting(failure)).toBeUndefined()
  })

  it('is not caused by a failure before the read', async () => {
    await pass(1000)
    void watch.read(() => new Promise(() => {}))
    expect(watch.waiting({ ...QUIET, lastFailure: { message: 'No answer.', atMs: 500 } })).toBeUndefined()
  })

  it('is the time without an answer to a request', () => {
    expect(watch.waiting({ ...QUIET, unansweredSinceMs: 7 })).toMatchObject({ sinceMs: 7 })
  })

  it('begins with the first failed write of a physical partition, and ends with its next answer', async () => {
    await pass(10_000)
    watch.batch({ rangeId: '0', result: 'ECONNREFUSED', latencyMs: 100 })
    await pass(5000)
    watch.batch({ rangeId: '0', result: '503', latencyMs: 10 })
    watch.batch({ rangeId: '1', result: 'answered', latencyMs: 10 })
    expect(watch.waiting(QUIET)).toEqual({
      sinceMs: 9900,
      detail: 'Cosmos DB has not accepted a write (last answer: 503).'
    })
    watch.batch({ rangeId: '0', result: '429', latencyMs: 10 })
    expect(watch.waiting(QUIET)).toBeUndefined()
  })

  it('forgets a physical partition that does not exist any more', async () => {
    watch.batch({ rangeId: '0', result: '410', latencyMs: 1 })
    await pass(70_000)
    expect(watch.waiting(QUIET)).toBeUndefined()
  })
})
