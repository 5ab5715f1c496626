import { describe, expect, it } from 'vitest'
import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { UNLIMITED } from '../../src/budget/ru-budget.ts'
import { allAnswered, type Sent, startRouter, upsertOf } from '../simulation/start-router.ts'

const WITHHELD = { kind: 'withheld' } as const

describe('a request whose partition moves while it waits for its connection', () => {
  it('L5 is not sent: its fenced operations are withdrawn, and its other operations are sent in order, before later operations', async () => {
    const { router, sent, settle } = startRouter()
    const lost = { isLost: false }
    const reported: string[] = []
    for (const id of ['a', 'b', 'c', 'd'])
      router.submit(createUpsert(id, reported, id === 'b' || id === 'c' ? lost : { isLost: false }))
    await settle()
    router.submit(createUpsert('e', reported))
    lost.isLost = true
    connect(sent[0])
    await settle()

    expect(sent[0].ids).toEqual(['a', 'b', 'c', 'd'])
    expect(sent[1].ids).toEqual(['a', 'd', 'e'])
    expect(reported).toEqual(['b WRITE_FENCED', 'c WRITE_FENCED'])
    connect(sent[1])
    await settle()
    expect(reported.slice(2)).toEqual(['a written', 'd written', 'e written'])
    expect(sent).toHaveLength(2)
  })

  it('L5 is requeued, and a newer upsert of the same document is sent in its place, with one outcome for each upsert', async () => {
    const { router, sent, settle } = startRouter()
    const lost = { isLost: false }
    const reported: string[] = []
    router.submit(createUpsert('x', reported, lost))
    router.submit(createUpsert('a', reported, { isLost: false }, 'old'))
    await settle()
    router.submit(createUpsert('a', reported, { isLost: false }, 'new'))
    lost.isLost = true
    connect(sent[0])
    await settle()
    connect(sent[1])
    await settle()

    expect(sent.map(({ ids }) => ids)).toEqual([['x', 'a'], ['a']])
    expect(Buffer.from(sent[1].request.body).toString()).toContain('new')
    expect(reported).toEqual(['x WRITE_FENCED', 'a written', 'a written superseded'])
  })

  it('L5 is sent with the body of the requeued upsert if the newer upsert of the document is fenced', async () => {
    const { router, sent, settle } = startRouter()
    const [lost, alsoLost] = [{ isLost: false }, { isLost: false }]
    const reported: string[] = []
    router.submit(createUpsert('x', reported, lost))
    router.submit(createUpsert('a', reported, { isLost: false }, 'old'))
    await settle()
    router.submit(createUpsert('a', reported, alsoLost, 'new'))
    lost.isLost = true
    connect(sent[0])
    alsoLost.isLost = true
    await settle()
    for (const request of sent.slice(1)) connect(request)
    await settle()

    expect(sent.at(-1)!.ids).toEqual(['a'])
    expect(Buffer.from(sent.at(-1)!.request.body).toString()).toContain('old')
    expect(reported).toEqual(['x WRITE_FENCED', 'a WRITE_FENCED', 'a written'])
  })

  it('L5 delays other operations on the same document until its requeued operation was applied', async () => {
    const { router, sent, settle } = startRouter()
    const lost = { isLost: false }
    const reported: string[] = []
    router.submit(createUpsert('x', reported, lost))
    router.submit(createUpsert('a', reported))
    await settle()
    router.submit(patchOf('a', reported))
    lost.isLost = true
    connect(sent[0])
    await settle()
    expect(sent.map(({ ids }) => ids.length)).toEqual([2, 1])
    expect(Buffer.from(sent[1].request.body).toString()).toContain('Upsert')
    connect(sent[1])
    await settle()

    expect(Buffer.from(sent[2].request.body).toString()).toContain('Patch')
  })

  it('L5 is withdrawn as a whole if it is an atomic batch and one of its operations is fenced', async () => {
    const { router, sent, settle } = startRouter()
    const lost = { isLost: false }
    const reported: string[] = []
    const parts = ['a', 'b'].map((id) => upsertOf(id))
    parts[1].fence = lost
    router.submitGroup(groupOf(parts, reported))
    await settle()
    lost.isLost = true
    connect(sent[0])
    await settle()
    router.submit(createUpsert('a', reported))
    await settle()
    connect(sent[1])
    await settle()

    expect(reported).toEqual(['batch WRITE_FENCED', 'a written'])
  })

  it('gives back its RU and its slot, and is counted neither as an attempt nor as a request', async () => {
    let isOpen = true
    const paid: number[] = []
    const budget = {
      ...UNLIMITED,
      pay: (_: number, ru: number) => void paid.push(ru),
      refund: (_: number, _now: number, ru: number) => void paid.push(-ru)
    }
    const { router, sent, settle, clock } = startRouter({
      maySend: () => isOpen,
      retryForMs: 1,
      createBudget: () => budget
    })
    const reported: string[] = []
    router.submit(createUpsert('a', reported))
    for (let times = 0; times < 20; times++) {
      isOpen = true
      await clock.runUntil(() => sent.length > times, clock.now() + 1000)
      isOpen = false
      connect(sent[times])
      await settle()
      expect(router.lanes[0].inFlight).toBe(0)
      expect(paid.reduce((sum, ru) => sum + ru, 0)).toBe(0)
    }

    expect(reported).toEqual([])
    expect(router.lanes[0].counts).toMatchObject({ batches: 0, operations: 0 })
    isOpen = true
    await clock.runUntil(() => sent.length > 20, clock.now() + 1000)
    connect(sent[20])
    await settle()
    expect(reported).toEqual(['a written'])
    expect(router.lanes[0].counts).toMatchObject({ batches: 1, operations: 1 })
  })
})

