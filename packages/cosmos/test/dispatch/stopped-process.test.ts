import { VirtualClock } from '@keystamp/testkit'
import { expect, it } from 'vitest'
import { allAnswered, startRouter, upsertOf } from '../simulation/start-router.ts'

it('an operation that fails is retried after its process was stopped for longer than `retryForMs`', async () => {
  const reported: unknown[] = []
  const clock = new VirtualClock()
  let stoppedMs = 0
  const { schedule, scheduleIdly } = clock
  // the clock goes on while the process is stopped
  const system = { now: () => clock.now() + stoppedMs, schedule, scheduleIdly }
  const { router, sent } = startRouter({ retryForMs: 60_000, clock: system })
  router.submit(upsertOf('a', (outcome) => reported.push(outcome)))
  for (let count = 1; count <= 3; count++) {
    await clock.runUntil(() => sent.length === count, 10_000)
    if (count === 3) stoppedMs = 600_000
    sent[count - 1].answer({ kind: 'unanswered', reason: 'ECONNRESET', isSent: true })
  }
  await clock.runUntil(() => sent.length === 4, 20_000)
  expect(reported).toEqual([])
  sent[3].answer(allAnswered(sent[3].request))
  await clock.runUntil(() => reported.length > 0, 30_000)
  expect(reported).toEqual([expect.objectContaining({ kind: 'written' })])
})
