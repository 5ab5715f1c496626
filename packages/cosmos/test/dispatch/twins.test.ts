import { createPlan, type Plan } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { OperationAnswer } from '../../src/client/transport.ts'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import type { Fence } from '../../src/dispatch/pending-operation.ts'
import { createOperationIntake } from '../../src/writer/operation-intake.ts'
import type { Operation } from '../../src/writer/operation.ts'
import { type NewestSettings, resolveNewest } from '../../src/writer/newest-options.ts'
import { createRejectionWatch } from '../../src/writer/rejection-watch.ts'
import { type StartedRouter, startRouter, wireOperations } from '../simulation/start-router.ts'

const plan = createPlan({ into: '/pk', from: [{ field: '/area' }] }, { requireId: true }) as Plan
const preparation = { keys: plan, definition: { paths: ['/pk'], version: 2 as const }, canExpire: false }
const ETAG = '"e1"'
const READ: OperationAnswer = { statusCode: 200, requestCharge: 1, eTag: ETAG, resourceBody: { id: 'x' } }
const WRITTEN: OperationAnswer = { statusCode: 201, requestCharge: 7, eTag: '"e2"' }
const MOVED: Operation = { kind: 'upsert', record: { id: 'x', area: 'new' }, before: { id: 'x', key: 'old' } }

/** A router whose requests the test answers by the type of their operations. */
interface Bench extends StartedRouter {
  readonly submit: (operation: Operation, fence?: Fence) => (Outcome | Error)[]
  /** Answers all requests that were sent since the last call; returns their operations. */
  readonly answer: (answers: Readonly<Record<string, OperationAnswer>>) => Promise<readonly string[]>
}

function startBench(newest?: NewestSettings): Bench {
  const started = startRouter({ newest })
  const intake = createOperationIntake(
    started.router,
    { ...preparation, canExpire: newest !== undefined, newest },
    createRejectionWatch('db/c')
  )
  let answered = 0
  return {
    ...started,
    submit: (operation, fence) => {
      const outcomes: (Outcome | Error)[] = []
      intake.submit(operation, (outcome) => outcomes.push(outcome), fence)
      return outcomes
    },
    answer: async (answers) => {
      await started.settle()
      const requests = started.sent.slice(answered)
      answered = started.sent.length
      const operations = requests.flatMap(({ request }) => wireOperations(request.body))
      for (const { request, answer } of requests)
        answer({
          kind: 'answered',
          operations: wireOperations(request.body).map(({ operationType }) => answers[operationType])
        })
      await started.settle()
      return operations.map(({ operationType, partitionKey, ifMatch = '' }) =>
        `${operationType} ${partitionKey} ${ifMatch}`.trim()
      )
    }
  }
}

it('reads the old twin together with the upsert, and deletes it afterwards, if it has the same ETag', async () => {
  const { submit, answer, router } = startBench()
  const outcomes = submit(MOVED)

  expect(await answer({ Upsert: WRITTEN, Read: READ })).toEqual(['Upsert ["new"]', 'Read ["old"]'])
  expect(outcomes).toEqual([])
  expect(await answer({ Delete: { statusCode: 204, requestCharge: 6 } })).toEqual([`Delete ["old"] ${ETAG}`])

  expect(outcomes).toEqual([
    { kind: 'written', status: 201, chargeRu: 13, etag: '"e2"', isSuperseded: false, twin: 'deleted' }
  ])
  expect(router.outcomes).toEqual({ written: 1, unchanged: 0, rejected: 0 })
  expect(router.twins.counts).toEqual({ deleted: 1, absent: 0, changed: 0, newer: 0 })
  expect(router.byteBudget!.bytes).toBe(0)
})

it('waits with the delete of an old twin for an upsert that is throttled', async () => {
  const { submit, answer, clock } = startBench()
  const outcomes = submit(MOVED)
  const throttled = { statusCode: 429, retryAfterMilliseconds: 50 }

  await answer({ Upsert: throttled, Read: READ })
  await clock.runUntil(() => false, clock.now() + 60)

  expect(await answer({ Upsert: WRITTEN })).toEqual(['Upsert ["new"]'])
  expect(await answer({ Delete: { statusCode: 204 } })).toEqual([`Delete ["old"] ${ETAG}`])
  expect(outcomes).toMatchObject([{ twin: 'deleted' }])
})

