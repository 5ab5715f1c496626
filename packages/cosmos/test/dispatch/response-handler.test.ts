import { describe, expect, it } from 'vitest'
import type { OnOutcome } from '../../src/dispatch/pending-operation.ts'
import type { BatchEvent } from '../../src/dispatch/response-handler.ts'
import { allAnswered, startRouter, type StartedRouter, upsertOf } from '../simulation/start-router.ts'

describe('a service that answers with a retry-after of 0 ms', () => {
  it('gets each next request after a growing delay', async () => {
    const started = startRouter()
    started.router.submit(upsertOf('a'))
    await answerFor(started, 200, { statusCode: 429, subStatusCode: 3200, retryAfterMilliseconds: 0 })

    expect(started.sent.length).toBeGreaterThan(5)
    expect(started.sent.length).toBeLessThan(25)
  })

  it('gets the next request after a requested wait if this wait is longer than the delay', async () => {
    const started = startRouter()
    started.router.submit(upsertOf('a'))
    await answerFor(started, 1000, { statusCode: 429, subStatusCode: 3200, retryAfterMilliseconds: 100 })

    expect(started.sent.map(({ atMs }) => Math.round(atMs))).toEqual([
      0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000
    ])
  })
})

describe('a service that reports the container of an operation as missing', () => {
  it('gets further requests after growing delays, until the writer stops', async () => {
    const started = startRouter()
    const reported: (string | undefined)[] = []
    started.router.submit(
      upsertOf('a', (outcome) => reported.push(outcome instanceof Error ? outcome.message : outcome.kind))
    )
    await answerFor(started, 1000, { statusCode: 404, subStatusCode: 1003 })
    expect(started.sent.length).toBeLessThan(15)

    await answerFor(started, 600_000, { statusCode: 404, subStatusCode: 1003 })
    expect(started.sent.length).toBeLessThan(30)
    expect(started.stoppedBy.map(({ message }) => message)).toEqual([expect.stringContaining('no such container')])
    expect(reported).toHaveLength(1)
  })
})

describe('the event that the writer emits for each batch', () => {
  it.each([
    ['every operation failed with a retriable status', [503, 503, 503], '503'],
    ['one operation failed and all others were throttled', [429, 429, 410], '410'],
    ['one operation was written', [503, 201, 503], 'answered'],
    ['all were throttled', [429, 429, 429], 'answered'],
    ['one operation was rejected', [503, 409, 503], 'answered']
  ])('reports whether any operation had an outcome: %s', async (_, statuses, result) => {
    const events: BatchEvent[] = []
    const { router, sent, settle } = startRouter({ onBatch: (event) => events.push(event) })
    for (const name of ['a', 'b', 'c']) router.submit(upsertOf(name))
    await settle()
    sent[0].answer({ kind: 'answered', operations: statuses.map((statusCode) => ({ statusCode })) })
    await settle()

    expect(events.map((event) => event.result)).toEqual([result])
    router.stop(new Error('the end'))
  })
})

describe('a callback that gets an outcome', () => {
  it('may throw, and the other callbacks of the batch are still called', async () => {
    const { router, sent, settle } = startRouter()
    const reported: string[] = []
    const raised: unknown[] = []
    const note = (error: unknown): void => void raised.push(error)
    const listeners = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException')
    process.on('uncaughtException', note)
    for (const name of ['a', 'b', 'c']) router.submit(upsertOf(name, failingFor(name, reported)))
    await settle()
    sent[0].answer(allAnswered(sent[0].request))
    // microtasks of the answer have run before
    await new Promise((resolve) => setImmediate(resolve))
    process.off('uncaughtException', note)
    for (const listener of listeners) process.on('uncaughtException', listener)

    expect(reported).toEqual(['a', 'b', 'c'])
    expect(raised).toEqual([new Error('of b')])
    expect(router.byteBudget?.bytes).toBe(0)
  })

  it('may submit a write of the same document at once', async () => {
    const { router, sent, settle } = startRouter()
    const reported: string[] = []
    router.submit(upsertOf('a', () => router.submit(upsertOf('a', () => reported.push('second')))))
    await settle()
    sent[0].answer(allAnswered(sent[0].request))
    await settle()
    sent[1].answer(allAnswered(sent[1].request))
    await settle()

    expect(reported).toEqual(['second'])
  })
})

function failingFor(name: string, reported: string[]): OnOutcome {
  return () => {
    reported.push(name)
    if (name === 'b') throw new Error('of b')
  }
}

// without waits there would be no end of requests
const MAX_ANSWERS = 1000

/** Answers each request at once, for `ms` milliseconds. */
async function answerFor(
  { clock, sent, settle }: StartedRouter,
  ms: number,
  answer: Parameters<typeof allAnswered>[1]
): Promise<void> {
  const end = clock.now() + ms
  for (let answered = 0, isMore = true; isMore && answered < MAX_ANSWERS;) {
    isMore = await clock.runUntil(() => sent.length > answered, end)
    for (; answered < sent.length; answered++) sent[answered].answer(allAnswered(sent[answered].request, answer))
    await settle()
  }
}
