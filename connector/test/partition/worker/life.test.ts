import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { batchOf, recordAt } from '../records.ts'
import { deferred } from '../../simulation/deferred.ts'
import { turn } from '../../simulation/virtual-clock.ts'
import { begin, create, decoderOf, WRITTEN } from './begin.ts'

const IMPOSSIBLE = { code: 'INVARIANT_BROKEN' }

describe('the worker of a partition', () => {
  it('begins at the first offset that it is given', () => {
    const { worker } = create()
    worker.beginAt(toPosition(7))
    worker.beginAt(toPosition(3))

    expect(worker.records.expected).toBe(7)
  })

  it('drops the taken records when it begins again before its claim', () => {
    const { worker, submitted, calls } = create()
    worker.take(batchOf([recordAt(0)], 0))
    worker.restartAt(toPosition(90))
    worker.claimed()

    expect(submitted).toEqual([])
    expect(worker.records).toMatchObject({ count: 0, bytes: 0, expected: 90, committable: 90 })
    expect(calls).toEqual(['resume 0'])
  })

  it('drops its inbox when it is lost', () => {
    const { worker, submitted } = create()
    worker.take(batchOf([recordAt(0)], 0))
    worker.lose()

    expect([worker.isLost, worker.isClaimed, submitted]).toEqual([true, false, []])
  })

  it('processes nothing more when it is lost while a record waits for its schema', async () => {
    const slow = deferred()
    const decoder = decoderOf(() => slow.promise.then(() => ({ ok: true, json: undefined, key: null }) as const))
    const { worker, submitted, failures } = begin({ decoder })
    worker.take(batchOf([recordAt(0), recordAt(1)], 0))
    worker.lose()
    slow.resolve()
    await turn()

    expect([submitted, failures]).toEqual([[], []])
  })

  it('throws if it is claimed before it has an offset', () => {
    expect(() => create().worker.claimed()).toThrow(expect.objectContaining(IMPOSSIBLE))
  })

  it('throws if it begins again after its claim', () => {
    expect(() => begin().worker.restartAt(toPosition(0))).toThrow(expect.objectContaining(IMPOSSIBLE))
  })

  it('throws if it takes records after its loss', () => {
    const { worker } = begin()
    worker.lose()

    expect(() => worker.take(batchOf([recordAt(0)], 0))).toThrow(expect.objectContaining(IMPOSSIBLE))
  })

  it('throws if a record has two outcomes', () => {
    const { worker, answers } = begin()
    worker.take(batchOf([recordAt(0)], 0))
    answers[0](WRITTEN)

    expect(() => answers[0](WRITTEN)).toThrow(expect.objectContaining(IMPOSSIBLE))
  })
})
