import { describe, expect, it } from 'vitest'
import { NO_CONDITIONS, type OnOutcome, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { startRouter, upsertOf } from '../simulation/start-router.ts'

describe('an atomic batch', () => {
  it('L2 on two documents reports the error that stopped the writer only once', async () => {
    const { router, settle } = startRouter()
    const reported: unknown[] = []
    const onOutcome: OnOutcome = (outcome) => reported.push(outcome)
    const parts = [upsertOf('a'), upsertOf('b')]
    const facts = {
      type: 'Atomic',
      values: ['k'],
      id: '',
      definition: {},
      head: 0x1f000000,
      body: undefined,
      conditions: NO_CONDITIONS
    } as const
    router.submitGroup(
      new PendingOperation(facts, onOutcome, { parts, firsts: parts, onOutcomes: () => {}, blockedDocuments: 0 })
    )
    await settle()
    router.stop(new Error('stopped'))

    expect(reported).toHaveLength(1)
  })
})