/** Does the same as a transport that has got its connection. */
function connect({ request, answer }: Sent): void {
  answer(request.maySend() ? allAnswered(request) : WITHHELD)
}

function createUpsert(
  id: string,
  reported: string[],
  fence?: { readonly isLost: boolean },
  text = ''
): PendingOperation {
  const facts = {
    type: 'Upsert',
    values: ['k'],
    id,
    definition: {},
    head: 0x1f000000,
    body: JSON.stringify({ id, text }),
    conditions: NO_CONDITIONS
  } as const
  const pending = new PendingOperation(facts, (outcome) => reported.push(`${id} ${nameOf(outcome)}`))
  pending.fence = fence
  return pending
}

function patchOf(id: string, reported: string[]): PendingOperation {
  const body = JSON.stringify({ id, operations: [] })
  const facts = {
    type: 'Patch',
    values: ['k'],
    id,
    definition: {},
    head: 0x1f000000,
    body,
    conditions: NO_CONDITIONS
  } as const
  return new PendingOperation(facts, (outcome) => reported.push(`patch ${nameOf(outcome)}`))
}

function groupOf(parts: readonly PendingOperation[], reported: string[]): PendingOperation {
  const facts = {
    type: 'Atomic',
    values: ['k'],
    id: '',
    definition: {},
    head: 0x1f000000,
    body: undefined,
    conditions: NO_CONDITIONS
  } as const
  const tell = (outcome: Parameters<PendingOperation['onOutcome']>[0]): void =>
    void reported.push(`batch ${nameOf(outcome)}`)
  return new PendingOperation(facts, tell, {
    parts,
    firsts: parts,
    onOutcomes: ([first]) => tell(first),
    blockedDocuments: 0
  })
}

function nameOf(outcome: Parameters<PendingOperation['onOutcome']>[0]): string {
  if (outcome instanceof Error) return (outcome as { readonly code?: string }).code ?? outcome.message
  return outcome.kind === 'written' && outcome.isSuperseded ? 'written superseded' : outcome.kind
}
