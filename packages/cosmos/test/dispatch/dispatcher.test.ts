import { describe, expect, it } from 'vitest'
import { allAnswered, startRouter, upsertOf } from '../simulation/start-router.ts'

describe('a lane without a request in flight', () => {
  it('sends a lone record at once', async () => {
    const { router, sent, settle } = startRouter()
    router.submit(upsertOf('a'))
    await settle()

    expect(sent.map(({ ids }) => ids)).toEqual([['a']])
  })

  it('sends half a batch, and then full batches, before the caller has submitted all operations', async () => {
    const { router, sent, settle } = startRouter()
    for (let index = 0; index < 200; index++) {
      router.submit(upsertOf(`d${index}`))
      expect(sent.length).toBe(index < 49 ? 0 : index < 149 ? 1 : 2)
    }
    await settle()

    expect(sent.map(({ ids }) => ids.length)).toEqual([50, 100])
  })
})

describe('a flush', () => {
  it('sends less than a full batch while another request is in flight', async () => {
    const { router, sent, settle } = startRouter()
    for (let index = 0; index < 130; index++) router.submit(upsertOf(`d${index}`))
    void router.flush()
    await settle()

    expect(sent.map(({ ids }) => ids.length)).toEqual([50, 80])
  })

  it('does not affect later operations: they wait until they fill a batch or no request is in flight', async () => {
    const { router, sent, settle } = startRouter()
    router.submit(upsertOf('first'))
    await settle()
    void router.flush()
    for (let index = 0; index < 20; index++) {
      router.submit(upsertOf(`d${index}`))
      await settle()
    }
    expect(sent.map(({ ids }) => ids.length)).toEqual([1])

    sent[0].answer(allAnswered(sent[0].request))
    await settle()
    expect(sent.map(({ ids }) => ids.length)).toEqual([1, 20])
  })

  it('ends after the operations before it were sent: later operations wait for full batches again', async () => {
    const { router, sent, settle } = startRouter()
    router.submit(upsertOf('first'))
    await settle()
    for (let index = 0; index < 10; index++) router.submit(upsertOf(`d${index}`))
    void router.flush()
    await settle()
    sent[0].answer(allAnswered(sent[0].request))
    await settle()
    router.submit(upsertOf('later'))
    await settle()

    expect(sent.map(({ ids }) => ids.length)).toEqual([1, 10])
  })

  it('sends an operation that waited for another operation on its document as soon as that one is complete', async () => {
    const { router, sent, settle } = startRouter()
    router.submit(upsertOf('a'))
    await settle()
    router.submit(upsertOf('a'))
    void router.flush()
    router.submit(upsertOf('b'))
    await settle()
    router.submit(upsertOf('c'))
    sent[0].answer(allAnswered(sent[0].request))
    await settle()

    expect(sent.slice(1).flatMap(({ ids }) => ids)).toContain('a')
  })
})
