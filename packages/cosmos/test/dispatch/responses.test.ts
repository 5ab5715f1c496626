import { describe, expect, it } from 'vitest'
import type { Answer, OperationAnswer } from '../../src/client/transport.ts'
import type { Action, AnsweredBatch, ResponseContext } from '../../src/dispatch/actions.ts'
import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { actionsFor } from '../../src/dispatch/responses.ts'
import { upsertOf } from '../simulation/start-router.ts'

const CONTEXT: ResponseContext = {
  ranMs: 1000,
  latencyMs: 5,
  random: () => 0.5,
  retryForMs: 60_000,
  failures: 0,
  throttles: 0,
  missing: 0,
  waitsForCredentials: false
}

describe('the actions for an answered batch', () => {
  it('complete all operations together, and report their charge', () => {
    const batch = batchOf('a', 'b')
    const actions = actionsFor(
      batch,
      answered({ statusCode: 201, requestCharge: 6 }, { statusCode: 200, requestCharge: 10 }),
      CONTEXT
    )

    expect(kindsOf(actions)).toEqual([
      'reset',
      'learnPrices',
      'complete',
      'report',
      'requeue',
      'reset',
      'reset',
      'reset'
    ])
    expect(find(actions, 'complete').outcomes).toMatchObject([
      { kind: 'written', status: 201, chargeRu: 6 },
      { kind: 'written', status: 200, chargeRu: 10 }
    ])
    expect(find(actions, 'report')).toMatchObject({ chargedRu: 16, throttledOperations: 0, result: 'answered' })
    expect(find(actions, 'requeue').operations).toEqual([])
  })

  it('requeue throttled operations in order, pause the lane once for the longest delay, and count no attempt', () => {
    const batch = batchOf('a', 'b', 'c')
    const actions = actionsFor(batch, answered(throttled(30), { statusCode: 201 }, throttled(50)), CONTEXT)

    expect(find(actions, 'requeue').operations).toEqual([batch.operations[0], batch.operations[2]])
    expect(find(actions, 'throttle')).toEqual({ kind: 'throttle', operations: 2, ms: 50 })
    expect(kindsOf(actions)).not.toContain('recordFailure')
  })

  it('delay the only failed operation, and complete the operations before and after it in order', () => {
    const batch = batchOf('a', 'b', 'c')
    const [, second] = batch.operations
    const actions = actionsFor(batch, answered({ statusCode: 201 }, { statusCode: 503 }, { statusCode: 201 }), CONTEXT)

    expect(kindsOf(actions).slice(2, 7)).toEqual(['complete', 'countRetry', 'recordFailure', 'delay', 'complete'])
    expect(find(actions, 'recordFailure')).toEqual({ kind: 'recordFailure', operation: second, isAmbiguous: true })
  })

  it('refresh the list of ranges after all operations are requeued', () => {
    const actions = actionsFor(
      batchOf('a', 'b'),
      answered({ statusCode: 410, subStatusCode: 1002 }, { statusCode: 201 }),
      CONTEXT
    )

    expect(kindsOf(actions).slice(-2)).toEqual(['reset', 'refreshRanges'])
    expect(kindsOf(actions).indexOf('requeue')).toBeLessThan(kindsOf(actions).indexOf('refreshRanges'))
  })

  it('read the document before they reject a create that an earlier attempt may have applied', () => {
    const create = operationOf('Create')
    create.recordFailure(0, true)
    const batch: AnsweredBatch = { operations: [create], elements: [create], bytes: 10, isAtLimit: false }
    const actions = actionsFor(batch, answered({ statusCode: 409 }), CONTEXT)

    expect(find(actions, 'confirm')).toMatchObject({
      operation: create,
      outcome: { kind: 'rejected', code: 'ALREADY_EXISTS' }
    })
    expect(kindsOf(actions)).not.toContain('complete')
  })
})

