import { expect, it } from 'vitest'
import { startRouter, upsertOf } from '../simulation/start-router.ts'

it('L2 reports one outcome for each operation of a batch whose response stops the writer', async () => {
  const { router, sent, stoppedBy, settle } = startRouter()
  const reported: Record<string, number> = { a: 0, b: 0, c: 0 }
  for (const id of ['a', 'b', 'c']) router.submit(upsertOf(id, () => reported[id]++))
  await settle()
  sent[0].answer({
    kind: 'answered',
    operations: [201, 403, 201].map((statusCode) => ({ statusCode, requestCharge: 7 }))
  })
  await settle()

  expect(stoppedBy).toHaveLength(1)
  expect(reported).toEqual({ a: 1, b: 1, c: 1 })
})

it('L2 reports one outcome for each operation of a batch if the callback of one of them stops the writer', async () => {
  const { router, sent, settle } = startRouter()
  const reported: string[] = []
  router.submit(
    upsertOf('a', () => {
      reported.push('a')
      router.stop(new Error('stopped'))
    })
  )
  router.submit(
    upsertOf('b', (outcome) => reported.push(`b: ${outcome instanceof Error ? outcome.message : outcome.kind}`))
  )
  await settle()
  sent[0].answer({ kind: 'answered', operations: [{ statusCode: 201 }, { statusCode: 201 }] })
  await settle()

  expect(reported).toEqual(['a', 'b: stopped'])
})
