import { describe, expect, it } from 'vitest'
import { recordBytes } from '../../../src/kafka/consumer-port.ts'
import { batchOf, recordAt } from '../records.ts'
import { turn } from '../../simulation/virtual-clock.ts'
import { begin, decoderOf, WRITTEN } from './begin.ts'

const RECORD_BYTES = recordBytes(recordAt(0))

describe('the memory share of a partition', () => {
  // checks L6
  it('is not exceeded by a large fetch, and is used again once a whole batch was settled', async () => {
    const { worker, submitted, answers } = begin({ shareBytes: () => 4 * RECORD_BYTES })
    worker.take(
      batchOf(
        Array.from({ length: 10 }, (_, offset) => recordAt(offset)),
        0
      )
    )
    expect(submitted).toEqual([0, 1, 2, 3])

    answers[1](WRITTEN)
    answers[0](WRITTEN)
    expect(submitted).toEqual([0, 1, 2, 3])
    await turn()

    expect(submitted).toEqual([0, 1, 2, 3, 4, 5])
    expect(worker.records.count).toBe(8)
  })

  // checks L6
  it('counts the decoded document in addition to the value, unless both are the same bytes', () => {
    const text = Buffer.from('{"a":1}')
    const made = Buffer.from('{"made":"of it"}')
    const within = begin({
      decoder: decoderOf((offset) => ({ ok: true, json: offset === 0 ? made : text.subarray(1), key: null }))
    })
    within.worker.take(
      batchOf(
        [
          { ...recordAt(0), value: text },
          { ...recordAt(1), value: text }
        ],
        0
      )
    )
    const { worker, answers } = within

    expect(worker.records.workBytes - worker.records.bytes).toBe(made.length)
    answers[0](WRITTEN)
    answers[1](WRITTEN)
    expect({ work: worker.records.workBytes, open: worker.records.bytes }).toEqual({ work: 0, open: 0 })
  })

  it('does not divide an atomic batch', () => {
    const { worker, groups } = begin({ isAtomic: true, shareBytes: () => 1 })
    worker.take(batchOf([recordAt(0), recordAt(1), recordAt(2)], 0))

    expect(groups.map(({ offsets }) => offsets)).toEqual([[0, 1, 2]])
  })

  it('is not used for a partition that was lost', async () => {
    const { worker, submitted, answers } = begin({ shareBytes: () => 1 })
    worker.take(batchOf([recordAt(0), recordAt(1)], 0))
    answers[0](WRITTEN)
    worker.lose()
    await turn()

    expect(submitted).toEqual([0])
  })
})