describe('the actions for a request that failed as a whole', () => {
  it('count an attempt of each operation and requeue them', () => {
    const batch = batchOf('a', 'b')
    const actions = actionsFor(batch, { kind: 'unanswered', reason: 'ECONNRESET', isSent: true }, CONTEXT)

    expect(kindsOf(actions)).toEqual([
      'report',
      'countRetry',
      'requestFailed',
      'recordFailure',
      'recordFailure',
      'requeue'
    ])
    expect(find(actions, 'report').chargedRu).toBeUndefined()
    expect(find(actions, 'requeue').operations).toEqual(batch.operations)
  })

  it('give up an operation whose time for retries is over, and requeue the others', () => {
    const batch = batchOf('a', 'b')
    const [first, second] = batch.operations
    first.recordFailure(0, false)
    const actions = actionsFor(
      batch,
      { kind: 'unanswered', reason: 'ECONNRESET', isSent: true },
      { ...CONTEXT, retryForMs: 900 }
    )

    expect(find(actions, 'giveUp')).toEqual({ kind: 'giveUp', operation: first, reason: 'no answer: ECONNRESET' })
    expect(find(actions, 'requeue').operations).toEqual([second])
  })

  it('reject an operation with OUTCOME_UNKNOWN if it may have been applied and cannot be repeated safely', () => {
    const increment = operationOf('Patch', false)
    const batch: AnsweredBatch = { operations: [increment], elements: [increment], bytes: 10, isAtLimit: false }
    const actions = actionsFor(batch, refused(503), CONTEXT)

    expect(find(actions, 'complete').outcomes).toMatchObject([{ kind: 'rejected', code: 'OUTCOME_UNKNOWN' }])
    expect(find(actions, 'requeue').operations).toEqual([])
  })

  it('divide a request that Cosmos DB cannot read into two, and reject the operation of a request that has only one', () => {
    const batch = batchOf('a', 'b', 'c')
    const [one, two, three] = batch.operations
    const halves = actionsFor(batch, refused(400), CONTEXT).filter((action) => action.kind === 'resend')

    expect(halves.map(({ operations }) => operations)).toEqual([[one, two], [three]])
    expect(find(actionsFor(batchOf('a'), refused(400), CONTEXT), 'complete').outcomes).toMatchObject([
      { code: 'COSMOS_REJECTED' }
    ])
  })

  it('renew the credentials if they were refused, and then requeue the operations', () => {
    const unauthorized = actionsFor(batchOf('a'), refused(401), CONTEXT)

    expect(kindsOf(unauthorized).slice(-2)).toEqual(['renewCredentials', 'requeue'])
  })
})

describe('the actions for a request that was withheld', () => {
  it('refund its RU, withdraw fenced operations, and requeue the other operations without counting an attempt', () => {
    const batch = batchOf('a', 'b', 'c')
    const [first, second, third] = batch.operations
    second.fence = { isLost: true }
    const actions = actionsFor(batch, { kind: 'withheld' }, CONTEXT)

    expect(actions).toEqual([
      { kind: 'refund' },
      { kind: 'withdraw', operation: second },
      { kind: 'requeue', operations: [first, third] }
    ])
  })
})

it.each<[string, Answer]>([
  ['answered', answered({ statusCode: 503 }, { statusCode: 410, subStatusCode: 1002 })],
  ['refused', refused(408)],
  ['unanswered', { kind: 'unanswered', reason: 'ECONNRESET', isSent: true }]
])('does not change operations while it computes the actions for a request that was %s', (_, answer) => {
  const batch = batchOf('a', 'b')
  actionsFor(batch, answer, CONTEXT)

  expect(batch.operations.map(({ state, retry }) => ({ state, retry }))).toEqual([
    { state: 'waiting', retry: undefined },
    { state: 'waiting', retry: undefined }
  ])
})

function batchOf(...ids: readonly string[]): AnsweredBatch {
  const operations = ids.map((id) => upsertOf(id))
  return { operations, elements: operations, bytes: 10, isAtLimit: false }
}

function operationOf(type: 'Create' | 'Patch', isRepeatable = true): PendingOperation {
  const conditions = { ...NO_CONDITIONS, isRepeatable }
  return new PendingOperation(
    { type, values: ['k'], id: 'a', definition: {}, head: 0x1f000000, body: '{"id":"a"}', conditions },
    () => {}
  )
}

function throttled(retryAfterMilliseconds: number): OperationAnswer {
  return { statusCode: 429, subStatusCode: 3200, retryAfterMilliseconds }
}

function answered(...operations: readonly OperationAnswer[]): Answer {
  return { kind: 'answered', operations }
}

function refused(status: number): Answer {
  return { kind: 'refused', status, subStatus: 0, retryAfterMs: undefined, chargeRu: 0, activityId: undefined }
}

function kindsOf(actions: readonly Action[]): readonly string[] {
  return actions.map(({ kind }) => kind)
}

function find<K extends Action['kind']>(actions: readonly Action[], kind: K): Action & { kind: K } {
  return actions.find((action) => action.kind === kind) as Action & { kind: K }
}
