import { describe, expect, it } from 'vitest'
import type { PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { startRouter, upsertOf } from '../simulation/start-router.ts'

const REFUSED = {
  kind: 'refused',
  status: 413,
  subStatus: 0,
  retryAfterMs: undefined,
  chargeRu: 0,
  activityId: undefined
} as const

describe('a writer whose permission to send ends', () => {
  it('L5 sends neither half of a divided request after the fence of its operations was raised', async () => {
    const { router, sent, settle } = startRouter()
    const fence = { isLost: false }
    const reported: unknown[] = []
    for (const id of ['a', 'b']) router.submit(fenced(id, fence, reported))
    await settle()
    fence.isLost = true
    sent[0].answer(REFUSED)
    await settle()

    expect(sent).toHaveLength(1)
    expect(reported).toEqual(['WRITE_FENCED', 'WRITE_FENCED'])
  })

  it('L5 sends neither half of a divided request while `maySend` returns false', async () => {
    let isOpen = true
    const { router, sent, settle } = startRouter({ maySend: () => isOpen })
    for (const id of ['a', 'b']) router.submit(upsertOf(id))
    await settle()
    isOpen = false
    sent[0].answer(REFUSED)
    await settle()

    expect(sent).toHaveLength(1)
  })

  it('L5 checks the fence of each operation of a batch', async () => {
    const { router, sent, settle } = startRouter()
    const fence = { isLost: false }
    const reported: unknown[] = []
    router.submit(upsertOf('a'))
    router.submit(fenced('b', fence, reported))
    fence.isLost = true
    await settle()

    expect(sent.map(({ ids }) => ids)).toEqual([['a']])
    expect(reported).toEqual(['WRITE_FENCED'])
  })

  it('L5 sends no further request while `maySend` returns false', async () => {
    let isOpen = true
    const { router, sent, settle } = startRouter({ maySend: () => isOpen })
    for (let index = 0; index < 100; index++) router.submit(upsertOf(`a${index}`))
    await settle()
    expect(sent).toHaveLength(1)
    isOpen = false
    for (let index = 0; index < 100; index++) router.submit(upsertOf(`b${index}`))
    await settle()

    expect(sent).toHaveLength(1)
  })
})

function fenced(id: string, fence: { isLost: boolean }, reported: unknown[] = []): PendingOperation {
  const pending = upsertOf(id, (outcome) =>
    reported.push(outcome instanceof Error ? (outcome as { code?: string }).code : outcome.kind)
  )
  pending.fence = fence
  return pending
}