it('deletes nothing if there is no old twin', async () => {
  const { submit, answer, sent } = startBench()
  const outcomes = submit(MOVED)

  await answer({ Upsert: WRITTEN, Read: { statusCode: 404 } })

  expect(outcomes).toMatchObject([{ kind: 'written', twin: 'absent' }])
  expect(sent).toHaveLength(1)
})

// checks L19
it('keeps an old twin that another client has changed since it was read', async () => {
  const { submit, answer, router } = startBench()
  const outcomes = submit(MOVED)

  await answer({ Upsert: WRITTEN, Read: READ })
  await answer({ Delete: { statusCode: 412, requestCharge: 1 } })

  expect(outcomes).toMatchObject([{ kind: 'written', twin: 'changed' }])
  expect(router.twins.counts).toEqual({ deleted: 0, absent: 0, changed: 1, newer: 0 })
})

it.each(['before', 'after'])('keeps the old twin if the upsert is rejected %s the twin was read', async (when) => {
  const { submit, answer, sent, router, clock } = startBench()
  const outcomes = submit(MOVED)
  const later = { statusCode: 449 }
  const isBefore = when === 'before'

  await answer({ Upsert: isBefore ? { statusCode: 400 } : later, Read: isBefore ? later : READ })
  await clock.runUntil(() => sent.length > 1, clock.now() + 5000)
  await answer({ Upsert: { statusCode: 400 }, Read: READ })

  expect(outcomes).toMatchObject([{ kind: 'rejected', code: 'COSMOS_REJECTED' }])
  expect(sent).toHaveLength(2)
  expect(router.outcomes).toEqual({ written: 0, unchanged: 0, rejected: 1 })
  expect(router.byteBudget!.bytes).toBe(0)
})

it('rejects an operation whose old twin cannot be deleted, and says that its document is stored', async () => {
  const { submit, answer, router } = startBench()
  const outcomes = submit(MOVED)

  await answer({ Upsert: WRITTEN, Read: READ })
  await answer({ Delete: { statusCode: 400 } })

  expect(outcomes).toMatchObject([{ kind: 'rejected', code: 'COSMOS_REJECTED' }])
  expect((outcomes[0] as { message: string }).message).toContain('stored under its new key')
  expect(router.outcomes).toEqual({ written: 0, unchanged: 0, rejected: 1 })
})

it('deletes the old twin of an upsert that a later upsert has replaced before it was sent', async () => {
  const { submit, answer } = startBench()
  submit({ kind: 'delete', id: 'x', key: 'new' })
  const moved = submit(MOVED)
  const later = submit({ kind: 'upsert', record: { id: 'x', area: 'new', n: 2 } })

  await answer({ Delete: { statusCode: 404 }, Read: READ })
  await answer({ Upsert: WRITTEN })
  expect(await answer({ Delete: { statusCode: 204 } })).toEqual([`Delete ["old"] ${ETAG}`])

  expect(later).toMatchObject([{ kind: 'written', isSuperseded: false }])
  expect(moved).toMatchObject([{ kind: 'written', isSuperseded: true, twin: 'deleted' }])
})

// checks L5
it('does not touch the old twin if the fence is raised after the upsert was written', async () => {
  const { submit, answer, sent, clock } = startBench()
  const fence = { isLost: false }
  const outcomes = submit(MOVED, fence)
  await answer({ Upsert: WRITTEN, Read: { statusCode: 429, retryAfterMilliseconds: 50 } })

  fence.isLost = true
  await clock.runUntil(() => false, clock.now() + 60)

  expect(outcomes).toMatchObject([{ code: 'WRITE_FENCED' }])
  expect(sent).toHaveLength(1)
})

it('L2 reports one outcome for an upsert and its old twin when the router is closed', async () => {
  const { submit, answer, router } = startBench()
  const held = submit(MOVED)
  await answer({ Upsert: { statusCode: 449 }, Read: READ })
  const queued = submit({ ...MOVED, record: { id: 'y', area: 'new' }, before: { id: 'y', key: 'old' } })

  router.close(new Error('closed'))

  expect([...held, ...queued]).toEqual([new Error('closed'), new Error('closed')])
  expect(router.byteBudget!.bytes).toBe(0)
})

it('sends no further operation for a document whose key and id have not changed', async () => {
  const { submit, answer } = startBench()
  const outcomes = submit({
    kind: 'upsert',
    record: { id: 'x', area: 'a' },
    before: { record: { id: 'x', area: 'a' } }
  })

  expect(await answer({ Upsert: WRITTEN })).toEqual(['Upsert ["a"]'])
  expect(outcomes).toEqual([{ kind: 'written', status: 201, chargeRu: 7, etag: '"e2"', isSuperseded: false }])
})

