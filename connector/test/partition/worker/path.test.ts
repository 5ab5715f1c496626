import { describe, expect, it } from 'vitest'
import { batchOf, recordAt } from '../records.ts'
import { deferred } from '../../simulation/deferred.ts'
import { turn } from '../../simulation/virtual-clock.ts'
import { begin, create, decoderOf, UNREADABLE, WRITTEN } from './begin.ts'

describe('the worker of a partition', () => {
  it('settles a record with the outcome of its write', () => {
    const { worker, answers, counts } = begin()
    worker.take(batchOf([recordAt(0), recordAt(1)], 0))
    expect(worker.records.count).toBe(2)

    for (const answer of answers) answer(WRITTEN)

    expect(worker.records.count).toBe(0)
    expect(counts).toMatchObject({ received: 2, written: 2 })
  })

  // checks L2
  it('recognizes redelivered records, and does not write them twice', () => {
    const { worker, answers, counts } = begin()
    worker.take(batchOf([recordAt(0), recordAt(1)], 0))

    const next = worker.take(batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))

    expect(next).toBe(3)
    expect(answers).toHaveLength(3)
    expect(counts.redelivered).toBe(2)
  })

  // checks L1
  it('requests an earlier offset if records were skipped', () => {
    const { worker, answers } = begin()
    worker.take(batchOf([recordAt(0)], 0))

    expect(worker.take(batchOf([recordAt(5)], 5))).toBe(1)
    expect(answers).toHaveLength(1)
  })

  // checks L4
  it('keeps the order of a partition while one record waits for its schema', async () => {
    const slow = deferred()
    const decoder = decoderOf((offset) =>
      offset === 1 ? slow.promise.then(() => ({ ok: true, json: undefined, key: null }) as const) : undefined
    )
    const { worker, submitted } = begin({ decoder })
    worker.take(batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))
    expect(submitted).toEqual([0])

    slow.resolve()
    await turn()

    expect(submitted).toEqual([0, 1, 2])
  })

  it('takes records before the partition is claimed, but does not process them', () => {
    const { worker, submitted } = create()
    worker.take(batchOf([recordAt(0)], 0))
    expect(worker.records.count).toBe(1)
    expect(submitted).toEqual([])

    worker.claimed()

    expect(submitted).toEqual([0])
  })

  it('settles no record of a partition that was lost meanwhile', () => {
    const { worker, answers, failures } = begin()
    worker.take(batchOf([recordAt(0)], 0))
    worker.lose()
    answers[0](WRITTEN)
    answers[0](new Error('fenced'))

    expect(worker.records.committable).toBe(0)
    expect(failures).toEqual([])
  })

  it('stops the sink when a write cannot get an outcome, and leaves the record in flight', () => {
    const { worker, answers, failures } = begin()
    worker.take(batchOf([recordAt(0)], 0))
    answers[0](new Error('The container is gone.'))

    expect(failures).toEqual(['The container is gone.'])
    expect(worker.records.count).toBe(1)
  })

  it('counts records without an operation', () => {
    const { worker, counts } = begin({ map: () => 'ignore' })
    worker.take(batchOf([recordAt(0, null)], 0))

    expect(worker.records.count).toBe(0)
    expect(counts.ignored).toBe(1)
  })

  it('rejects a record that cannot be read, and continues', () => {
    const { worker, counts, fixture, answers } = begin({
      decoder: decoderOf((offset) => (offset === 0 ? UNREADABLE : undefined))
    })
    worker.take(batchOf([recordAt(0), recordAt(1)], 0))
    answers[0](WRITTEN)

    expect(worker.records.committable).toBe(2)
    expect([...fixture.byCode]).toEqual([['DECODE_FAILED', 1]])
    expect(counts.written).toBe(1)
  })

  it('rejects a record that Cosmos DB refuses', () => {
    const { worker, fixture, answers } = begin()
    worker.take(batchOf([recordAt(0)], 0))
    answers[0]({
      kind: 'rejected',
      code: 'DOCUMENT_TOO_LARGE',
      message: 'Too large.',
      status: 413,
      subStatus: 0,
      chargeRu: 0,
      path: undefined
    })

    expect([...fixture.byCode]).toEqual([['DOCUMENT_TOO_LARGE', 1]])
    expect(worker.records.count).toBe(0)
  })
})
