import { describe, expect, it } from 'vitest'
import { allAnswered, startRouter, upsertOf } from '../simulation/start-router.ts'

const REFUSED = {
  kind: 'refused',
  status: 413,
  subStatus: 0,
  retryAfterMs: undefined,
  chargeRu: 0,
  activityId: undefined
} as const

describe('an operation that is throttled', () => {
  it.each([3200, 3201, 3214])(
    'L8 retries after 429/%i without a limit, even longer than the time for failures',
    async (subStatusCode) => {
      const reported: unknown[] = []
      const { router, sent, clock, settle } = startRouter({ retryForMs: 500 })
      router.submit(upsertOf('a', (outcome) => reported.push(outcome)))
      for (let answered = 0; clock.now() < 5000 && reported.length === 0; answered++) {
        await clock.runUntil(() => sent.length > answered, 6000)
        sent[answered].answer(
          allAnswered(sent[answered].request, { statusCode: 429, subStatusCode, retryAfterMilliseconds: 100 })
        )
        await settle()
      }

      expect(reported).toEqual([])
    }
  )

  it('L8 retries a request that is throttled as a whole without a limit', async () => {
    const reported: unknown[] = []
    const { router, sent, clock, settle } = startRouter({ retryForMs: 500 })
    router.submit(upsertOf('a', (outcome) => reported.push(outcome)))
    for (let answered = 0; clock.now() < 5000 && reported.length === 0; answered++) {
      await clock.runUntil(() => sent.length > answered, 6000)
      sent[answered].answer({ ...REFUSED, status: 429, subStatus: 3200, retryAfterMs: 100 })
      await settle()
    }

    expect(reported).toEqual([])
  })
})