const found = (version: number): OperationAnswer => ({ ...READ, resourceBody: { id: 'x', version } })

describe('an old twin of a writer with `newest`', () => {
  const NEWEST = resolveNewest({ field: '/version', markerTtl: 60 })
  const moved: Operation = {
    kind: 'upsert',
    record: { id: 'x', area: 'new', version: 2 },
    before: { record: { id: 'x', area: 'old', version: 1 } }
  }

  // checks L19, L23
  it('is replaced by a marker with the position of the upsert, after the upsert is written', async () => {
    const { submit, answer, sent, router } = startBench(NEWEST)
    const outcomes = submit(moved)

    expect(await answer({ Create: WRITTEN })).toEqual(['Create ["new"]'])
    expect(await answer({ Create: { statusCode: 409 } })).toEqual(['Create ["old"]'])
    expect(await answer({ Read: found(1) })).toEqual(['Read ["old"]'])
    expect(await answer({ Replace: { statusCode: 200 } })).toEqual([`Replace ["old"] ${ETAG}`])

    expect(outcomes).toMatchObject([{ kind: 'written', twin: 'deleted' }])
    expect(wireOperations(sent.at(-1)!.request.body)).toMatchObject([
      { resourceBody: { id: 'x', pk: 'old', version: 2, _keystampDeleted: true, ttl: 60 } }
    ])
    expect(router.twins.counts).toEqual({ deleted: 1, absent: 0, changed: 0, newer: 0 })
    expect(router.byteBudget!.bytes).toBe(0)
  })

  // checks L23
  it('stays if it is newer, also if the upsert itself is older than its document', async () => {
    const { submit, answer, router } = startBench(NEWEST)
    const outcomes = submit(moved)

    await answer({ Create: { statusCode: 409 } })
    await answer({ Read: found(5) })
    await answer({ Create: { statusCode: 409 } })
    await answer({ Read: found(3) })

    expect(outcomes).toMatchObject([{ kind: 'written', isSuperseded: true, twin: 'newer' }])
    expect(router.twins.counts).toEqual({ deleted: 0, absent: 0, changed: 0, newer: 1 })
  })

  it('has a marker even if there was no document, so that an older change does not store it later', async () => {
    const { submit, answer } = startBench(NEWEST)
    const outcomes = submit(moved)

    await answer({ Create: WRITTEN })
    await answer({ Create: WRITTEN })

    expect(outcomes).toMatchObject([{ twin: 'absent' }])
  })

  it.each(['at once', 'after earlier operations on it'])('stays if the upsert is rejected (%s)', async (when) => {
    const { submit, answer, sent, router } = startBench(NEWEST)
    const isFirst = when === 'at once'
    if (!isFirst) submit({ kind: 'upsert', record: { id: 'x', area: 'old', version: 1 } })
    const outcomes = submit(moved)

    await answer({ Create: { statusCode: isFirst ? 400 : 413 } })

    expect(outcomes).toMatchObject([{ kind: 'rejected' }])
    expect(sent).toHaveLength(1)
    expect(router.byteBudget!.bytes).toBe(0)
  })

  it('is not coalesced with other changes of its document', async () => {
    const { submit, answer } = startBench(NEWEST)
    submit({ kind: 'upsert', record: { id: 'x', area: 'old', version: 1 } })
    const outcomes = submit(moved)
    const back = submit({ kind: 'upsert', record: { id: 'x', area: 'old', version: 3 } })

    expect(await answer({ Create: WRITTEN })).toEqual(['Create ["old"]', 'Create ["new"]'])
    expect(await answer({ Replace: WRITTEN })).toEqual(['Replace ["old"] "e2"'])
    expect(outcomes).toMatchObject([{ kind: 'written', twin: 'absent' }])
    expect(await answer({ Replace: WRITTEN })).toEqual(['Replace ["old"] "e2"'])
    expect(back).toMatchObject([{ kind: 'written', isSuperseded: false }])
  })

  it('is reported once with its upsert when the router is closed', async () => {
    const { submit, router } = startBench(NEWEST)
    const outcomes = submit(moved)
    router.close(new Error('closed'))
    expect(outcomes).toEqual([new Error('closed')])
    expect(router.byteBudget!.bytes).toBe(0)
  })
})
