import { describe, expect, it } from 'vitest'
import { CosmosError } from '../../src/client/cosmos-error.ts'
import { allAnswered, startRouter, upsertOf } from '../simulation/start-router.ts'

const REFUSED = {
  kind: 'refused',
  status: 401,
  subStatus: 0,
  retryAfterMs: undefined,
  chargeRu: 0,
  activityId: undefined
} as const
const FORBIDDEN = { ...REFUSED, status: 403, subStatus: 5301 } as const
const NO_TOKEN = {
  kind: 'unanswered',
  reason: 'no token',
  isSent: false,
  unauthorized: new CosmosError('COSMOS_UNAUTHORIZED', 'The credential returned no token.')
} as const

describe('refused credentials', () => {
  it.each([
    ['401', REFUSED],
    ['403 by role-based access control', FORBIDDEN]
  ])('stop the writer if a new signature is refused, too: %s', async (_, refusal) => {
    let renewals = 0
    const { router, sent, stoppedBy, settle } = startRouter({ renewSignatures: () => void renewals++ })
    router.submit(upsertOf('a'))
    await settle()
    sent[0].answer(refusal)
    await settle()
    sent[1].answer(refusal)
    await settle()

    expect(renewals).toBe(1)
    expect(stoppedBy).toMatchObject([{ code: 'COSMOS_UNAUTHORIZED' }])
  })

  it.each([
    ['401', REFUSED],
    ['403 by role-based access control', FORBIDDEN],
    ['no token', NO_TOKEN]
  ])(
    'are retried while `onUnauthorized` returns true, and `onAuthorized` is called when they are accepted again: %s',
    async (_, refusal) => {
      const reported: string[] = []
      const outcomes: unknown[] = []
      const { router, sent, stoppedBy, clock, settle } = startRouter({
        renewSignatures: () => void reported.push('renewed'),
        onUnauthorized: ({ code }) => reported.push(code) > 0,
        onAuthorized: () => void reported.push('accepted')
      })
      router.submit(upsertOf('a', (outcome) => outcomes.push(outcome)))
      for (let times = 0; times < 3; times++) {
        await clock.runUntil(() => sent.length > times, clock.now() + 60_000)
        sent[times].answer(refusal)
        await settle()
      }
      await clock.runUntil(() => sent.length > 3, clock.now() + 60_000)
      sent[3].answer(allAnswered(sent[3].request))
      await settle()

      const refused = ['COSMOS_UNAUTHORIZED', 'renewed']
      expect(reported).toEqual([...refused, ...refused, ...refused, 'accepted'])
      expect(outcomes).toMatchObject([{ kind: 'written' }])
      expect(stoppedBy).toEqual([])
    }
  )

  it('are reported once for all requests in flight with the same signature', async () => {
    let asked = 0
    const { router, sent, clock, settle } = startRouter({ onUnauthorized: () => ++asked > 0 })
    for (let count = 0; count < 250; count++) router.submit(upsertOf(`a${count}`))
    void router.flush()
    await clock.runUntil(() => sent.length > 1, clock.now() + 1000)
    for (const { answer } of sent.slice()) answer(REFUSED)
    await settle()

    expect(sent.length).toBeGreaterThan(1)
    expect(asked).toBe(1)
  })

  it('stop the writer once `onUnauthorized` returns false', async () => {
    let asked = 0
    const { router, sent, stoppedBy, clock, settle } = startRouter({ onUnauthorized: () => ++asked < 2 })
    router.submit(upsertOf('a'))
    for (let times = 0; times < 2; times++) {
      await clock.runUntil(() => sent.length > times, clock.now() + 60_000)
      sent[times].answer(REFUSED)
      await settle()
    }

    expect(stoppedBy).toMatchObject([{ code: 'COSMOS_UNAUTHORIZED' }])
  })
})
